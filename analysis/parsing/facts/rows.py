"""The rows of which facts consist, and what their numbers mean.

A row refers to names, expressions, scopes, classes and functions by their index in the file's
tables; ``-1`` stands for "none". Lists are kept in a pool: the number is the place of their
length, and place 0 is the empty list. Equal expressions are one row, so that equality of
indices is equality of source. A position is ``line * 4096 + column`` (columns are cut at 4095).
"""

from __future__ import annotations

from typing import NamedTuple

# Columns beyond this do not occur in code that people write.
_COLUMNS = 4096


def position(line: int, column: int) -> int:
    """Return a number that orders places in a file.

    >>> position(2, 5) > position(1, 80)
    True
    """
    return line * _COLUMNS + min(column, _COLUMNS - 1)


def line_of(place: int) -> int:
    """Return the line of a position.

    >>> line_of(position(7, 5))
    7
    """
    return place // _COLUMNS


def column_of(place: int) -> int:
    """Return the column of a position.

    >>> column_of(position(7, 5))
    5
    """
    return place % _COLUMNS


class Expression(NamedTuple):
    """An expression; ``a`` and ``b`` as described at the kind."""

    kind: int
    a: int
    b: int


class ScopeRow(NamedTuple):
    """A scope; row 0 is the module."""

    kind: int
    parent: int
    owner: int


class Binding(NamedTuple):
    """A place where a name gets a value.

    For an instance attribute ``scope`` is the class's scope and ``is_instance`` is 1.
    """

    scope: int
    name: int
    kind: int
    place: int
    a: int
    b: int
    eval_scope: int
    is_instance: int
    effective: int
    """From where on the name has this value."""
    block_end: int
    """Until where the innermost ``if``, loop or function body around it reaches."""


class FunctionRow(NamedTuple):
    """A function; ``scope`` is its own scope, ``outer`` the one around it."""

    name: int
    scope: int
    outer: int
    owner: int
    """The class of a method, or -1."""
    parameters: int
    """First row in the table of parameters; ``parameter_count`` rows from there."""
    parameter_count: int
    returns: int
    """The annotation."""
    return_values: int
    yields: int
    decorators: int
    is_async: int
    place: int


class ParameterRow(NamedTuple):
    """A parameter."""

    name: int
    kind: int
    annotation: int
    default: int


class ClassRow(NamedTuple):
    """A class; ``scope`` is its own scope, ``outer`` the one around it."""

    name: int
    scope: int
    outer: int
    bases: int
    decorators: int
    keywords: int
    """Keyword arguments in the class statement, a pool of ``E.KEYWORD``."""
    place: int
    is_interface: int
    """1 for a type that has no value, ``STAND_IN`` for what is no class in the source."""


class FromImport(NamedTuple):
    """``from module import name``; ``level`` counts the leading dots."""

    module: int
    level: int
    name: int


class StarImport(NamedTuple):
    """``from module import *``."""

    module: int
    level: int


class Narrowing(NamedTuple):
    """Between two places an expression is known to be of a type."""

    scope: int
    expression: int
    start: int
    end: int
    type: int


class Occurrence(NamedTuple):
    """An identifier in the source; the table is sorted by name, line and column."""

    name: int
    line: int
    column: int
    kind: int
    scope: int
    reference: int
    use: int
    """What is done with it, see ``U``."""


class Handover(NamedTuple):
    """A place where something is handed on by name: to a call, a table, a decorator."""

    name: int
    """What is handed on; of ``H.SENT`` and ``H.SETTING`` the string."""
    place: int
    """Where that name stands; of ``H.DECORATED`` where the definition has it."""
    kind: int
    """See ``H``."""
    to: int
    """The expression that gets it, or -1."""
    label: int
    """The string or name under which it is handed on, or -1."""
    detail: int
    """A second text, see ``H``, or -1."""
    scope: int
    line: int
    """The line that hands it on."""


class Outside(NamedTuple):
    """``global`` (kind 0) or ``nonlocal`` (kind 1) for a name in a scope."""

    scope: int
    name: int
    kind: int


class LostLines(NamedTuple):
    """Lines that could not be parsed."""

    start: int
    end: int
