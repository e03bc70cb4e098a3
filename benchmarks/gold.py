"""Which lines a labelled question is about, and how much of them was shown."""

from __future__ import annotations

from analysis.engine import Engine
from analysis.parsing.find_symbols import walk
from analysis.parsing.words import terms_of
from benchmarks.questions import Question

Lines = dict[str, set[int]]
"""Lines that were shown, by path."""


def gold_places(
    engine: Engine, target: dict[str, object], question: Question
) -> list[tuple[str, range]]:
    """Return the lines that have to be seen of a gold place.

    Where the labels name a file only, its definition that has most of the question's words stands
    for it; of long ones the first 60 lines count.
    """
    path = next((p for p in engine.index.file_table().paths if p.endswith(str(target["path"]))), "")
    if not path:
        return []
    if isinstance(target.get("start"), int) and isinstance(target.get("end"), int):
        return [(path, range(int(str(target["start"])), int(str(target["end"])) + 1)[:60])]
    terms = set(terms_of(question["query"]))
    lines = engine.files.read(path).text.split("\n")

    def worth(info: object) -> float:
        words = lines[info.line - 1 : info.line_end][:60]  # type: ignore[attr-defined]
        named = terms & set(terms_of(info.name))  # type: ignore[attr-defined]
        return 2 * len(named) + len(terms & set(terms_of("\n".join(words))))

    symbols = [s for s in walk(engine.outline(path)) if s.kind != "variable"]
    best = max(symbols, key=worth, default=None)
    return [(path, range(best.line, best.line_end + 1)[:60])] if best else []


def part_shown(gold: list[tuple[str, range]], shown: Lines) -> float:
    """Return the part of the gold places of which at least half of the lines were shown."""
    hits = [len(shown.get(path, set()) & set(lines)) * 2 >= len(lines) for path, lines in gold]
    return sum(hits) / len(hits) if hits else 1.0
