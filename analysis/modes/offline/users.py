"""What depends on a definition, and what is a variant of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import basename
from typing import TYPE_CHECKING

from analysis.documents import CodeView
from analysis.documents.code import definitions, innermost
from analysis.errors import AmbiguousSymbol, NotFound, ToolError
from analysis.models import Candidate, Position, Reference, ReferenceList, UseKind
from analysis.modes.places import CallEdge, EdgeKind, Place, place_of
from analysis.retrieval.families import base_names
from analysis.retrieval.file_kinds import kinds_of
from analysis.retrieval.file_roles import is_aside
from analysis.stopping import Deadline, StopFlag
from analysis.workspace.test_files import TEST_NAME

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
# A definition that can be read as a whole.
_SHORT = 80
_TABLE_FILES = 5
# Lines outside of any definition that are so close belong to one table.
_NEXT_TO = 3
_TEST_FILES = 6
_TEST_S = 0.4
# A list of what a module gives away puts nothing together, and a definition names only itself.
_NO_NAMING = re.compile(
    r"\s*(?:import\b|from\b|\} from\b|__all__\b|export\s*(?:\{|\*)|module\.exports\b)"
)
_DEFINES = re.compile(r"\b(?:def|class|function|func|interface|struct|type|const|let|var)\s+$")


@dataclass(frozen=True, slots=True)
class NamedTogether:
    """A place that names several things of a kind."""

    path: str
    line: int
    """Of the first of them."""
    names: tuple[str, ...]
    around: Place | None
    """The definition that it is in."""

    @property
    def place(self) -> Place:
        """The definition around it if that is short, else the line alone."""
        line = Place(self.path, self.line, self.line)
        around = self.around
        is_short = around is not None and around.line_end - around.line_start < _SHORT
        return around if around is not None and is_short else line


@dataclass(frozen=True, slots=True)
class TestOf:
    """A place in a test."""

    path: str
    line: int
    name: str = ""
    """Of the definition that it is in."""
    proven: bool = False
    """Whether the definition itself is used there, and not only its name spelled."""

    @property
    def said(self) -> str:
        """What it is, as the beginning of a sentence."""
        return "A test that uses it" if self.proven else "A test that spells its name"


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


def variants_of(
    place: Place, index: CodeIndex, code: CodeView, *, aside: bool = False
) -> list[Place]:
    """Return the classes that name a class as their base in their heads, and variants of those.

    What shows best how one is made comes first: not a name alone, no base of others, short. A
    class that is only declared is left out where one of its name is there.

    Args:
        place: A class.
        index: Where names stand.
        code: The code as it is now.
        aside: Whether to look in tests and examples, and not in the code itself.
    """
    found: dict[Place, None] = {}
    bases: set[Place] = set()
    level = [place]
    for _ in range(_LEVELS):
        below = [
            (base, variant) for base in level for variant in _below(base, index, code, aside=aside)
        ]
        bases.update(base for base, _ in below)
        level = [variant for _, variant in below if variant not in found and variant != place]
        found.update(dict.fromkeys(level))
        level = level[:_MOST_BASES]
    declared = {p: "declarations" in kinds_of(p.path) for p in found}
    made = {p.name for p in found if not declared[p]}
    return sorted(
        (p for p in found if not (declared[p] and p.name in made)),
        key=lambda p: (p.line_end - p.line_start < _TELLING, p in bases,
                       p.line_end - p.line_start, p.path, p.line_start),
    )  # fmt: skip


def _below(base: Place, index: CodeIndex, code: CodeView, *, aside: bool) -> Iterator[Place]:
    """Yield the classes that name a class in their heads."""
    info = base.info
    if info is None or info.kind not in _CLASSES:
        return
    paths = [p for p in index.files_with_identifier(info.name) if is_aside(p) is aside]
    for path in paths[:_VARIANT_FILES]:
        for other in code.symbols(path):
            if other.kind in _CLASSES and info.name in base_names(other.signature):
                yield place_of(path, other)


def named_together(
    names: Sequence[str], apart: Sequence[Place], index: CodeIndex, code: CodeView
) -> NamedTogether | None:
    """Return where several things of a kind are named in one place, outside of some definitions.

    That is where they are put together: a table, a list, a factory. It is one definition, or
    lines outside of any that are next to each other.

    Args:
        names: Plain names.
        apart: Definitions that name each other anyway.
        index: Where names stand.
        code: The code as it is now.
    """
    wanted = dict.fromkeys(names)
    files: dict[str, int] = {}
    for name in wanted:
        for path in index.files_with_identifier(name):
            if not is_aside(path):
                files[path] = files.get(path, 0) + 1
    likely = sorted(
        (path for path, n in files.items() if n > 1), key=lambda path: (-files[path], path)
    )
    best: NamedTogether | None = None
    for path in likely[:_TABLE_FILES]:
        for found in _clusters(wanted, path, apart, code):
            if len(found.names) > (len(best.names) if best else 1):
                best = found
    return best


def _clusters(
    names: Iterable[str], path: str, apart: Sequence[Place], code: CodeView
) -> Iterator[NamedTogether]:
    """Yield the runs of a file's lines that name things, each in one place."""
    naming = sorted(
        (number, name)
        for name in names
        for number in _lines_naming(name, path, code)
        if not any(p.path == path and p.line_start <= number <= p.line_end for p in apart)
    )
    run: NamedTogether | None = None
    last = 0
    for number, name in naming:
        info = innermost(code, path, number, number)
        around = place_of(path, info) if info is not None else None
        is_next = run is not None and run.around == around
        if run is not None and is_next and (around is not None or number - last <= _NEXT_TO):
            run = replace(run, names=tuple(dict.fromkeys((*run.names, name))))
        else:
            if run is not None:
                yield run
            run = NamedTogether(path, number, (name,), around)
        last = number
    if run is not None:
        yield run


def test_of(
    place: Place,
    likely: Sequence[Candidate],
    index: CodeIndex,
    access: SmartFileAccess,
    code: CodeView,
    stop: StopFlag,
) -> TestOf | None:
    """Return a test that uses a definition, those that fit the question first.

    If none is proven to, one that spells its name is returned, where only one thing has that name.
    """
    info = place.info
    if info is None:
        return None
    tests = [p for p in index.files_with_identifier(info.name) if "tests" in kinds_of(p)]
    order = {candidate.path: rank for rank, candidate in enumerate(likely)}
    tests.sort(
        key=lambda path: (
            order.get(path, len(order)),
            TEST_NAME.search(basename(path)) is None,
            path,
        )
    )
    at = Position(place.path, info.name_line, info.name_column)
    use = access.first_use(at, info.name, tests[:_TEST_FILES], stop=stop, time_limit_s=_TEST_S)
    if use is not None:
        return TestOf(use.path, use.line, use.enclosing or "", proven=True)
    others = {(p, i.qualified_name) for p, i in code.named(info.name) if not is_aside(p)}
    if info.name.startswith("__") or len(others) > 1:
        return None
    for path in tests[:_TEST_FILES]:
        for line in _lines_naming(info.name, path, code):
            return TestOf(path, line)
    return None


def _lines_naming(name: str, path: str, code: CodeView) -> list[int]:
    from analysis.documents.code import word_pattern

    pattern = word_pattern(name)
    bare = code.bare_lines(path)
    passing = _passing(bare)
    return [
        number
        for number, line in enumerate(bare, 1)
        if (match := pattern.search(line)) is not None
        and number not in passing
        and _DEFINES.search(line[: match.start()]) is None
    ]


def _passing(lines: Sequence[str]) -> set[int]:
    """Return the numbers of the lines that only bring names in, or give them away."""
    found: set[int] = set()
    depth = 0
    for number, line in enumerate(lines, 1):
        if depth > 0 or _NO_NAMING.match(line):
            found.add(number)
            depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
    return found


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
