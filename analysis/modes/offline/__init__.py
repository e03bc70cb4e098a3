"""Answers without a model: the way through the code, and the words around it."""
