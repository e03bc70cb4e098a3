"""What depends on a definition, and what is a variant of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from analysis.documents import CodeView
from analysis.documents.code import definitions
from analysis.errors import AmbiguousSymbol, NotFound, ToolError
from analysis.models import Candidate, Position, Reference, ReferenceList, UseKind
from analysis.modes.places import CallEdge, EdgeKind, Place, place_of
from analysis.retrieval.families import base_names
from analysis.retrieval.file_kinds import kinds_of
from analysis.retrieval.file_roles import is_aside
from analysis.stopping import Deadline, StopFlag

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex

# An answer does not wait longer for who uses what it begins with.
_TIME_S = 1.5
_KINDS: Mapping[UseKind, EdgeKind] = {
    "call": "calls", "element": "calls", "decorator": "calls", "construction": "creates",
}  # fmt: skip
# Where something is only brought in or out, nothing is done with it yet.
_PASSING = frozenset({"import", "export", "definition", "key"})
_CLASSES = frozenset({"class", "interface"})
_VARIANT_FILES = 80
# Variants of variants are looked for, of so many.
_LEVELS = 2
_MOST_BASES = 6
# A class of fewer lines is only another name.
_TELLING = 3
# A list of what a module gives away puts nothing together, and a definition names only itself.
_NO_NAMING = re.compile(
    r"\s*(?:import\b|from\b|\} from\b|__all__\b|export\s*(?:\{|\*)|module\.exports\b)"
)
_DEFINES = re.compile(r"\b(?:def|class|function|func|interface|struct|type|const|let|var)\s+$")


def users_of(
    place: Place, access: SmartFileAccess, code: CodeView, stop: StopFlag
) -> tuple[list[CallEdge], bool]:
    """Return who uses a definition, an edge a user, and whether these are all.

    Uses that were resolved come first, then those in tests and beside the code.
    """
    info = place.info
    if info is None:
        return [], False
    at = Position(place.path, info.name_line, info.name_column)
    try:
        found = access.find_references(info.name, at=at, stop=Deadline(_TIME_S, stop))
    except (AmbiguousSymbol, NotFound, ToolError):
        return [], False
    return edges_of(found, place, code), found.complete and not found.unverified


def edges_of(found: ReferenceList, place: Place, code: CodeView) -> list[CallEdge]:
    """Return the uses of a definition as edges, one a user; see ``users_of``."""
    edges: dict[Place, CallEdge] = {}
    for resolved, uses in ((True, found.references), (False, found.unverified)):
        for use in uses:
            edge = _edge(use, place, code, resolved=resolved)
            if edge is None:
                continue
            known = edges.get(edge.source)
            if known is None or (known.resolved == resolved and _worth(edge) < _worth(known)):
                edges[edge.source] = edge
    return sorted(edges.values(), key=_order)


def variants_of(place: Place, index: CodeIndex, code: CodeView) -> list[Place]:
    """Return the classes that name a class as their base in their heads, and variants of those.

    What shows best how one is made comes first: not a name alone, no base of others, short.
    """
    found: dict[Place, None] = {}
    bases: set[Place] = set()
    level = [place]
    for _ in range(_LEVELS):
        below = [(base, variant) for base in level for variant in _below(base, index, code)]
        bases.update(base for base, _ in below)
        level = [variant for _, variant in below if variant not in found and variant != place]
        found.update(dict.fromkeys(level))
        level = level[:_MOST_BASES]
    return sorted(
        found,
        key=lambda p: (p.line_end - p.line_start < _TELLING, p in bases,
                       p.line_end - p.line_start, p.path, p.line_start),
    )  # fmt: skip


def _below(base: Place, index: CodeIndex, code: CodeView) -> Iterator[Place]:
    """Yield the classes that name a class in their heads."""
    info = base.info
    if info is None or info.kind not in _CLASSES:
        return
    paths = [path for path in index.files_with_identifier(info.name) if not is_aside(path)]
    for path in paths[:_VARIANT_FILES]:
        for other in code.symbols(path):
            if other.kind in _CLASSES and info.name in base_names(other.signature):
                yield place_of(path, other)


def named_together(
    names: Sequence[str], apart: Sequence[Place], index: CodeIndex, code: CodeView
) -> tuple[str, int] | None:
    """Return the line outside of some definitions that names a thing where others are named too.

    That is where things of a kind are put together: a table, a list, a factory.

    Args:
        names: Plain names; the first must be named there, or one of the others.
        apart: Definitions that name each other anyway.
        index: Where names stand.
        code: The code as it is now.
    """
    files: dict[str, int] = {}
    for name in names:
        for path in index.files_with_identifier(name):
            if not is_aside(path):
                files[path] = files.get(path, 0) + 1
    best = sorted(
        (path for path, n in files.items() if n > 1), key=lambda path: (-files[path], path)
    )
    for path in best[:5]:
        lines = [
            number
            for name in names
            for number in _lines_naming(name, path, code)
            if not any(p.path == path and p.line_start <= number <= p.line_end for p in apart)
        ]
        if len(lines) > 1:
            return path, lines[0]
    return None


def test_of(
    place: Place, likely: Sequence[Candidate], index: CodeIndex, code: CodeView
) -> tuple[str, int] | None:
    """Return path and line of a test that names a definition, those that fit the question first."""
    name = place.info.name if place.info else ""
    if not name:
        return None
    tests = [p for p in index.files_with_identifier(name) if "tests" in kinds_of(p)]
    order = {candidate.path: rank for rank, candidate in enumerate(likely)}
    for path in sorted(tests, key=lambda path: (order.get(path, len(order)), path))[:3]:
        for line in _lines_naming(name, path, code):
            return path, line
    return None


def _lines_naming(name: str, path: str, code: CodeView) -> list[int]:
    from analysis.documents.code import word_pattern

    pattern = word_pattern(name)
    bare = code.bare_lines(path)
    return [
        number
        for number, line in enumerate(bare, 1)
        if (match := pattern.search(line)) is not None
        and _NO_NAMING.match(line) is None
        and _DEFINES.search(line[: match.start()]) is None
    ]


def _edge(use: Reference, place: Place, code: CodeView, *, resolved: bool) -> CallEdge | None:
    if use.kind in _PASSING or use.unlikely:
        return None
    kind = _KINDS.get(use.kind, "uses")
    source = _around(use, code)
    if source is None or source == place or _is_within(source, place):
        return None
    return CallEdge(source, place, use.line, kind, resolved)


def _around(use: Reference, code: CodeView) -> Place | None:
    """Return the definition around a use, the line alone outside of any."""
    for info in definitions(code, use.path, use.enclosing) if use.enclosing else ():
        if info.decorated_line <= use.line <= info.line_end:
            return place_of(use.path, info)
    return Place(use.path, use.line, use.line)


def _is_within(source: Place, place: Place) -> bool:
    return (
        source.path == place.path
        and place.line_start <= source.line_start
        and source.line_end <= place.line_end
    )


def _worth(edge: CallEdge) -> tuple[bool, int]:
    return edge.kind == "uses", edge.line


def _order(edge: CallEdge) -> tuple[bool, bool, bool, str, int]:
    source = edge.source
    return is_aside(source.path), not edge.resolved, source.info is None, source.path, edge.line
