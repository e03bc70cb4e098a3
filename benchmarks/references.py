"""Who finds the uses of a symbol: Scope, name matching, Jedi and ty, with pyright as the oracle.

    python -m benchmarks.references [CORPUS ...] [--by ours,names,jedi,ty] [--misses]

Each pair of corpus and method runs in a process of its own, so that memory and first latencies
are its own. The oracle's answers come from ``benchmarks.reference_oracle``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.reference_oracle import CORPORA, DATA, LAYOUT, ORACLES, PYTHON, load

JUDGED = ORACLES / "reference_judgements.json.gz"
# Jedi takes up to 18 s for a symbol of Django: enough of them to see, not all.
_JEDI_SYMBOLS = 10

Place = tuple[str, int, int]


@dataclass
class Found:
    """What a method says about one symbol."""

    verified: set[Place] = field(default_factory=set)
    unverified: set[Place] = field(default_factory=set)
    complete: bool = False
    error: str = ""
    aliased: set[Place] = field(default_factory=set)
    """Uses under names that an assignment gave; few oracles follow those."""


Method = Callable[[dict[str, Any]], Found]


@contextmanager
def ours(root: Path) -> Iterator[Method]:
    """Scope: the index, the resolver, nothing else."""
    from analysis.index.code_index import CodeIndex
    from analysis.models import Position
    from analysis.references.search.finder import ReferenceFinder
    from analysis.references.search.session import ResolutionCache
    from analysis.references.search.targets import targets_at
    from analysis.settings import IndexSettings, WorkspaceSettings
    from analysis.workspace.files import LocalFileBackend

    files = LocalFileBackend(root, WorkspaceSettings())
    index = CodeIndex.open(files, IndexSettings(cache_dir=str(DATA / "cache")))
    index.refresh()
    finder = ReferenceFinder(files, lambda: index)
    resolution = ResolutionCache(files, lambda: index)

    def find(symbol: dict[str, Any]) -> Found:
        at = Position(symbol["path"], symbol["line"], symbol["column"])
        found = finder.find(symbol["name"], at=at)
        if found is None:
            return Found(error="no definition")
        definition = {(symbol["path"], symbol["line"], symbol["column"])}
        # All overloads are the definition, none of them a use.
        with resolution.open() as code:
            for target in targets_at(code, at, symbol["name"]):
                definition |= target.places
        return Found(
            {(r.path, r.line, r.column) for r in found.references if not r.alias} | definition,
            {(r.path, r.line, r.column) for r in found.unverified},
            found.complete,
            aliased={(r.path, r.line, r.column) for r in found.references if r.alias},
        )

    yield find
    index.close()


@contextmanager
def names(root: Path) -> Iterator[Method]:
    """Every place in a Python file that spells the name."""
    from analysis.index.code_index import CodeIndex
    from analysis.settings import IndexSettings, WorkspaceSettings
    from analysis.workspace.files import LocalFileBackend

    files = LocalFileBackend(root, WorkspaceSettings())
    index = CodeIndex.open(files, IndexSettings(cache_dir=str(DATA / "cache")))
    index.refresh()

    def find(symbol: dict[str, Any]) -> Found:
        places = index.occurrences(symbol["name"])
        return Found({place for place in places if place[0].endswith(".py")}, complete=True)

    yield find
    index.close()


@contextmanager
def jedi(root: Path) -> Iterator[Method]:
    """Jedi's own references over the project."""
    import jedi as library

    project = library.Project(root, load_unsafe_extensions=False)

    def find(symbol: dict[str, Any]) -> Found:
        script = library.Script(path=root / symbol["path"], project=project)
        try:
            found = script.get_references(symbol["line"], symbol["column"], scope="project")
        except Exception as error:
            return Found(error=repr(error))
        inside = [
            name for name in found if name.module_path and name.module_path.is_relative_to(root)
        ]
        return Found(
            {(n.module_path.relative_to(root).as_posix(), n.line, n.column) for n in inside}
        )

    yield find


@contextmanager
def ty(root: Path) -> Iterator[Method]:
    """Ty's language server."""
    from benchmarks.reference_oracle import ask, start_ty
    from benchmarks.reference_symbols import Symbol

    server = start_ty(root)

    def find(symbol: dict[str, Any]) -> Found:
        keys = ("path", "name", "qualified_name", "kind", "line", "column")
        places = ask(server, root, Symbol(**{key: symbol[key] for key in keys}), 120)
        return Found({(path, line, column) for path, line, column in places})

    yield find
    server.kill()


METHODS = {"ours": ours, "names": names, "jedi": jedi, "ty": ty}


def judgements() -> dict[str, dict[str, str]]:
    """Return what the oracle says of uses that only Scope found, by corpus and place."""
    if not JUDGED.is_file():
        return {}
    with gzip.open(JUDGED, "rt") as file:
        return dict(json.load(file))


def measure(corpus: str, method: str) -> list[dict[str, Any]]:
    """Ask about each symbol twice and return rows of counts and times."""
    root = (CORPORA / LAYOUT[corpus][0]).resolve()
    symbols = [{**symbol, "corpus": LAYOUT[corpus][0]} for symbol in load(corpus)]
    if method == "jedi":
        symbols = symbols[:: max(1, len(symbols) // _JEDI_SYMBOLS)]
    rows = []
    with METHODS[method](root) as find:
        for symbol in symbols:
            started = time.perf_counter()
            found = find(symbol)
            first_s = time.perf_counter() - started
            started = time.perf_counter()
            if method != "jedi":
                found = find(symbol)
            rows.append(_row(symbol, found, first_s, time.perf_counter() - started))
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [{**row, "memory_mb": memory_mb} for row in rows]


def _row(symbol: dict[str, Any], found: Found, first_s: float, warm_s: float) -> dict[str, Any]:
    oracle = {(path, line, column) for path, line, column in symbol["places"]}
    oracle -= _other_definitions(symbol, oracle - found.verified)
    everything = found.verified | found.unverified
    return {
        "symbol": symbol["qualified_name"],
        "path": symbol["path"],
        "kind": symbol["kind"],
        "oracle": len(oracle),
        "right": len(found.verified & oracle),
        "wrong": sorted(found.verified - oracle),
        "missed": sorted(oracle - found.verified),
        "lost": sorted(oracle - everything),
        "unverified": len(found.unverified),
        "exact": found.verified == oracle,
        "complete": found.complete,
        "error": found.error,
        "first_s": first_s,
        "warm_s": warm_s,
    }


def _other_definitions(symbol: dict[str, Any], places: set[Place]) -> set[Place]:
    """Return the places of overloads and setters: definitions of the symbol, not uses."""
    root = (CORPORA / symbol["corpus"]).resolve()
    lines = (root / symbol["path"]).read_text("utf-8").split("\n")
    return {
        (path, line, column)
        for path, line, column in places
        if path == symbol["path"]
        and re.match(r"\s*(async\s+)?(def|class|(export\s+)?function)\b", lines[line - 1])
        and lines[line - 1].startswith(symbol["name"], column)
    }


def summary(rows: list[dict[str, Any]], judged: dict[str, str]) -> dict[str, Any]:
    """Return precision, recall and their kin over rows."""
    right = sum(row["right"] for row in rows)
    wrong = [place for row in rows for place in row["wrong"]]
    words = [judged.get(f"{path}:{line}:{column}", "other") for path, line, column in wrong]
    missed = sum(len(row["missed"]) for row in rows)
    lost = sum(len(row["lost"]) for row in rows)
    unverified = sum(row["unverified"] for row in rows)
    return {
        "n": len(rows),
        "P": right / max(right + len(wrong), 1),
        "P of opinions": (right + words.count("same"))
        / max(right + len(wrong) - words.count("none"), 1),
        "no opinion": words.count("none"),
        "R": right / max(right + missed, 1),
        "R+unv": (right + missed - lost) / max(right + missed, 1),
        "exact": sum(row["exact"] for row in rows) / max(len(rows), 1),
        "complete": sum(row["complete"] for row in rows) / max(len(rows), 1),
        "unv/ver": unverified / max(right, 1),
        "first p50": percentile([row["first_s"] for row in rows], 0.5) * 1000,
        "first p95": percentile([row["first_s"] for row in rows], 0.95) * 1000,
        "warm p50": percentile([row["warm_s"] for row in rows], 0.5) * 1000,
        "warm p95": percentile([row["warm_s"] for row in rows], 0.95) * 1000,
        "MB": max((row["memory_mb"] for row in rows), default=0),
    }


def percentile(values: list[float], share: float) -> float:
    """Return the value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def show(title: str, rows: list[dict[str, Any]], judged: dict[str, str]) -> None:
    """Print one line of the table."""
    numbers = summary(rows, judged)
    cells = [f"{title:26}", f"n={numbers.pop('n'):3}"]
    for name, value in numbers.items():
        form = ".0f" if name in ("MB", "no opinion") else ".1f" if "p" in name[-3:] else ".3f"
        cells.append(f"{name} {value:{form}}")
    print("  ".join(cells))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*")
    parser.add_argument("--by", default="ours,names")
    parser.add_argument("--misses", action="store_true", help="list what differs from the oracle")
    parser.add_argument("--rows", action="store_true", help="print rows as JSON (used by itself)")
    options = parser.parse_args()
    if options.rows:
        print(json.dumps(measure(options.corpora[0], options.by)))
        return
    judged_places = judgements()
    for method in options.by.split(","):
        everything = []
        for corpus in options.corpora or PYTHON:
            command = [
                sys.executable,
                "-m",
                "benchmarks.references",
                corpus,
                "--by",
                method,
                "--rows",
            ]
            done = subprocess.run(command, check=True, capture_output=True)
            rows = json.loads(done.stdout)
            everything += rows
            judged = judged_places.get(corpus, {})
            show(f"{method} {corpus}", rows, judged)
            for kind in dict.fromkeys(row["kind"] for row in rows):
                show(f"  {kind}", [row for row in rows if row["kind"] == kind], judged)
            if options.misses:
                _list_misses(corpus, rows, judged)
        merged = {place: why for places in judged_places.values() for place, why in places.items()}
        show(f"{method}, all", everything, merged)


def _list_misses(corpus: str, rows: list[dict[str, Any]], judged: dict[str, str]) -> None:
    root = (CORPORA / LAYOUT[corpus][0]).resolve()
    for row in rows:
        for what in ("wrong", "lost"):
            for path, line, column in row[what]:
                reason = judged.get(f"{path}:{line}:{column}", "")
                text = (root / path).read_text("utf-8").split("\n")[line - 1].strip()[:90]
                print(f"    {what} {row['symbol']}: {path}:{line}:{column} {text} [{reason}]")


if __name__ == "__main__":
    main()
