"""Ask the questions about one code base: `python -m benchmarks.start_answers FOLDER CACHE`.

Takes the questions as a JSON list on stdin and prints their scores as one. A process of its own a
code base, so that memory is given back and a crash costs one code base only.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterable
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from analysis.engine import Engine
from analysis.events import RunFinished
from analysis.models import Answer, AskRequest
from analysis.settings import IndexSettings, Settings
from analysis.tools.places import FindOptions
from benchmarks.questions import Question
from benchmarks.start_scoring import TOP, Answered, Place, Score, scored


async def scores(folder: Path, cache: Path, questions: list[Question]) -> list[Score]:
    """Return the score of every question about the code base in a folder."""
    settings = Settings(index=IndexSettings(cache_dir=str(cache)))
    with Engine.open(folder, settings) as engine:
        await asyncio.to_thread(engine.refresh)
        return [scored(q, await _answered(engine, q["query"])) for q in questions]


async def _answered(engine: Engine, query: str) -> Answered:
    started = time.perf_counter()
    answer = await _ask(engine, query)
    seconds = time.perf_counter() - started
    found = await asyncio.to_thread(engine.analyze, query, FindOptions(top_k=TOP))
    # An answer has no path and no fit before the product states them as data.
    fit: Any = getattr(answer, "fit", None)
    return Answered(
        path=_places(getattr(answer, "path", None) or ()),
        guesses=_places(getattr(answer, "guesses", None) or ()),
        references=_places(answer.references),
        markdown=answer.markdown,
        fit=getattr(fit, "level", fit) and str(getattr(fit, "level", fit)),
        ranked=_places(found.hits),
        seconds=seconds,
    )


async def _ask(engine: Engine, query: str) -> Answer:
    async with aclosing(engine.ask(AskRequest(query, mode="offline"))) as events:
        async for event in events:
            if isinstance(event, RunFinished):
                return event.answer
    raise RuntimeError(f"No answer came back for {query!r}")


def _places(found: Iterable[Any]) -> tuple[Place, ...]:
    return tuple(Place(p.path, p.line_start, p.line_end, p.symbol) for p in found)


def main() -> None:
    folder, cache = Path(sys.argv[1]), Path(sys.argv[2])
    found = asyncio.run(scores(folder, cache, json.load(sys.stdin)))
    json.dump([asdict(score) for score in found], sys.stdout)


if __name__ == "__main__":
    main()
