"""The scoped context document: written, read back, verified."""
