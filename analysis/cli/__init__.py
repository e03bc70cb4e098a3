"""The ``scope`` program."""
