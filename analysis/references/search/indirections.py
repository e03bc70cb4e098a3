"""How a definition is reached without being called by its name: each place is resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from posixpath import dirname

from analysis.indirection import Indirection
from analysis.models import Reference
from analysis.parsing.facts.builder import ADDING
from analysis.parsing.facts.codes import B, H, O
from analysis.parsing.facts.rows import Handover, Occurrence, column_of, line_of, position
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import Bound, FunctionValue, ModuleValue
from analysis.references.search import indirect_words as words
from analysis.references.search.dispatch import dispatched
from analysis.references.search.entry_points import entry_points_of
from analysis.references.search.handing_on import PASSING
from analysis.references.search.session import ResolutionSession
from analysis.references.search.stopped import SearchStopped
from analysis.references.search.targets import Target
from analysis.references.search.use_kinds import UseKinds
from analysis.workspace.test_files import is_test_file

# A name that stands in more files says little of one definition.
_MAX_FILES = 200
_ORDER = {
    "route": 0, "entry point": 1, "registration": 2, "event": 3, "string": 4, "injection": 5,
    "table": 6, "list": 7, "attribute": 8, "callback": 9,
    "decorator": 10, "dispatch": 11,
}  # fmt: skip


def indirections_of(
    code: ResolutionSession, target: Target, values: Iterable[Reference] = ()
) -> tuple[Indirection, ...]:
    """Return where a definition is registered, handed over or named by a string.

    What tells most comes first, what is in tests last. A search that is stopped gives what it
    found so far.

    Args:
        code: The code base; its resolver's deadline holds.
        target: The definition.
        values: Uses of it that are known, under any name; those that hand it on are told.
    """
    search = _WaySearch(code, target)
    with suppress(SearchStopped):
        if _is_code(code, target):
            search.run(values)
    return tuple(sorted(dict.fromkeys(search.found), key=_order))


def _is_code(code: ResolutionSession, target: Target) -> bool:
    """Return whether a definition is a function or class, however it is written."""
    kinds = UseKinds(code, target)
    if kinds.is_getter:
        return False
    if kinds.is_made or kinds.is_class:
        return True
    facts = code.unpacked(target.symbol.path)
    rows = facts.bound_in(target.symbol.scope, facts.name_id(target.name))
    return any(facts.bindings[index].kind == B.FUNCTION for index in rows)


def _order(found: Indirection) -> tuple[bool, bool, int, str, int]:
    return found.is_test, not found.sure, _ORDER[found.kind], found.path, found.line


class _WaySearch:
    """One search."""

    def __init__(self, code: ResolutionSession, target: Target) -> None:
        self.found: list[Indirection] = []
        self._code = code
        self._target = target
        self._seen: set[tuple[str, int, int]] = set()

    def run(self, values: Iterable[Reference]) -> None:
        """Look in every file that spells the definition's name, those near it first."""
        target, code = self._target, self._code
        home = target.symbol.path
        self.found += entry_points_of(code, target)
        language = is_script(home)
        paths = [p for p in code.files_with_identifier(target.name) if is_script(p) is language]
        paths.sort(key=lambda path: (path != home, dirname(path) != dirname(home), path))
        for path in paths[:_MAX_FILES]:
            facts = code.unpacked(path)
            for row in facts.handovers_of(facts.name_id(target.name)):
                self._judge(path, facts, row)
        for value in values:
            self._take_known(value)

    def _judge(self, path: str, facts: Facts, row: Handover) -> None:
        place = (path, line_of(row.place), column_of(row.place))
        if row.kind in (H.SENT, H.SETTING):
            return
        if row.kind == H.DECORATED:
            if place in self._target.places:
                self._decorated(path, facts, row)
            return
        occurrence = _occurrence(facts, row)
        if occurrence is None:
            return
        if row.kind == H.NAMED:
            self._named(path, facts, row, occurrence)
            return
        if facts.last_name(row.to) in words.LOOKING:
            return
        symbols = self._code.definitions.of(path, occurrence).symbols
        if self._target.symbol in symbols:
            self._seen.add(place)
            self._note(path, row, words.handed(facts, row), sure=len(symbols) == 1)
            self.found += dispatched(self._code, path, facts, row)

    def _take_known(self, value: Reference) -> None:
        """Take in a use under another name."""
        if (value.path, value.line, value.column) in self._seen:
            return
        facts = self._code.unpacked(value.path)
        place = position(value.line, value.column)
        for row in facts.handovers:
            if row.place == place and row.kind not in (H.DECORATED, H.NAMED, H.SENT, H.SETTING):
                self._note(value.path, row, words.handed(facts, row))
                self.found += dispatched(self._code, value.path, facts, row)

    def _decorated(self, path: str, facts: Facts, row: Handover) -> None:
        if facts.last_name(row.to) not in PASSING:
            self._note(path, row, words.decorated(facts, row, keeps=self._keeps(path, facts, row)))

    def _named(self, path: str, facts: Facts, row: Handover, occurrence: Occurrence) -> None:
        """Take in a string whose module path leads to the definition, and to nothing else."""
        text = facts.names[occurrence.reference]
        module, _, name = text.rpartition(".")
        if name != self._target.name or is_script(path):
            return
        resolver = self._code.resolver
        source = resolver.layout.absolute(module, path)
        if not isinstance(source, ModuleValue) or not resolver.layout.is_whole(module, source):
            return
        found = resolver.names.member(source, name)
        symbols = {self._code.definitions.symbol_of(item) for item in found}
        if symbols == {self._target.symbol}:
            line = self._code.raw_line(path, row.line)
            written = f"{module}:{name}" if f"{module}:{name}" in line else text
            self._note(path, row, words.named_by(facts, row, written))

    def _note(self, path: str, row: Handover, said: words.Words, *, sure: bool = True) -> None:
        source = self._code.enclosing(path, row.scope)
        self.found.append(
            Indirection(said.kind, path, row.line, said.text, source, sure, is_test_file(path))
        )

    def _keeps(self, path: str, facts: Facts, row: Handover) -> bool | None:
        """Return whether a decorator puts what it gets into something; None if it is not known."""
        rows = [o for o in facts.occurrences_of(_last(facts, row.to)) if o.line == row.line]
        symbols = [s for o in rows for s in self._code.definitions.of(path, o).symbols]
        values = self._code.resolver.infer(path, row.scope, row.to, row.place)
        functions = [value.function if isinstance(value, Bound) else value for value in values]
        known = [value for value in functions if isinstance(value, FunctionValue)]
        if not known and not symbols:
            return None
        return any(_puts_away(self._code, function) for function in known)


def _puts_away(code: ResolutionSession, decorator: FunctionValue) -> bool:
    """Return whether a function, or one in it, adds one of its parameters to something."""
    facts = code.unpacked(decorator.path)
    own = {facts.functions[decorator.index].scope}
    for index, scope in enumerate(facts.scopes):
        if scope.parent in own:
            own.add(index)
    given = {
        name
        for row in facts.functions
        if row.scope in own
        for name in _parameters(facts, row.parameters, row.parameter_count)
    }
    for row in facts.handovers:
        if row.scope in own and row.name in given:
            if row.kind == H.STORED:
                return True
            if row.kind == H.ARGUMENT and facts.last_name(row.to) in ADDING:
                return True
    return False


def _parameters(facts: Facts, first: int, count: int) -> Iterator[int]:
    for index in range(first, first + count):
        yield facts.parameters[index].name


def _last(facts: Facts, expression: int) -> int:
    return facts.name_id(facts.last_name(expression))


def _occurrence(facts: Facts, row: Handover) -> Occurrence | None:
    """Return the identifier that is handed on."""
    line, column = line_of(row.place), column_of(row.place)
    kinds = (O.NAME, O.ATTRIBUTE, O.TYPE, O.PATH)
    for occurrence in facts.occurrences_of(row.name):
        if (occurrence.line, occurrence.column) == (line, column) and occurrence.kind in kinds:
            return occurrence
    return None
