"""Answers with a model that chooses by itself what to look at."""
