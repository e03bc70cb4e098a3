"""Answers in rounds of look-ups until the model is confident."""
