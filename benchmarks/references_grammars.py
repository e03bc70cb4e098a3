"""References in languages read by grammars, with a language server as the oracle.

    python -m benchmarks.references_grammars go /path/to/folder [--command gopls] [--misses]
    python -m benchmarks.references_grammars c /path/to/folder --command clangd

The folder holds what the server needs to understand the code: for gopls a place below ``GOPATH``,
for clangd a ``compile_commands.json``. Definitions of each kind are drawn at random. The server is
asked what each place means that spells a drawn name. Left out are places in comments, texts and
macros, where servers guess, and those of which the server knows nothing, such as code that is not
compiled here: how many of these were stated is told, as "unknown". Stated is what Scope calls a
use; found with "may" is also what it says may be one.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from analysis.backends.lsp_resolver import LspResolver
from analysis.errors import AmbiguousSymbol, BackendFailed
from analysis.index.code_index import CodeIndex
from analysis.index.symbols import SymbolRow
from analysis.models import Position
from analysis.parsing.comment_spans import comment_spans
from analysis.references.search.finder import ReferenceFinder
from analysis.references.search.session import ResolutionCache
from analysis.settings import IndexSettings, WorkspaceSettings
from analysis.workspace.files import LocalFileBackend
from benchmarks.reference_symbols import SEED

_PER_KIND = 20
# A name that is spelled more often than this says more about the name than about the resolver.
_MAX_PLACES = 250
_ANSWER_LIMIT_S = 30.0
_FAMILY = {"c": ("c", "cpp"), "cpp": ("c", "cpp")}

Place = tuple[str, int, int]


@dataclass
class Score:
    """What was counted for some definitions."""

    definitions: int = 0
    uses: int = 0
    stated: int = 0
    true: int = 0
    found: int = 0
    false_complete: int = 0
    unknown: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def line(self, title: str) -> str:
        """Return the numbers as a row of a table."""
        precision = self.true / self.stated if self.stated else 1.0
        recall = self.found / self.uses if self.uses else 1.0
        share = self.true / self.uses if self.uses else 1.0
        return (
            f"| {title} | {self.definitions} | {self.uses:,} | {self.stated:,} | {precision:.3f} |"
            f" {share:.3f} | {recall:.3f} | {self.false_complete} | {self.unknown} |"
        )


def drawn(index: CodeIndex, languages: tuple[str, ...], per_kind: int) -> list[SymbolRow]:
    """Return definitions of each kind, drawn at random with a fixed seed."""
    by_kind: dict[str, list[SymbolRow]] = {}
    with index.view() as view:
        for path in sorted(view.file_table().paths):
            if view.outline(path).language not in languages or "/vendor/" in f"/{path}":
                continue
            for row in view.symbols_in(path):
                if row.info.name.isidentifier() and len(row.info.name) > 1:
                    by_kind.setdefault(row.info.kind, []).append(row)
    rng = random.Random(SEED)
    return [
        row
        for kind in sorted(by_kind)
        for row in rng.sample(by_kind[kind], min(per_kind, len(by_kind[kind])))
    ]


class Oracle:
    """A language server that is asked what a place means; each place once."""

    def __init__(self, files: LocalFileBackend, language: str, command: list[str]) -> None:
        self._server = LspResolver(files, language, command)
        self._known: dict[Place, frozenset[tuple[str, int]]] = {}

    def meaning(self, place: Place) -> frozenset[tuple[str, int]]:
        """Return the files and lines of what a place means."""
        if place not in self._known:
            try:
                found = self._server.definitions(*place, _ANSWER_LIMIT_S)
            except BackendFailed:
                found = []
            self._known[place] = frozenset((item.path, item.line) for item in found)
        return self._known[place]

    def close(self) -> None:
        """End the server."""
        self._server.close()


def measure(
    root: Path, language: str, command: list[str], per_kind: int
) -> Iterator[tuple[SymbolRow, Score]]:
    """Yield drawn definitions with what was counted for each."""
    languages = _FAMILY.get(language, (language,))
    files = LocalFileBackend(root, WorkspaceSettings())
    with tempfile.TemporaryDirectory() as cache:
        index = CodeIndex.open(files, IndexSettings(cache_dir=cache))
        index.refresh()
        finder = ReferenceFinder(files, lambda: index)
        resolution = ResolutionCache(files, lambda: index)
        oracle = Oracle(files, language, command)
        for row in drawn(index, languages, per_kind):
            places = [
                (path, line, column)
                for path, line, column in index.occurrences(row.info.name, None)
                if index_language(path) in languages
                and not is_left_out(files, path)
                and (line, column) not in guessed(files, path)
            ]
            if len(places) <= _MAX_PLACES:
                score = _scored(index, finder, resolution, oracle, row, places)
                if score is not None:
                    yield row, score
        oracle.close()
        index.close()


def index_language(path: str) -> str:
    """Return the language of a file."""
    from analysis.parsing.languages import language_of

    return language_of(path)


def is_left_out(files: LocalFileBackend, path: str) -> bool:
    """Return whether a server does not read a file, since it is not part of the program."""
    if path.endswith((".c", ".cc", ".cpp")) and (compiled := _compiled(files.root)):
        return path not in compiled
    head = files.read(path).text[:4000]
    return re.search(r"^//\s*(?:go:build|\+build)", head, re.MULTILINE) is not None


@cache
def guessed(files: LocalFileBackend, path: str) -> Guessed:
    """Return the places of a file at which servers guess."""
    return Guessed(path, files.read(path).text)


class Guessed:
    """Comments, texts and macros of a file."""

    def __init__(self, path: str, text: str) -> None:
        spans = [*comment_spans(index_language(path), text)]
        spans += [m.span() for m in re.finditer(r"\"(?:\\.|[^\"\\\n])*\"|`[^`]*`", text)]
        spans += [m.span() for m in re.finditer(r"(?m)^[ \t]*#[ \t]*(?:\\\n|[^\n])*", text)]
        self._spans = spans
        self._starts = [0, *(m.end() for m in re.finditer("\n", text))]

    def __contains__(self, place: tuple[int, int]) -> bool:
        at = self._starts[place[0] - 1] + place[1]
        return any(start <= at < end for start, end in self._spans)


@cache
def _compiled(root: Path) -> frozenset[str]:
    """Return the sources that are compiled, none if nobody says."""
    try:
        commands = json.loads((root / "compile_commands.json").read_text("utf-8"))
    except OSError:
        return frozenset()
    found = (Path(item["directory"]) / item["file"] for item in commands)
    return frozenset(path.resolve().relative_to(root).as_posix() for path in found)


def _scored(
    index: CodeIndex,
    finder: ReferenceFinder,
    resolution: ResolutionCache,
    oracle: Oracle,
    row: SymbolRow,
    places: list[Place],
) -> Score | None:
    own = (row.path, row.info.name_line, row.info.name_column)
    at = Position(*own)
    # A server leads from a definition to its declarations, and from there back.
    with resolution.open() as code:
        rows = [other for target in code.trees.targets_at(at) for other in target.rows]
    same = {(other.path, other.info.name_line) for other in (row, *rows)} | oracle.meaning(own)
    # Who makes an object of C++ names its class; servers lead to the constructor.
    constructor = f"{row.info.qualified_name}.{row.info.name}"
    for other in index.symbols_named(row.info.name):
        is_cpp = index_language(row.path) in _FAMILY["cpp"]
        if other.info.qualified_name == constructor and is_cpp:
            same = same | {(other.path, other.info.name_line)}
    try:
        found = finder.find(row.info.name, at=at)
    except AmbiguousSymbol:
        return None
    if found is None:
        return None
    stated = {(r.path, r.line, r.column) for r in found.references} & set(places)
    may = {(r.path, r.line, r.column) for r in found.unverified}
    uses = {
        place
        for place in places
        if place != own
        and (meaning := oracle.meaning(place))
        and (place[0], place[1]) not in same
        and meaning & same
    }
    stated = {place for place in stated if (place[0], place[1]) not in same}
    unknown = {place for place in stated if not oracle.meaning(place)}
    stated -= unknown
    score = Score(1, len(uses), len(stated), len(stated & uses), len(uses & (stated | may)))
    score.unknown = len(unknown)
    score.false_complete = int(found.complete and not uses <= stated)
    score.wrong = [f"{p}:{line}:{column}" for p, line, column in sorted(stated - uses)]
    score.missed = [f"{p}:{line}:{column}" for p, line, column in sorted(uses - stated - may)]
    score.open = [f"{p}:{line}:{column}" for p, line, column in sorted(uses & may)]
    return score


def main() -> None:
    """Print a table, a row a kind of definition."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--command", default="gopls")
    parser.add_argument("--per-kind", type=int, default=_PER_KIND)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    totals: dict[str, Score] = {}
    problems: Counter[str] = Counter()
    command = options.command.split()
    for row, score in measure(
        options.folder.resolve(), options.language, command, options.per_kind
    ):
        for key in (row.info.kind, "all"):
            total = totals.setdefault(key, Score())
            total.definitions += 1
            for name in ("uses", "stated", "true", "found", "false_complete", "unknown"):
                setattr(total, name, getattr(total, name) + getattr(score, name))
        where = f"{row.path}:{row.info.name_line} {row.info.qualified_name}"
        for word, places in (
            ("wrong", score.wrong),
            ("missed", score.missed),
            ("open", score.open),
        ):
            problems[word] += len(places)
            if options.misses and places:
                print(f"{word}: {where}: {' '.join(places[:6])}")
    print(
        "| | definitions | uses | stated | precision | stated of uses | with may"
        " | false complete | unknown |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for key in sorted(totals, key=lambda item: item == "all"):
        print(totals[key].line(key))


if __name__ == "__main__":
    main()
