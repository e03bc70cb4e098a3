"""Answers in planned steps of research: a graph with kept state."""
