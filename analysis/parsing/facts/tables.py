"""The facts of one file as tables, packed into a few kilobytes and unpacked in microseconds."""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from analysis.parsing.facts.codes import NONE, B, E, O, S
from analysis.parsing.facts.rows import (
    Binding,
    ClassRow,
    Expression,
    FromImport,
    FunctionRow,
    Handover,
    LostLines,
    Narrowing,
    Occurrence,
    Outside,
    ParameterRow,
    ScopeRow,
    StarImport,
)

# Bumped whenever packed facts of before would be misread.
FACTS_VERSION = 5
# Level 1 is within a tenth of the size of level 6 at a third of its time.
_COMPRESSION = 1
LARGEST = 1 << 28
"""Bytes; the facts of a large file take some megabytes."""

R = TypeVar("R")


class Table(Generic[R]):
    """Rows of numbers, kept flat; a row becomes an object when it is asked for."""

    __slots__ = ("_make", "data", "width")

    def __init__(self, make: Callable[[Iterable[int]], R], width: int) -> None:
        self._make = make
        self.width = width
        self.data = array("i")

    def __len__(self) -> int:
        return len(self.data) // self.width

    def __getitem__(self, index: int) -> R:
        start = index * self.width
        return self._make(self.data[start : start + self.width])

    def __iter__(self) -> Iterator[R]:
        return map(self.__getitem__, range(len(self)))

    def append(self, row: Iterable[int]) -> int:
        """Add a row and return its index."""
        self.data.extend(row)
        return len(self.data) // self.width - 1

    def column(self, index: int) -> array[int]:
        """Return one column."""
        return self.data[index :: self.width]


class Facts:
    """All tables of one file."""

    __slots__ = (
        "_by_callee",
        "_by_receiver",
        "_by_scope",
        "_by_value",
        "_exports",
        "_name_index",
        "_rows",
        "bindings",
        "classes",
        "expressions",
        "from_imports",
        "functions",
        "handovers",
        "lost",
        "names",
        "narrowings",
        "occurrences",
        "outside",
        "parameters",
        "pool",
        "scopes",
        "stars",
    )

    def __init__(self) -> None:
        self.names: list[str] = []
        self.pool = array("i", [0])
        self.expressions: Table[Expression] = _table(Expression)
        self.scopes: Table[ScopeRow] = _table(ScopeRow)
        self.bindings: Table[Binding] = _table(Binding)
        self.functions: Table[FunctionRow] = _table(FunctionRow)
        self.parameters: Table[ParameterRow] = _table(ParameterRow)
        self.classes: Table[ClassRow] = _table(ClassRow)
        self.from_imports: Table[FromImport] = _table(FromImport)
        self.stars: Table[StarImport] = _table(StarImport)
        self.narrowings: Table[Narrowing] = _table(Narrowing)
        self.occurrences: Table[Occurrence] = _table(Occurrence)
        self.outside: Table[Outside] = _table(Outside)
        self.lost: Table[LostLines] = _table(LostLines)
        self.handovers: Table[Handover] = _table(Handover)
        self._rows: dict[tuple[int, int, int], int] | None = None
        self._by_value: dict[tuple[int, int], list[int]] | None = None
        self._exports: int | None = None
        self._by_callee: dict[int, list[int]] | None = None
        self._by_receiver: dict[int, list[int]] | None = None
        self._by_scope: dict[tuple[int, int], list[int]] | None = None
        self._name_index: dict[str, int] | None = None

    def items(self, place: int) -> Sequence[int]:
        """Return a list from the pool."""
        length = self.pool[place]
        return self.pool[place + 1 : place + 1 + length]

    def last_name(self, expression: int) -> str:
        """Return the last name of a dotted or called expression, nothing for any other or none."""
        if expression == NONE:
            return ""
        kind, a, b = self.expressions[expression]
        if kind == E.NAME:
            return self.names[a]
        if kind == E.ATTRIBUTE:
            return self.names[b]
        return self.last_name(a) if kind in (E.CALL, E.SUBSCRIPT) else ""

    def dotted(self, expression: int) -> str:
        """Return an expression much as it is written, without arguments; nothing for others."""
        if expression == NONE:
            return ""
        kind, a, b = self.expressions[expression]
        if kind == E.NAME:
            return self.names[a]
        if kind == E.ATTRIBUTE:
            before = self.dotted(a)
            return f"{before}.{self.names[b]}" if before else ""
        if kind in (E.CALL, E.NEW, E.APPLIED, E.SUBSCRIPT):
            before = self.dotted(a)
            after = "[…]" if kind == E.SUBSCRIPT else "" if kind == E.APPLIED else "()"
            return f"{before}{after}" if before else ""
        return {E.THIS: "this", E.SUPER: "super", E.REQUIRE: "require()"}.get(kind, "")  # type: ignore[call-overload, no-any-return]

    def name_id(self, name: str) -> int:
        """Return the index of a name, -1 if the file does not have it."""
        if self._name_index is None:
            self._name_index = {text: index for index, text in enumerate(self.names)}
        return self._name_index.get(name, -1)

    def bound_in(self, scope: int, name: int) -> Sequence[int]:
        """Return the bindings of a name in exactly this scope, in source order."""
        return self._scopes_names().get((scope, name), ())

    def exports_scope(self) -> int:
        """Return the scope of what a script exports, -1 if it exports nothing."""
        if self._exports is None:
            kinds = self.scopes.column(0)
            self._exports = kinds.index(S.EXPORTS) if S.EXPORTS in kinds else NONE
        return self._exports

    def bindings_of(self, kind: B, value: int) -> list[int]:
        """Return the bindings of a kind that bind a value, in source order.

        What the value is, see ``B``; of an annotated binding it is the assigned one.
        """
        if self._by_value is None:
            by_value: dict[tuple[int, int], list[int]] = {}
            columns = (self.bindings.column(number) for number in (2, 4, 5))
            for index, (kind_of, a, b) in enumerate(zip(*columns, strict=True)):
                key = (kind_of, b if kind_of == B.ANNOTATED else a)
                by_value.setdefault(key, []).append(index)
            self._by_value = by_value
        return self._by_value.get((kind, value), [])

    def bindings_of_kind(self, kind: B) -> list[int]:
        """Return the bindings of a kind, in source order."""
        return [index for index, row in enumerate(self.bindings.column(2)) if row == kind]

    def function_row(self, function: int) -> int:
        """Return the index of the expression that is a function as a value, -1 if there is none."""
        return self._place_of(E.FUNCTION, function, NONE)

    def assigned_to(self, attribute: int) -> list[int]:
        """Return the values that are assigned to an attribute of an expression."""
        kinds = self.expressions.column(0)
        return [
            self.expressions[index].b
            for index, kind in enumerate(kinds)
            if kind == E.ASSIGNED and self.expressions[index].a == attribute
        ]

    def class_row(self, index: int) -> int:
        """Return the index of the expression that is a class as a value, -1 if there is none."""
        return self._place_of(E.CLASS, index, NONE)

    def name_row(self, name: int) -> int:
        """Return the index of the expression that is a name, -1 if it is not there."""
        return self._place_of(E.NAME, name, NONE)

    def names_bound_in(self, scope: int) -> list[int]:
        """Return the names that get a value in exactly this scope, in source order."""
        return [name for owner, name in self._scopes_names() if owner == scope]

    def _scopes_names(self) -> dict[tuple[int, int], list[int]]:
        if self._by_scope is None:
            by_scope: dict[tuple[int, int], list[int]] = {}
            keys = zip(self.bindings.column(0), self.bindings.column(1), strict=True)
            for index, key in enumerate(keys):
                by_scope.setdefault(key, []).append(index)
            self._by_scope = by_scope
        return self._by_scope

    def occurrences_of(self, name: int) -> list[Occurrence]:
        """Return where a name occurs, in source order."""
        column = self.occurrences.column(0)
        return [
            self.occurrences[index]
            for index in range(bisect_left(column, name), bisect_right(column, name))
        ]

    def occurrences_on(self, line: int) -> list[Occurrence]:
        """Return the identifiers on a line."""
        lines = self.occurrences.column(1)
        return [self.occurrences[index] for index, at in enumerate(lines) if at == line]

    def handovers_of(self, name: int) -> list[Handover]:
        """Return where something of that name is handed on."""
        names = self.handovers.column(0)
        return [self.handovers[index] for index, at in enumerate(names) if at == name]

    def attributes_of(self, expression: int) -> list[Occurrence]:
        """Return where an attribute of an expression is used."""
        if self._by_receiver is None:
            by_receiver: dict[int, list[int]] = {}
            kinds, receivers = self.occurrences.column(3), self.occurrences.column(5)
            for index, (kind, receiver) in enumerate(zip(kinds, receivers, strict=True)):
                if kind == O.ATTRIBUTE:
                    by_receiver.setdefault(receiver, []).append(index)
            self._by_receiver = by_receiver
        return [self.occurrences[index] for index in self._by_receiver.get(expression, ())]

    def calls_of(self, expression: int) -> list[Expression]:
        """Return the calls of an expression."""
        if self._by_callee is None:
            by_callee: dict[int, list[int]] = {}
            kinds, callees = self.expressions.column(0), self.expressions.column(1)
            for index, (kind, callee) in enumerate(zip(kinds, callees, strict=True)):
                if kind == E.CALL:
                    by_callee.setdefault(callee, []).append(index)
            self._by_callee = by_callee
        return [self.expressions[index] for index in self._by_callee.get(expression, ())]

    def attribute_row(self, receiver: int, name: int) -> int:
        """Return the index of ``receiver.name``, -1 if it is not there."""
        return self._place_of(E.ATTRIBUTE, receiver, name)

    def _place_of(self, kind: E, a: int, b: int) -> int:
        if self._rows is None:
            columns = (self.expressions.column(number) for number in range(3))
            self._rows = {
                row: index
                for index, row in enumerate(zip(*columns, strict=True))
                if row[0] in (E.NAME, E.ATTRIBUTE, E.FUNCTION, E.CLASS)
            }
        return self._rows.get((kind, a, b), NONE)

    def narrowings_of(self, expression: int) -> list[Narrowing]:
        """Return where an expression is known to be of a type."""
        return [row for row in self.narrowings if row.expression == expression]

    def tables(self) -> tuple[Table[Any], ...]:
        """Return the tables in the order in which they are packed."""
        return (
            self.expressions,
            self.scopes,
            self.bindings,
            self.functions,
            self.parameters,
            self.classes,
            self.from_imports,
            self.stars,
            self.narrowings,
            self.occurrences,
            self.outside,
            self.lost,
            self.handovers,
        )

    def byte_size(self) -> int:
        """Return about how much memory the tables take."""
        numbers = sum(len(table.data) for table in self.tables()) + len(self.pool)
        return 4 * numbers + 60 * len(self.names) + 2000

    def pack(self) -> bytes:
        """Return the facts as a compact blob."""
        names = "\n".join(self.names).encode("utf-8", "surrogatepass")
        header = array("i", [FACTS_VERSION, len(names), len(self.pool)])
        parts = [b"", names, self.pool.tobytes()]
        for table in self.tables():
            header.append(len(table))
            parts += [table.column(index).tobytes() for index in range(table.width)]
        parts[0] = header.tobytes()
        return zlib.compress(b"".join(parts), _COMPRESSION)


class DamagedFacts(ValueError):
    """A blob that does not hold facts of this version."""


def inflated(blob: bytes) -> bytes:
    """Return what was compressed with zlib, of a size that a file's can have.

    Raises:
        zlib.error: It is damaged, or stands for more.
    """
    stream = zlib.decompressobj()
    data = stream.decompress(blob, LARGEST)
    if not stream.eof:
        raise zlib.error("the data is cut off, or too large")
    return data


def unpack(blob: bytes) -> Facts:
    """Return the facts in a blob; no facts for an empty one.

    Raises:
        DamagedFacts: The blob is damaged or of another version.
    """
    facts = Facts()
    if not blob:
        return facts
    try:
        data = inflated(blob)
    except zlib.error as error:
        raise DamagedFacts("The facts of a file are damaged.") from error
    tables = facts.tables()
    header = array("i", data[: 4 * (3 + len(tables))])
    if len(header) != 3 + len(tables) or header[0] != FACTS_VERSION:
        raise DamagedFacts("The facts of a file are of another version.")
    at = 4 * len(header)
    names = data[at : at + header[1]].decode("utf-8", "surrogatepass")
    facts.names = names.split("\n") if names else []
    at += header[1]
    facts.pool = array("i", data[at : at + 4 * header[2]])
    at += 4 * header[2]
    for table, count in zip(tables, header[3:], strict=True):
        at = _read_columns(table, count, data, at)
    return facts


def _read_columns(table: Table[Any], count: int, data: bytes, at: int) -> int:
    """Fill a table from its packed columns and return where they end."""
    size = 4 * count
    if not 0 <= size * table.width <= len(data) - at:
        raise DamagedFacts("The facts of a file are cut off.")
    table.data = array("i", bytes(size * table.width))
    for index in range(table.width):
        table.data[index :: table.width] = array("i", data[at : at + size])
        at += size
    return at


def _table(row: Any) -> Table[Any]:
    """Return an empty table of a row class."""
    return Table(row._make, len(row._fields))
