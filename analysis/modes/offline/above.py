"""What acts above the way through the code: who calls its steps, wherever that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from analysis.documents import CodeView
from analysis.documents.code import innermost
from analysis.models import SymbolChoice
from analysis.modes.offline.code_places import choice_of_place, has_facts
from analysis.modes.places import CallEdge, Place, place_of
from analysis.retrieval.file_roles import is_aside

if TYPE_CHECKING:
    from analysis.index.code_index import CodeIndex
    from analysis.modes.offline.edges import EdgeFinder

# Of a name that stands in more files the nearest are looked at.
_FILES = 24
# Where only names tell, so many definitions that spell one are read for calls of it.
_SPELLING = 24


class Above:
    """Looks for callers of steps in all files that spell their names."""

    def __init__(self, index: CodeIndex, code: CodeView, file_worth: Mapping[str, float]) -> None:
        self._index = index
        self._code = code
        self._file_worth = file_worth

    def look(self, steps: Sequence[Place], finder: EdgeFinder) -> None:
        """Find who uses some definitions, and add the files of those."""
        paths: dict[str, None] = {}
        sources: list[SymbolChoice] = []
        for step in steps:
            choice = choice_of_place(step)
            if choice is None:
                continue
            plain = choice.qualified_name.rpartition(".")[2]
            near = self._files(plain, step)
            paths.update(dict.fromkeys(near))
            sources += self._spelling(plain, [path for path in near if not has_facts(path)])
        finder.follow_up(steps, list(paths), list(dict.fromkeys(sources))[:_SPELLING])

    def _files(self, name: str, step: Place) -> list[str]:
        """Return the files of the code itself that spell a name, the likeliest first."""
        folder = step.path.rpartition("/")[0]
        found = [path for path in self._index.files_with_identifier(name) if not is_aside(path)]
        found.sort(
            key=lambda path: (
                path != step.path,
                -self._file_worth.get(path, 0.0),
                not path.startswith(folder),
                path,
            )
        )
        return found[:_FILES]

    def _spelling(self, name: str, paths: Sequence[str]) -> Iterator[SymbolChoice]:
        """Yield the definitions in some files that spell a name."""
        for path, line, _ in self._index.occurrences(name, paths) if paths else ():
            info = innermost(self._code, path, line, line)
            choice = choice_of_place(place_of(path, info)) if info is not None else None
            if choice is not None and info is not None and info.name != name:
                yield choice


def callers_of(
    steps: Sequence[Place], edges: Iterable[CallEdge], scores: Mapping[Place, float]
) -> list[CallEdge]:
    """Return who acts on some steps from outside of them, one edge a caller, best first.

    What is resolved goes before what is only named so; a call before a mention.
    """
    shown = set(steps)
    best: dict[Place, CallEdge] = {}
    for edge in edges:
        if edge.target not in shown or edge.source in shown or edge.source.is_within(shown):
            continue
        if edge.kind == "raises" or is_aside(edge.source.path):
            continue
        known = best.get(edge.source)
        if known is None or _order(edge, steps) < _order(known, steps):
            best[edge.source] = edge
    return sorted(
        best.values(),
        key=lambda edge: (
            steps.index(edge.target) > 0,
            not edge.resolved,
            edge.kind == "uses",
            -scores.get(edge.source, 0.0),
            edge.source.path,
            edge.line,
        ),
    )


def _order(edge: CallEdge, steps: Sequence[Place]) -> tuple[int, bool, bool]:
    return steps.index(edge.target), not edge.resolved, edge.kind == "uses"
