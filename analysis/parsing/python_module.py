"""A Python file as Python itself reads it."""

from __future__ import annotations

import ast
import warnings


def parse_module(text: str) -> ast.Module:
    """Return the syntax tree of a text.

    Raises:
        SyntaxError: It is not valid Python, or not for the Python that runs this.
        ValueError: It holds a NUL.
        RecursionError: It is nested too deep.
        MemoryError: The same.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def module_of(text: str) -> ast.Module | None:
    """Return the syntax tree of a text, or None if Python does not accept it."""
    try:
        return parse_module(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
