"""Answers in two or three calls: discovery, exploration by outlines, synthesis."""
