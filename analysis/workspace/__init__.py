"""Reads the files of a code base safely: which ones belong to it, and what is in them."""
