"""What some definitions use, and who uses them: resolved, or a guess that is called one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis.index.symbols import SymbolRow
from analysis.models import CodeEdge, SymbolChoice
from analysis.parsing.facts.codes import NONE, B, E, O, U
from analysis.parsing.facts.rows import Occurrence, line_of, position
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.values import SymbolRef
from analysis.references.search.guesses import Guesses, choice_from
from analysis.references.search.session import ResolutionSession
from analysis.references.search.stopped import SearchStopped
from analysis.references.search.targets import Target, target_in
from analysis.references.search.tree_edges import TreeEdges
from analysis.references.search.use_kinds import UseKinds

_CALLING = frozenset({U.CALL, U.NEW, U.ELEMENT, U.DECORATOR, U.THROWN})
_FOLLOWED = _CALLING | {U.READ, U.VALUE, U.ALIAS, U.RAISED}
_KINDS = frozenset({"function", "method", "class", "property"})
# A definition that uses more than this is a table of data.
_MAX_USES = 400


def edges_around(
    code: ResolutionSession,
    sources: Iterable[SymbolChoice],
    targets: Iterable[SymbolChoice] = (),
    paths: Iterable[str] = (),
) -> list[CodeEdge]:
    """Return what definitions use, and what uses others, in order of the sources.

    A search that is stopped gives what it found so far.

    Args:
        code: The code base; its resolver's deadline holds.
        sources: What they use is followed, wherever it is defined.
        targets: Who uses them is looked for in ``paths`` alone.
        paths: Files.
    """
    search = _EdgeSearch(code)
    found: dict[tuple[SymbolChoice, SymbolChoice, int, str], CodeEdge] = {}
    try:
        for edge in (*search.from_all(sources), *search.to_all(targets, paths)):
            found.setdefault((edge.source, edge.target, edge.line, edge.kind), edge)
    except SearchStopped:
        found |= {(e.source, e.target, e.line, e.kind): e for e in search.found}
    return list(found.values())


class _EdgeSearch:
    """Keeps what one search finds out about files and names."""

    def __init__(self, code: ResolutionSession) -> None:
        self.found: list[CodeEdge] = []
        self._code = code
        self._guesses = Guesses(code)
        self._evident = TreeEdges(code, code.trees)
        self._owners: dict[str, dict[int, SymbolChoice]] = {}
        self._targets: dict[SymbolRef, Target | None] = {}
        self._kinds: dict[Target, UseKinds] = {}

    def from_all(self, sources: Iterable[SymbolChoice]) -> list[CodeEdge]:
        """Return the uses in definitions."""
        by_path: dict[str, list[SymbolChoice]] = {}
        for source in sources:
            by_path.setdefault(source.path, []).append(source)
        for path, wanted in by_path.items():
            facts = self._code.unpacked(path)
            if len(facts.occurrences):
                names = {source.qualified_name for source in wanted}
                self.found += self._from_facts(path, facts, names)
            else:
                self.found += self._without_facts(path, wanted)
        return self.found

    def to_all(self, targets: Iterable[SymbolChoice], paths: Iterable[str]) -> list[CodeEdge]:
        """Return the uses of definitions in files."""
        files = list(dict.fromkeys(paths))
        for wanted in targets:
            plain = wanted.qualified_name.rpartition(".")[2]
            for path in files:
                facts = self._code.unpacked(path)
                for row in facts.occurrences_of(facts.name_id(plain)):
                    if row.use in _FOLLOWED:
                        edges = self._edges_at(path, facts, row)
                        self.found += [edge for edge in edges if _is_same(edge.target, wanted)]
                if not len(facts.occurrences):
                    self.found += self._evident.edges_to(path, wanted)
        return self.found

    def _without_facts(self, path: str, wanted: list[SymbolChoice]) -> Iterator[CodeEdge]:
        """Yield the calls that can mean one definition only, and guesses for the others."""
        evident = list(self._evident.edges_from(path, wanted))
        known = {(edge.source, edge.target, edge.line) for edge in evident}
        yield from evident
        for edge in self._guesses.edges_from(path, wanted):
            if (edge.source, edge.target, edge.line) not in known:
                yield edge

    def _from_facts(self, path: str, facts: Facts, wanted: set[str]) -> list[CodeEdge]:
        owners = self._owners_in(path, facts)
        # Overloads share a name; what any of them uses is used by all.
        scopes = {scope for scope, owner in owners.items() if owner.qualified_name in wanted}
        uses, kinds = facts.occurrences.column(6), facts.occurrences.column(3)
        rows: dict[int, list[Occurrence]] = {scope: [] for scope in scopes}
        for index, scope in enumerate(facts.occurrences.column(4)):
            is_use = uses[index] in _FOLLOWED and kinds[index] in (O.NAME, O.ATTRIBUTE)
            around = self._around(facts, owners, scope) if is_use else NONE
            if around in rows:
                rows[around].append(facts.occurrences[index])
        for found in rows.values():
            found.sort(key=lambda row: (row.line, row.column))
        kept = sorted(
            (row for found in rows.values() for row in found[:_MAX_USES]),
            key=lambda row: (row.line, row.column),
        )
        return [edge for row in kept for edge in self._edges_at(path, facts, row)]

    def _edges_at(self, path: str, facts: Facts, row: Occurrence) -> Iterator[CodeEdge]:
        """Yield what one identifier connects."""
        owners = self._owners_in(path, facts)
        source = owners.get(self._around(facts, owners, row.scope))
        if source is None:
            return
        meaning = self._code.definitions.of(path, row)
        found = [target for symbol in meaning.symbols if (target := self._target(symbol))]
        meant = [target for target in found if self._is_code(target)]
        for target in meant:
            if target.choice == source:
                continue
            kind = self._kinds_of(target).name(row.use)
            is_raised = row.use in (U.RAISED, U.THROWN)
            # Of several only one is used at a time.
            is_only = len(meant) == 1
            yield CodeEdge(source, target.choice, row.line, kind, is_raised, resolved=is_only)
        if not meaning.symbols and not meaning.certain and row.use in _CALLING:
            guess = self._guesses.of_unknown(path, facts.names[row.name])
            if guess is not None and guess != source:
                yield CodeEdge(source, guess, row.line, "call", resolved=False)

    def _is_code(self, target: Target) -> bool:
        return target.choice.kind in _KINDS or self._kinds_of(target).is_made

    def _kinds_of(self, target: Target) -> UseKinds:
        if target not in self._kinds:
            self._kinds[target] = UseKinds(self._code, target)
        return self._kinds[target]

    def _target(self, symbol: SymbolRef) -> Target | None:
        if symbol not in self._targets:
            self._targets[symbol] = target_in(self._code, symbol)
        return self._targets[symbol]

    def _around(self, facts: Facts, owners: dict[int, SymbolChoice], scope: int) -> int:
        """Return the scope of the innermost definition around a scope, -1 if there is none."""
        while scope > 0 and scope not in owners:
            scope = facts.scopes[scope].parent
        return scope if scope in owners else NONE

    def _owners_in(self, path: str, facts: Facts) -> dict[int, SymbolChoice]:
        """Return the definitions that a file's outline lists, by their scopes."""
        if path not in self._owners:
            infos = self._code.symbols_in(path)
            places = {position(row.info.name_line, row.info.name_column): row for row in infos}
            owners: dict[int, SymbolChoice] = {}
            bound: set[int] = set()
            for index, place in enumerate(facts.bindings.column(3)):
                row = places.get(place)
                scope = _scope_of(facts, index) if row is not None else NONE
                if row is not None and scope != NONE:
                    owners[scope] = choice_from(row)
                    bound.add(place)
            for place, row in places.items():
                scope = NONE if place in bound else _scope_after(facts, place, row)
                if scope != NONE:
                    owners.setdefault(scope, choice_from(row))
            self._owners[path] = owners
        return self._owners[path]


def _scope_of(facts: Facts, index: int) -> int:
    """Return the scope of the function or class that a binding binds, -1 for anything else."""
    binding = facts.bindings[index]
    if binding.kind == B.FUNCTION:
        return facts.functions[binding.a].scope
    if binding.kind == B.CLASS:
        return facts.classes[binding.a].scope
    value = binding.b if binding.kind == B.ANNOTATED else binding.a
    if binding.kind not in (B.ASSIGN, B.ANNOTATED, B.EXPORT) or value == NONE:
        return NONE
    row = facts.expressions[value]
    if row.kind == E.FUNCTION:
        return facts.functions[row.a].scope
    if row.kind in (E.CLASS, E.OBJECT):
        return facts.classes[row.a].scope
    return row.b if row.kind == E.LAMBDA else NONE


def _scope_after(facts: Facts, place: int, row: SymbolRow) -> int:
    """Return the scope of the function that is made where a member without a home gets it."""
    if row.info.kind not in ("function", "method"):
        return NONE
    after = [item for item in facts.functions if place < item.place]
    first = min(after, key=lambda item: item.place, default=None)
    is_own = first is not None and line_of(first.place) == row.info.name_line
    return first.scope if first is not None and is_own else NONE


def _is_same(one: SymbolChoice, other: SymbolChoice) -> bool:
    """Return whether two are the same definition, or overloads of one."""
    return (one.path, one.qualified_name) == (other.path, other.qualified_name)
