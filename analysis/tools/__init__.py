"""The tools that a model may use, one a module, in one registry."""
