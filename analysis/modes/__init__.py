"""Ways from a question to findings."""
