"""The uses of a definition: each candidate is judged, and what was not judged is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from posixpath import basename, dirname

from analysis.models import Reference, ReferenceList
from analysis.parsing.facts.codes import B, E, O
from analysis.parsing.facts.rows import Occurrence
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import is_script
from analysis.references.search.session import ResolutionSession
from analysis.references.search.stopped import SearchStopped
from analysis.references.search.targets import Target, definition_behind, is_below, space_of
from analysis.stopping import StopReason


@dataclass(slots=True)
class Uses:
    """What a search found so far."""

    verified: list[Reference] = field(default_factory=list)
    unverified: list[Reference] = field(default_factory=list)
    scopes: dict[tuple[str, int, int], int] = field(default_factory=dict)
    """The scope in which each use stands."""
    stopped_by: StopReason | None = None

    def add(self, code: ResolutionSession, path: str, row: Occurrence, *, verified: bool) -> None:
        """Take in a use."""
        use = reference_at(code, path, row)
        self.scopes[path, row.line, row.column] = row.scope
        (self.verified if verified else self.unverified).append(use)

    def as_list(self, target: Target, answered_by: str) -> ReferenceList:
        """Return the uses, in order of path and place, with a word on their completeness."""
        return ReferenceList(
            symbol=target.choice.qualified_name,
            definition=target.choice,
            references=tuple(sorted(self.verified, key=_place)),
            unverified=tuple(sorted(self.unverified, key=_place)),
            complete=not self.unverified and self.stopped_by is None,
            at_least=len(self.verified),
            stopped_by=self.stopped_by,
            answered_by=answered_by,
        )


def uses_of(code: ResolutionSession, target: Target, within: str | None = None) -> Uses:
    """Return the uses of a definition, in the files below ``within`` or everywhere.

    The files near the definition are searched first, so that a search that is stopped has the
    most telling ones. What was found is remembered while the code is as it is: the call graph
    asks about the same functions again. Do not change it.
    """
    known = code.answers.get((target, within))
    if known is not None:
        return known
    uses = Uses()
    renamed: dict[str, None] = {}
    try:
        for path in _candidate_files(code, target, within):
            renamed |= dict.fromkeys(_search_file(code, path, target, uses))
        for name in list(renamed):
            _search_renamed(code, name, target, within, uses)
    except SearchStopped as stopped:
        uses.stopped_by = stopped.reason
    else:
        code.remember(target, within, uses)
    return uses


def _search_file(code: ResolutionSession, path: str, target: Target, uses: Uses) -> set[str]:
    """Judge every place in a file that spells the name; return names it is exported under."""
    facts = code.unpacked(path)
    aliases: set[int] = set()
    evidence = code.resolver.evidence
    for occurrence in facts.occurrences_of(facts.name_id(target.name)):
        if (path, occurrence.line, occurrence.column) in target.places:
            continue
        if target.space is not None and space_of(path, occurrence) not in (None, target.space):
            continue
        meaning = code.homes.of(path, occurrence)
        if code.resolver.relations.is_meant(target.home, target.name, meaning.homes):
            uses.add(code, path, occurrence, verified=True)
            aliases |= _aliases(facts, occurrence)
        elif not meaning.certain and not evidence.excludes(
            path, occurrence, target.home, target.name
        ):
            uses.add(code, path, occurrence, verified=False)
    if path == target.home.path and target.home.scope == 0:
        aliases |= _exported_as(facts, facts.name_id(target.name))
    for alias in aliases:
        _search_alias(code, path, alias, target, uses)
    if len(facts.lost):
        uses.unverified += _in_lost_lines(code, path, target.name)
    return {facts.names[alias] for alias in aliases if facts.bound_in(0, alias)}


def _search_renamed(
    code: ResolutionSession, name: str, target: Target, within: str | None, uses: Uses
) -> None:
    """Take in the uses of a name that another module gave the definition."""
    if name == "default":
        stem = basename(target.home.path).split(".")[0]
        paths = code.files_with_identifier(stem if stem != "index" else "from")
    else:
        paths = code.files_with_identifier(name)
    for path in paths:
        if not is_below(path, within):
            continue
        facts = code.unpacked(path)
        if name != "default":
            _search_alias(code, path, facts.name_id(name), target, uses)
            continue
        for binding in facts.bindings:
            if binding.kind == B.FROM:
                row = facts.from_imports[binding.a]
                if facts.names[row.name] == "default":
                    _search_alias(code, path, binding.name, target, uses)


def _search_alias(
    code: ResolutionSession, path: str, alias: int, target: Target, uses: Uses
) -> None:
    """Take in the uses of another name for the definition in a file."""
    for occurrence in code.unpacked(path).occurrences_of(alias):
        place = (path, occurrence.line, occurrence.column)
        if place in uses.scopes or target.home not in code.homes.of(path, occurrence).homes:
            continue
        meant = definition_behind(code, path, occurrence, target.home)
        if meant is None or meant.name == target.name:
            uses.add(code, path, occurrence, verified=True)


def _aliases(facts: Facts, occurrence: Occurrence) -> set[int]:
    """Return the names that a from-import gives to what it imports, its own left out."""
    if occurrence.kind != O.FROM:
        return set()
    return {
        binding.name
        for binding in facts.bindings
        if binding.kind == B.FROM
        and binding.a == occurrence.reference
        and binding.name != occurrence.name
    }


def _exported_as(facts: Facts, name: int) -> set[int]:
    """Return the names under which ``export { name as other }`` gives a name away."""
    return {
        binding.name
        for binding in facts.bindings
        if binding.kind == B.EXPORT
        and binding.a >= 0
        and facts.expressions[binding.a][:2] == (E.NAME, name)
        and binding.name != name
    }


def _candidate_files(code: ResolutionSession, target: Target, within: str | None) -> list[str]:
    """Return the files to search, those near the definition first."""
    home = target.home.path
    language = is_script(home)
    paths = [
        path
        for path in code.files_with_identifier(target.name)
        if is_below(path, within) and is_script(path) is language
    ]
    return sorted(paths, key=lambda path: (path != home, dirname(path) != dirname(home)))


def reference_at(code: ResolutionSession, path: str, occurrence: Occurrence) -> Reference:
    """Return an identifier as a use, with its line and what is around it."""
    return Reference(
        path=path,
        line=occurrence.line,
        column=occurrence.column,
        context=code.line(path, occurrence.line),
        enclosing=code.enclosing(path, occurrence.scope),
    )


def _in_lost_lines(code: ResolutionSession, path: str, name: str) -> Iterator[Reference]:
    """Yield the places that spell the name in lines that could not be parsed."""
    lost = [(row.start, row.end) for row in code.unpacked(path).lost]
    for line, column in code.spelled(path, name):
        if any(start <= line <= end for start, end in lost):
            yield Reference(path, line, column, code.line(path, line))


def _place(reference: Reference) -> tuple[str, int, int]:
    return reference.path, reference.line, reference.column
