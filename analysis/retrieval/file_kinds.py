"""What kind of file a path is, told from the path alone, and how far that kind stands back."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from analysis.parsing.languages import language_of
from analysis.retrieval import weights
from analysis.retrieval.per_generation import PerGeneration
from analysis.workspace.test_files import TEST_FOLDERS, is_test_file, is_test_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.tables import FileTable

# Folders anywhere in a path whose files are aside of the source; names are lower case.
_FOLDERS: dict[str, str] = {
    "examples": "example examples sample samples demo demos tutorial tutorials playground "
    "docs_src cookbook",
    "docs": "doc docs documentation locale locales translations .github .agents",
    "scripts": "script scripts",
    "benchmarks": "bench benches benchmark benchmarks",
    "vendored": "vendor vendored _vendor third_party third-party thirdparty node_modules extern "
    "bower_components",
    "templates": "templates",
    "compat": "compat legacy deprecated old obsolete",
}
_BY_FOLDER = {name: kind for kind, names in _FOLDERS.items() for name in names.split()}
# Folders that are aside only at the top: deeper they are often source.
_TOP: dict[str, str] = {
    "scripts": "tools hack contrib",
    "output": "dist build out",
    "docs": "man site website",
    "vendored": "external deps pods",
    "benchmarks": "perf",
}
_TOP_FOLDERS = {name: kind for kind, names in _TOP.items() for name in names.split()}
_COMPAT_NAME = re.compile(
    r"(?:^|[_.-])(?:compat|legacy|deprecated|shim)s?(?:[_.-]|$)", re.IGNORECASE
)
_PRIVATE = re.compile(r"(?:^|/)(?:_(?!_)[^/]+|internals?)(?:/|\.|$)")
_IN_COMPAT = ("compat", "legacy", "deprecated", "shim")
_PRIVATE_BEGINNINGS = ("_", "internal")
_DECLARATION = re.compile(r"\.(?:d\.[cm]?ts|pyi)$")
_PROSE_TEXT = """
markdown restructuredtext asciidoc text tex org po csv diff
"""
_PROSE = frozenset(_PROSE_TEXT.split())
_DATA_TEXT = """
json yaml toml ini xml html css scss less ignore go.mod make
"""
_DATA = frozenset(_DATA_TEXT.split())
_RECORD = re.compile(
    r"(?:licen[cs]es?|copying|notice|authors|contributors|maintainers|change(?:s|log)|history|news"
    r"|release[-_]?notes|code[-_]of[-_]conduct|security)(?:[._-]|$)",
    re.IGNORECASE,
)

_VERSION_FOLDER = re.compile(r"(?:^|/)v(\d{1,3})(?=/|\.[a-z]+$)")
_OUTPUT = re.compile(r"\.(?:d\.[cm]?ts|[cm]?jsx?)$")
_OUTPUT_ENDINGS = ("js", "jsx", "ts")
_OUTPUT_FOLDERS_TEXT = """
dist lib build out es esm cjs umd output types
"""
_OUTPUT_FOLDERS = frozenset(_OUTPUT_FOLDERS_TEXT.split())
_SOURCES = (".ts", ".tsx", ".mts", ".cts")

FACTORS: Mapping[str, float] = {
    **dict.fromkeys(
        ("tests", "examples", "docs", "scripts", "benchmarks", "vendored", "templates"),
        weights.ASIDE_FACTOR,
    ),
    "data": weights.DATA_FACTOR,
    "output": weights.OUTPUT_FACTOR,
    "declarations": weights.DECLARATION_FACTOR,
    "barrel": weights.BARREL_FACTOR,
    "compat": weights.COMPAT_FACTOR,
    "older": weights.OLDER_FACTOR,
    "private": weights.PRIVATE_FACTOR,
}
_ASIDE = frozenset(kind for kind, factor in FACTORS.items() if factor <= weights.DATA_FACTOR)

# Kinds that are asked for as such; the others are only let in.
_ASKED_FOR = frozenset({"tests", "docs", "examples", "benchmarks"})


def is_record(path: str) -> bool:
    """Return whether a file of documentation explains nothing: licences, lists of changes, CI.

    >>> [is_record(p) for p in ("docs/LICENSE.md", "CHANGES.rst", ".github/ci.yml", "docs/use.md")]
    [True, True, True, False]
    >>> is_record("pkg/history.py")
    False
    """
    if "docs" not in kinds_of(path):
        return False
    name = path.rpartition("/")[2]
    return language_of(name) in _DATA or _RECORD.match(name) is not None


@lru_cache(maxsize=65_536)
def kinds_of(path: str) -> tuple[str, ...]:
    """Return the kinds that a path alone tells, the strongest demotion first.

    >>> kinds_of("tests/test_app.py"), kinds_of("pkg/_internal/core.py"), kinds_of("pkg/app.py")
    (('tests',), ('private',), ())
    """
    # Few folders and names are new: the first question asks this of every file.
    folder, _, name = path.rpartition("/")
    return _strongest_first(_kinds_of_folder(folder) | _kinds_of_name(name))


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class KindTable:
    """The kinds of many files, as far as each path alone tells them."""

    kinds: Sequence[tuple[str, ...]]
    """All that there are."""
    codes: NDArray[np.int32]
    """By file: the number of its kinds in these."""

    def factors(self, asked_for: Collection[str]) -> NDArray[np.float64]:
        """Return how much files of each of the kinds are worth; see ``factor_of``."""
        import numpy as np

        return np.array([factor_of(kinds, asked_for) for kinds in self.kinds], np.float64)


def kind_table(files: FileTable) -> KindTable:
    """Return the kinds of all files, made once for each table of files."""
    return _KIND_TABLES.get(files, lambda: _kind_table(files.paths))


_KIND_TABLES: PerGeneration[KindTable] = PerGeneration()


def _kind_table(paths: Sequence[str]) -> KindTable:
    import numpy as np

    code_of: dict[tuple[frozenset[str], frozenset[str]], int] = {}
    codes: list[int] = []
    for path in paths:
        folder, _, name = path.rpartition("/")
        found = _kinds_of_folder(folder), _kinds_of_name(name)
        codes.append(code_of.setdefault(found, len(code_of)))
    kinds = [_strongest_first(of_folder | of_name) for of_folder, of_name in code_of]
    return KindTable(kinds, np.array(codes, np.int32))


@lru_cache(maxsize=16_384)
def _kinds_of_folder(folder: str) -> frozenset[str]:
    """Return what the folders of a path tell."""
    above, slash, name = folder.rpartition("/")
    if slash:
        return _kinds_of_folder(above) | _kinds_inside(name)
    found = set(_kinds_inside(name))
    if name.lower() in _TOP_FOLDERS:
        found.add(_TOP_FOLDERS[name.lower()])
    if name and is_test_file(f"{name}/"):
        found.add("tests")
    return frozenset(found)


@lru_cache(maxsize=16_384)
def _kinds_inside(folder: str) -> frozenset[str]:
    """Return what the name of a folder tells, wherever it lies."""
    lower = folder.lower()
    kinds = {_BY_FOLDER[lower]} if lower in _BY_FOLDER else set()
    if lower in TEST_FOLDERS:
        kinds.add("tests")
    if folder.startswith(_PRIVATE_BEGINNINGS) and _PRIVATE.search(folder):
        kinds.add("private")
    return frozenset(kinds)


@lru_cache(maxsize=16_384)
def _kinds_of_name(name: str) -> frozenset[str]:
    """Return what a file's name tells, wherever it lies."""
    kinds = {"tests"} if is_test_name(name) else set()
    lower = name.lower()
    # A pattern is asked only where a part of all that it finds is there: the first question of a
    # process asks this of every name.
    if any(part in lower for part in _IN_COMPAT) and _COMPAT_NAME.search(name.rpartition(".")[0]):
        kinds.add("compat")
    if name.startswith(_PRIVATE_BEGINNINGS) and _PRIVATE.search(name):
        kinds.add("private")
    if name.endswith(("ts", "pyi")) and _DECLARATION.search(name):
        kinds.add("declarations")
    language = language_of(name)
    if language in _PROSE:
        kinds.add("docs")
    elif language in _DATA:
        kinds.add("data")
    return frozenset(kinds)


@lru_cache(maxsize=1024)
def _strongest_first(kinds: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(kinds, key=lambda kind: (FACTORS[kind], kind)))


def is_output(path: str, known: Collection[str]) -> bool:
    """Return whether a file was compiled from one that is known too.

    >>> is_output("v4/core/api.js", {"src/v4/core/api.ts"})
    True
    """
    match = _OUTPUT.search(path) if path.endswith(_OUTPUT_ENDINGS) else None
    if not match:
        return False
    stem = path[: match.start()]
    parts = stem.split("/")
    stems = [stem, f"src/{stem}"]
    stems += [
        "/".join([*parts[:i], "src", *parts[i + 1 :]])
        for i, part in enumerate(parts[:-1])
        if part in _OUTPUT_FOLDERS
    ]
    return any(f"{s}{ending}" in known for s in stems for ending in _SOURCES if s + ending != path)


def older_trees(paths: Sequence[str], known: Collection[str]) -> set[str]:
    """Return the paths in an older tree: ``v3/`` beside ``v4/``, ``v1/x`` below a newer ``x``."""
    newest: dict[str, int] = {}
    found: list[tuple[str, str, int]] = []
    for path in paths:
        if "/v" not in path and not (path[:1] == "v" and path[1:2].isdigit()):
            continue  # as most: to look for a part is faster
        for match in _VERSION_FOLDER.finditer(path):
            before = path[: match.start()]
            number = int(match[1])
            newest[before] = max(newest.get(before, 0), number)
            found.append((path, before, number))
            if f"{before}{path[match.end() :]}" in known:
                newest[before] = max(newest[before], number + 1)
    return {path for path, before, number in found if number < newest[before]}


def versions_in(path: str) -> set[int]:
    """Return the versions that the folders of a path name.

    >>> versions_in("src/v4/core/api.ts")
    {4}
    """
    return {int(number) for number in _VERSION_FOLDER.findall(path)}


def factor_of(
    kinds: Iterable[str], asked_for: Collection[str], factors: Mapping[str, float] = FACTORS
) -> float:
    """Return how much a file of these kinds is worth; what is asked for does not stand back.

    Being aside counts once: a test of an example is no further away than a test.
    """
    factor, aside = 1.0, 1.0
    for kind in kinds:
        if kind in asked_for or (kind == "declarations" and "output" in asked_for):
            factor *= weights.ASKED_FACTOR if kind in _ASKED_FOR else 1.0
            continue
        if kind in _ASIDE:
            aside = min(aside, factors[kind])
        else:
            factor *= factors[kind]
    return factor * aside
