"""Collects the rows of one file; knows nothing of any language's syntax."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import chain

from analysis.parsing.facts.codes import NONE, B, E, H, O, S, U
from analysis.parsing.facts.rows import (
    Binding,
    ClassRow,
    FromImport,
    FunctionRow,
    Handover,
    Narrowing,
    Outside,
    ParameterRow,
    ScopeRow,
    StarImport,
    position,
)
from analysis.parsing.facts.tables import Facts
from analysis.parsing.numbering import Numbering

_IMPORTED = frozenset({B.FROM, B.IMPORT})
_DEFINED = frozenset({B.FUNCTION, B.CLASS})
_ASSIGNED = frozenset({B.ASSIGN, B.EXPORT})
ADDING = frozenset(
    {"append", "add", "insert", "setdefault", "register", "connect", "push", "set", "subscribe"}
    | {"add_command", "add_url_rule", "add_handler", "add_route", "add_api_route", "add_listener"}
)
"""Methods that put what they get into something."""
# Longer strings are no names.
_MAX_TEXT = 100
# Longer pools hold data, whose elements say no more than the first few.
MAX_ITEMS = 8

_Handed = tuple[
    tuple[int, int, int, int, int, int, int],
    H,
    int,
    str | None,
    Callable[[], tuple[str | None, str | None]] | None,
]


class FactsBuilder:
    """Gathers rows, keeping names, expressions and lists only once."""

    def __init__(self) -> None:
        self.facts = Facts()
        self._names = Numbering()
        self.name = self._names.__getitem__
        """Returns the index of a name; not a method because it is called for every word."""
        self._expressions: dict[tuple[int, int, int], int] = {}
        self._rows: list[tuple[int, int, int]] = []
        self._pools: dict[tuple[int, ...], int] = {(): 0}
        self._outside: dict[tuple[int, int], int] = {}
        self._reassigned: list[tuple[int, int, int, int, int]] = []
        self._occurrences: list[tuple[int, int, int, int, int, int, int]] = []
        self._handed: list[_Handed] = []
        self.functions: list[FunctionRow] = []
        self.classes: list[ClassRow] = []
        self.block_end = 1 << 30
        """Where the block that is being visited ends; kept by the visitor."""
        self.add_scope(S.MODULE, NONE, NONE)

    def expression(self, kind: int, a: int = NONE, b: int = NONE) -> int:
        """Return the index of an expression."""
        key = (kind, a, b)
        index = self._expressions.get(key)
        if index is None:
            index = self._expressions[key] = len(self._rows)
            self._rows.append(key)
        return index

    def row_of(self, index: int) -> tuple[int, int, int]:
        """Return an expression's row."""
        return self._rows[index] if index >= 0 else (NONE, NONE, NONE)

    def items(self, place: int) -> Sequence[int]:
        """Return a list."""
        return self.facts.pool[place + 1 : place + 1 + self.facts.pool[place]]

    def text_of(self, name: int) -> str:
        """Return a name's text."""
        return self._names.words[name]

    def pool(self, items: Sequence[int], limit: int = MAX_ITEMS) -> int:
        """Return the place of a list; only the first ``limit`` items are kept."""
        key = tuple(items[:limit])
        place = self._pools.get(key)
        if place is None:
            place = self._pools[key] = len(self.facts.pool)
            self.facts.pool.append(len(key))
            self.facts.pool.extend(key)
        return place

    def add_scope(self, kind: S, parent: int, owner: int) -> int:
        """Open a scope and return its index."""
        return self.facts.scopes.append(ScopeRow(kind, parent, owner))

    def declare_outside(self, scope: int, name: int, *, is_global: bool) -> None:
        """Note that ``name`` in ``scope`` means the module's or an outer function's."""
        kind = 0 if is_global else 1
        self._outside[scope, name] = kind
        self.facts.outside.append(Outside(scope, name, kind))

    def bind(
        self,
        scope: int,
        name: int,
        kind: B,
        place: int,
        a: int = NONE,
        b: int = NONE,
        *,
        effective: int = 0,
        eval_scope: int = NONE,
        is_instance: bool = False,
    ) -> None:
        """Note that a name gets a value.

        Args:
            scope: Where it is bound; for an instance attribute the class's scope.
            name: What is bound.
            kind: How.
            place: Where the name stands.
            a: See ``B``.
            b: See ``B``.
            effective: From where on the name has the value; by default from ``place``.
            eval_scope: Where the value is evaluated, if not in ``scope``.
            is_instance: Whether it is an attribute set on an instance.
        """
        evaluated = scope if eval_scope == NONE else eval_scope
        if not is_instance and self._outside:
            scope = self._home(scope, name)
        row = Binding(
            scope,
            name,
            kind,
            place,
            a,
            b,
            evaluated,
            int(is_instance),
            effective or place,
            self.block_end,
        )
        self.facts.bindings.append(row)

    def reassign(self, scope: int, name: int, place: int, value: int) -> None:
        """Note that a name gets a value whose scope is found when all declarations are known."""
        self._reassigned.append((scope, name, place, value, self.block_end))

    def _bind_reassigned(self) -> None:
        """Bind the names that were assigned to without being declared there."""
        facts = self.facts
        keys = zip(facts.bindings.column(0), facts.bindings.column(1), strict=True)
        bound = set(keys)
        rows = list(facts.bindings)
        for scope, name, place, value, block_end in self._reassigned:
            home = scope
            while home >= 0 and (home, name) not in bound:
                home = facts.scopes[home].parent
            if home >= 0:
                row = Binding(home, name, B.ASSIGN, place, value, NONE, scope, 0, place, block_end)
                rows.append(row)
        rows.sort(key=lambda row: row.place)
        facts.bindings.data = array("i", chain.from_iterable(rows))

    def parameter_names(self, function: FunctionRow) -> list[int]:
        """Return the names of a function's parameters, -1 for one that is taken apart."""
        first = function.parameters
        rows = range(first, first + function.parameter_count)
        return [self.facts.parameters[index].name for index in rows]

    def _home(self, scope: int, name: int) -> int:
        """Return the scope that a ``global`` or ``nonlocal`` name belongs to."""
        kind = self._outside.get((scope, name))
        if kind is None:
            return scope
        if kind == 0:
            return 0
        parent = self.facts.scopes[scope].parent
        while parent > 0 and self.facts.scopes[parent].kind != S.FUNCTION:
            parent = self.facts.scopes[parent].parent
        return self._home(parent, name) if parent > 0 else scope

    def occurs(
        self,
        name: int,
        line: int,
        column: int,
        kind: int,
        scope: int,
        reference: int = NONE,
        use: int = U.VALUE,
    ) -> None:
        """Note an identifier in the source."""
        self._occurrences.append((name, line, column, kind, scope, reference, use))

    @property
    def n_occurrences(self) -> int:
        """How many identifiers were noted so far."""
        return len(self._occurrences)

    def text(self, text: str | None) -> int:
        """Return the number of a text that is kept as a label; -1 for none and for long ones."""
        if text is None or len(text) > _MAX_TEXT or "\n" in text or "\r" in text:
            return NONE
        return self.name(text)

    def hand_over(
        self,
        kind: H,
        to: int,
        label: str | None = None,
        at: int = -1,
        later: Callable[[], tuple[str | None, str | None]] | None = None,
    ) -> None:
        """Note that what was named last is handed on.

        Args:
            kind: How.
            to: What gets it.
            label: Under which text.
            at: Which of the identifiers noted so far it is; the last one by default.
            later: Returns label and detail, see ``H``, if they are needed.
        """
        self._handed.append((self._occurrences[at], kind, to, label, later))

    def is_at(self, index: int, kind: O, places: set[int]) -> bool:
        """Return whether an identifier that was noted is of a kind and stands at a place."""
        _, line, column, of_kind, *_ = self._occurrences[index]
        return of_kind == kind and position(line, column) in places

    def hand_over_text(self, row: Handover) -> None:
        """Note a handover that is kept whatever its name is bound to."""
        self.facts.handovers.append(row)

    def _add_handovers(self) -> None:
        """Add what is handed on, as far as the file defines or imports it."""
        if not self._handed:
            return
        bindings = self.facts.bindings
        defined: set[int] = set()
        imported: set[int] = set()
        columns = (bindings.column(number) for number in (1, 2, 4))
        parameters: set[int] = set()
        for name, kind, value in zip(*columns, strict=True):
            if kind in _IMPORTED:
                imported.add(name)
            elif kind == B.PARAMETER:
                parameters.add(name)
            elif kind in _DEFINED or (kind in _ASSIGNED and self._makes(value)):
                defined.add(name)
        for occurrence, kind, to, label, later in self._handed:
            name, line, column, of_kind, scope, reference, _ = occurrence
            root = name if of_kind != O.ATTRIBUTE else self._root(reference)
            is_kept = name in defined or root in imported or of_kind == O.PATH
            if not is_kept and name in parameters and of_kind == O.NAME:
                # A function that puts what it is given into something registers it.
                is_kept = kind == H.STORED or (
                    kind == H.ARGUMENT and self._rows[to][0] == E.ATTRIBUTE
                    and self.text_of(self._rows[to][2]) in ADDING
                )  # fmt: skip
            if is_kept:
                detail = None
                if later is not None:
                    label, detail = later()
                texts = self.text(label), self.text(detail)
                place = position(line, column)
                self.facts.handovers.append(Handover(name, place, kind, to, *texts, scope, line))

    def _makes(self, value: int) -> bool:
        return value != NONE and self._rows[value][0] in (E.FUNCTION, E.CLASS, E.LAMBDA)

    def _root(self, expression: int) -> int:
        """Return the first name of a dotted expression, -1 if it begins with another thing."""
        kind, a, _ = self.row_of(expression)
        while kind == E.ATTRIBUTE:
            kind, a, _ = self.row_of(a)
        return a if kind == E.NAME else NONE

    def add_parameters(self, rows: Sequence[ParameterRow]) -> int:
        """Add a function's parameters and return the first row's index."""
        first = len(self.facts.parameters)
        for row in rows:
            self.facts.parameters.append(row)
        return first

    def from_import(self, module: int, level: int, name: int) -> int:
        """Add a from-import and return its index."""
        return self.facts.from_imports.append(FromImport(module, level, name))

    def star_import(self, module: int, level: int) -> None:
        """Add a star import."""
        self.facts.stars.append(StarImport(module, level))

    def narrow(self, scope: int, expression: int, start: int, end: int, type_: int) -> None:
        """Note that an expression is of a type between two places."""
        if start < end:
            self.facts.narrowings.append(Narrowing(scope, expression, start, end, type_))

    def finish(self) -> Facts:
        """Return the facts; the builder is used up."""
        facts = self.facts
        if self._reassigned:
            self._bind_reassigned()
        self._add_handovers()
        facts.names = self._names.words
        facts.expressions.data.extend(chain.from_iterable(self._rows))
        facts.functions.data.extend(chain.from_iterable(self.functions))
        facts.classes.data.extend(chain.from_iterable(self.classes))
        facts.occurrences.data.extend(chain.from_iterable(sorted(set(self._occurrences))))
        return facts
