"""Semantic operations on files, three implementations behind one protocol."""
