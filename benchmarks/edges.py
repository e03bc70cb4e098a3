"""Whether what an answer states as a call is one, by the definitions that language servers know.

    python -m benchmarks.completeness fetch NAME ...   # sources and servers, once
    python -m benchmarks.edges [NAME ...] [--misses]

Definitions are drawn at random; what they call, create or hand on is asked for as an offline
answer does. *False* is a stated edge for which the oracle (pyright, or the TypeScript server) leads
elsewhere from every place on its line that spells the target; *no opinion* one for which it leads
nowhere. *Stated* is the share of the calls that the oracle leads into the code base which are
stated; with *may* those count too that are only told as possible.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from analysis.backends.ast_backend import AstBackend
from analysis.index.code_index import CodeIndex
from analysis.models import CodeEdge, SymbolChoice, SymbolInfo
from analysis.parsing.outline import outline_of, walk
from analysis.settings import IndexSettings
from analysis.workspace.files import LocalFileBackend
from analysis.workspace.test_files import is_test_file
from benchmarks.completeness_oracle import Oracle, Place
from benchmarks.completeness_packages import HELD_OUT, SOURCES
from benchmarks.reference_oracle import DATA
from benchmarks.reference_symbols import SEED

_DRAWN = 40
_CALL = re.compile(r"(?<![\w$])([A-Za-z_$][\w$]*)\s*(?:<[^<>()]*>)?\(")
_KEYWORDS = frozenset({"if", "for", "while", "switch", "return", "catch", "function", "def"})
_STATED = ("call", "construction")


@dataclass
class Counts:
    """What was counted for one package."""

    stated: int = 0
    false: list[str] = field(default_factory=list)
    no_opinion: int = 0
    expected: int = 0
    found: int = 0
    found_may: int = 0
    may: int = 0
    missing: list[str] = field(default_factory=list)


def measure(name: str) -> Counts:
    """Count the edges of a package's definitions."""
    root = (SOURCES / name).resolve()
    files = LocalFileBackend(root)
    index = CodeIndex.open(files, IndexSettings(cache_dir=str(DATA / "cache")))
    index.refresh()
    backend = AstBackend(files, lambda: index)
    drawn = _drawn(root)
    sources = [
        SymbolChoice(path, info.qualified_name, info.kind, info.line, info.signature)
        for path, info in drawn
    ]
    edges = backend.find_edges(sources, time_limit_s=600)
    oracle, counts = Oracle(name), Counts()
    for edge in edges:
        _judge(root, edge, oracle, counts)
    for path, info in drawn:
        own = [e for e in edges if (e.source.path, e.source.line) == (path, info.line)]
        _expect(root, path, info, own, oracle, counts)
    oracle.close()
    index.close()
    return counts


def _drawn(root: Path) -> list[tuple[str, SymbolInfo]]:
    found = []
    for file in sorted(root.rglob("*")):
        path = file.relative_to(root).as_posix()
        is_source = file.suffix in (".py", ".ts", ".tsx", ".js", ".jsx")
        if not is_source or path.endswith(".d.ts") or is_test_file(path) or ".git/" in path:
            continue
        for info in walk(outline_of(path, file.read_text("utf-8"))):
            if info.kind in ("function", "method") and info.line_end - info.line > 2:
                found.append((path, info))
    return random.Random(SEED).sample(found, min(_DRAWN, len(found)))


def _judge(root: Path, edge: CodeEdge, oracle: Oracle, counts: Counts) -> None:
    """Count one edge as true, false or without an opinion."""
    if not edge.resolved:
        counts.may += 1
        return
    if edge.kind not in _STATED:
        return
    counts.stated += 1
    path = edge.source.path
    text = (root / path).read_text("utf-8").split("\n")[edge.line - 1]
    answers = [oracle.leads_to(path, edge.line, column) for column in _columns(text, edge)]
    known = [answer for answer in answers if answer is not None]
    if not known:
        counts.no_opinion += 1
    elif not any(_is_target(root, place, edge.target) for answer in known for place in answer):
        target = f"{edge.target.path}:{edge.target.line} {edge.target.qualified_name}"
        counts.false.append(f"{path}:{edge.line} {text.strip()[:70]} -> {target} ({known})")


def _columns(text: str, edge: CodeEdge) -> Iterator[int]:
    """Yield where a line may spell the target: by its name, else by any name that is called."""
    plain = edge.target.qualified_name.rpartition(".")[2]
    exact = [match.start() for match in re.finditer(rf"\b{re.escape(plain)}\b", text)]
    yield from exact or (match.start(1) for match in re.finditer(r"([\w$]+)", text))


def _is_target(root: Path, place: Place, target: SymbolChoice) -> bool:
    """Return whether a place lies in the head of a definition, or of an overload of it."""
    path, line, _ = place
    if path != target.path:
        return False
    if line == target.line:
        return True
    infos = walk(outline_of(path, (root / path).read_text("utf-8")))
    same = [info for info in infos if info.qualified_name == target.qualified_name]
    return any(info.decorated_line <= line <= info.name_line for info in same)


def _expect(
    root: Path, path: str, info: SymbolInfo, edges: list[CodeEdge], oracle: Oracle, counts: Counts
) -> None:
    """Count the calls in a definition that the oracle leads into the package."""
    lines = (root / path).read_text("utf-8").split("\n")
    inner = [i for i in info.children if i.kind in ("function", "method", "class")]
    for number in range(info.line, info.line_end + 1):
        if any(child.line <= number <= child.line_end for child in inner):
            continue
        for match in _CALL.finditer(lines[number - 1]):
            if match[1] in _KEYWORDS or number == info.name_line:
                continue
            places = oracle.leads_to(path, number, match.start(1)) or []
            inside = [place for place in places if place[0] and _is_definition(root, place)]
            if not inside:
                continue
            counts.expected += 1
            hits = [
                edge
                for edge in edges
                if edge.line == number and any(_is_target(root, p, edge.target) for p in inside)
            ]
            counts.found += any(edge.resolved for edge in hits)
            counts.found_may += bool(hits)
            if not any(edge.resolved for edge in hits):
                state = "may" if hits else "missing"
                counts.missing.append(f"{state} {path}:{number} {lines[number - 1].strip()[:80]}")


def _is_definition(root: Path, place: Place) -> bool:
    """Return whether a function or class begins at a place."""
    path, line, _ = place
    infos = walk(outline_of(path, (root / path).read_text("utf-8")))
    kinds = ("function", "method", "class")
    return any(i.kind in kinds and i.decorated_line <= line <= i.name_line for i in infos)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--misses", action="store_true", help="list the false ones")
    options = parser.parse_args()
    for name in options.names or list(HELD_OUT):
        counts = measure(name)
        expected = max(counts.expected, 1)
        print(
            f"{name:16} stated {counts.stated:4}  false {len(counts.false):3}"
            f"  no opinion {counts.no_opinion:4}  may {counts.may:4}"
            f"  expected {counts.expected:4}  stated {counts.found / expected:.2f}"
            f"  with may {counts.found_may / expected:.2f}"
        )
        for line in (*counts.false, *counts.missing) if options.misses else ():
            print(f"    {line}")


if __name__ == "__main__":
    main()
