"""Whether what an offline answer states as a call is one, by what language servers know.

    python -m benchmarks.completeness fetch none   # the servers, once
    python -m benchmarks.edges [NAME ...] [--misses]

Questions about code bases that Scope was not tuned on are answered without a model; what the
definitions of an answer call or create, as the answer is made of it, is judged. *False* is a stated
edge for which the oracle (pyright, or the TypeScript server) leads elsewhere from every name on its
line; *no opinion* one for which it leads nowhere. *Stated* is the share
of the calls that the oracle leads into the code base which are stated; with *may* those count too
that are only told as possible. For other languages there is no oracle: what is stated is listed,
to be read.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.backends.ast_backend import AstBackend
from analysis.engine import Engine
from analysis.models import AskRequest, CodeEdge, SymbolChoice, SymbolInfo
from analysis.parsing.find_symbols import walk
from analysis.parsing.outline import outline_of
from benchmarks.completeness_oracle import Oracle, Place
from benchmarks.reference_oracle import DATA
from benchmarks.start_code_bases import fetch

_QUESTIONS = ("start_questions.jsonl", "edges_questions.jsonl")
# What was looked at while edges were mended; the others were asked about afterwards.
_NAMES = (
    "huey", "doit", "lark", "scrapy", "redux-toolkit", "mobx", "prosemirror-view", "rxjs",
    "knex", "fastify", "gin", "goldmark", "jansson", "tinyxml2",
)  # fmt: skip
_KINDS = {"python": "python", "typescript": "typescript", "javascript": "commonjs"}
_CALL = re.compile(r"(?<![\w$])([A-Za-z_$][\w$]*)\s*(?:<[^<>()]*>)?\(")
_KEYWORDS = frozenset({"if", "for", "while", "switch", "return", "catch", "function", "def"})
_STATED = ("call", "construction")


@dataclass
class Counts:
    """What was counted for one code base."""

    answers: int = 0
    stated: int = 0
    false: list[str] = field(default_factory=list)
    no_opinion: int = 0
    expected: int = 0
    found: int = 0
    found_may: int = 0
    may: int = 0
    missing: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """Stated edges in languages without an oracle."""


@dataclass
class Recorded:
    """What answers asked for, and what they got."""

    sources: dict[SymbolChoice, None] = field(default_factory=dict)
    edges: dict[CodeEdge, None] = field(default_factory=dict)


def measure(name: str, questions: list[dict[str, Any]]) -> Counts:
    """Count the edges of the answers to questions about a code base."""
    root = fetch(questions[0], DATA / "start").resolve()
    recorded, counts = Recorded(), Counts(answers=len(questions))
    asyncio.run(_answer(root, questions, recorded))
    kind = _KINDS.get(questions[0]["language"])
    if kind is None:
        for edge in recorded.edges:
            counts.may += not edge.resolved
            if edge.resolved and edge.kind in _STATED:
                counts.stated += 1
                counts.unread.append(_told(root, edge))
        return counts
    oracle = Oracle(name, root, kind)
    for edge in recorded.edges:
        if edge.source in recorded.sources:
            _judge(root, edge, oracle, counts)
    for source in recorded.sources:
        info = _definition_at(root, source)
        own = [edge for edge in recorded.edges if edge.source == source]
        if info is not None:
            _expect(root, source.path, info, own, oracle, counts)
    oracle.close()
    return counts


async def _answer(root: Path, questions: list[dict[str, Any]], recorded: Recorded) -> None:
    """Answer questions, and note what the answers ask the call graph."""
    find = AstBackend.find_edges

    def noting(
        backend: AstBackend,
        sources: Iterable[SymbolChoice],
        targets: Iterable[SymbolChoice] = (),
        paths: Iterable[str] = (),
        **_: Any,
    ) -> list[CodeEdge]:
        # A busy machine must not change what is found.
        edges = find(backend, list(sources), list(targets), list(paths), time_limit_s=600)
        recorded.sources |= dict.fromkeys(sources)
        recorded.edges |= dict.fromkeys(edges)
        return edges

    AstBackend.find_edges = noting  # type: ignore[assignment,method-assign]  # measured from inside
    try:
        with Engine.open(root) as engine:
            await asyncio.to_thread(engine.refresh)
            for question in questions:
                async for _ in engine.ask(AskRequest(question["query"])):
                    pass
    finally:
        AstBackend.find_edges = find  # type: ignore[method-assign]  # as it was


def _definition_at(root: Path, source: SymbolChoice) -> SymbolInfo | None:
    """Return a function or method as the outline has it; None for anything else."""
    infos = walk(outline_of(source.path, (root / source.path).read_text("utf-8")))
    found = (i for i in infos if (i.qualified_name, i.line) == (source.qualified_name, source.line))
    info = next(found, None)
    return info if info is not None and info.kind in ("function", "method") else None


def _told(root: Path, edge: CodeEdge) -> str:
    text = (root / edge.source.path).read_text("utf-8").split("\n")[edge.line - 1].strip()[:70]
    target = f"{edge.target.path}:{edge.target.line} {edge.target.qualified_name}"
    return f"{edge.source.path}:{edge.line} {text} -> {target}"


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
    known = _led_to(root, oracle, path, edge.line, text, edge.target)
    if not known:
        counts.no_opinion += 1
    elif not any(_is_target(root, place, edge.target) for answer in known for place in answer):
        counts.false.append(f"{_told(root, edge)} ({known})")


def _is_import(root: Path, place: Place) -> bool:
    """Return whether a place in the code base lies in the names of an ``import``."""
    path, line, column = place
    if not path:
        return False
    lines = (root / path).read_text("utf-8").split("\n")
    before = "\n".join([*lines[: line - 1], lines[line - 1][:column]])
    start = before.rfind("import")
    return start >= 0 and re.search(r"\bfrom\b|[;()=]", before[start:]) is None


def _led_to(
    root: Path, oracle: Oracle, path: str, line: int, text: str, target: SymbolChoice
) -> list[list[Place]]:
    """Return where the names on a line lead that spell the target, or others that lead to it."""
    plain = target.qualified_name.rpartition(".")[2]
    found: dict[bool, list[list[Place]]] = {True: [], False: []}
    names = sorted(re.finditer(r"[\w$]+", text), key=lambda name: name[0] != plain)
    for name in names:
        # A server that cannot resolve a module leads to its import and no further.
        answer = oracle.leads_to(path, line, name.start()) or ()
        places = [place for place in answer if not _is_import(root, place)]
        if any(_is_target(root, place, target) for place in places):
            return [places]
        found[name[0] == plain] += [places] if places else []
    is_spelled = any(name[0] == plain for name in names)
    return found[is_spelled]


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
    parser.add_argument("--misses", action="store_true", help="list what is false or not stated")
    options = parser.parse_args()
    questions = _questions()
    print(
        "| code base | language | answers | stated | false | no opinion | may"
        " | calls | stated | or may |\n|---|---|---|---|---|---|---|---|---|---|"
    )
    for name in options.names or _NAMES:
        counts = measure(name, questions[name])
        expected = max(counts.expected, 1)
        shares = f"{counts.found / expected:.2f} | {counts.found_may / expected:.2f}"
        is_judged = questions[name][0]["language"] in _KINDS
        print(
            f"| {name} | {questions[name][0]['language']} | {counts.answers} | {counts.stated}"
            f" | {len(counts.false) if is_judged else '-'} | {counts.no_opinion} | {counts.may}"
            f" | {counts.expected} | {shares if is_judged else '- | -'} |",
            flush=True,
        )
        for line in (*counts.false, *counts.missing, *counts.unread) if options.misses else ():
            print(f"    {line}")


def _questions() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for file in _QUESTIONS:
        for line in Path(__file__).with_name(file).read_text("utf-8").splitlines():
            question = json.loads(line)
            found.setdefault(question["repo"], []).append(question)
    return found


if __name__ == "__main__":
    main()
