"""Tokens of exploring by outlines beside reading files: `python -m benchmarks.exploration`.

Asks every question of `questions.jsonl` in pipeline mode, with a scripted model that asks for the
definitions whose outlines speak of the question. Beside it stands what full-file reading sends for
the same candidates: the first 8,000 characters of the best 12 files, 80,000 in all. A gold place
counts as shown if at least half of its lines (of the first 60) are in a prompt; where the labels
name a file only, its definition that has most of the question's words stands for it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from analysis.engine import Engine
from analysis.events import CandidatesFound
from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import ModelReply, ModelRequest, OnPiece
from analysis.models import AskRequest
from analysis.parsing.words import terms_of
from analysis.settings import settings_from
from analysis.stopping import StopFlag
from analysis.tokens import text_tokens
from benchmarks.gold import Lines, gold_places, part_shown
from benchmarks.questions import Question, load_questions, packages_for

DATA = Path(__file__).with_name("data")
_FILES, _FILE_CHARS, _ALL_CHARS = 12, 8_000, 80_000
_MOST_ASKED = 6
_OUTLINE = re.compile(r"<<<\w+ outline of (\S+)>>>\n(.*?)\n<<<end", re.DOTALL)
_CODE = re.compile(r"<<<\w+ (?:\S+ in|file) (\S+)>>>\n(.*?)\n<<<end", re.DOTALL)
_SYMBOL = re.compile(r"^\s*(\d+)-\d+ (.*)$", re.MULTILINE)
_NAME = re.compile(r"(?:def|class|function|interface|type|enum|const|let|var)\s+([\w$]+)|([\w$]+)")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question both ways."""

    outline_tokens: int
    file_tokens: int
    outline_shown: float
    """Part of the gold places that exploring by outlines showed."""
    file_shown: float


class AsksForOutlines:
    """A model that asks for what the outlines suggest, then has enough."""

    facts = ModelFacts("test/outlines", "nowhere", None, 0.0, 0.0)

    def __init__(self, question: str) -> None:
        self.prompts: list[str] = []
        self._terms = set(terms_of(question))

    def warm_up(self) -> None:
        """Do nothing."""

    async def complete(
        self, request: ModelRequest, stop: StopFlag, on_piece: OnPiece
    ) -> ModelReply:
        if request.schema is None:
            return ModelReply("## Summary\n\nDone.")
        self.prompts.append("\n".join(message.content for message in request.messages))
        answer = {"sufficient_context": True} if len(self.prompts) > 1 else self._wishes()
        return ModelReply(json.dumps(answer))

    def _wishes(self) -> dict[str, object]:
        found: list[tuple[int, str, str]] = []
        for path, outline in _OUTLINE.findall(self.prompts[0]):
            for line, text in _SYMBOL.findall(outline):
                hits = len(self._terms & set(terms_of(text)))
                name = next((a or b for a, b in _NAME.findall(text.replace("async ", ""))), "")
                if hits and name:
                    found.append((hits, path, f"{name}:{line}"))
        found.sort(key=lambda item: -item[0])
        wanted = [{"path": p, "symbol": name.split(":")[0]} for _, p, name in found[:_MOST_ASKED]]
        return {"symbols_to_read": wanted}


def main() -> None:
    options = _options()
    questions = load_questions(options.repos)
    packages = packages_for(questions, options.corpora)
    by_repo: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        by_repo[question["repo"]].append(question)
    total: list[Outcome] = []
    for repo, asked in by_repo.items():
        outcomes = asyncio.run(_outcomes(packages[repo], asked))
        total += outcomes
        _print(repo, outcomes)
    _print("all", total)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=DATA / "packages")
    parser.add_argument("--repos", nargs="*")
    return parser.parse_args()


async def _outcomes(package: Path, questions: list[Question]) -> list[Outcome]:
    settings, _ = settings_from({"model": {"tokens_per_minute": 10**9}})
    outcomes = []
    with Engine.open(package, settings) as engine:
        await asyncio.to_thread(engine.refresh)
        for question in questions:
            model = AsksForOutlines(question["query"])
            engine.use_model(model)
            paths: list[str] = []
            async for event in engine.ask(AskRequest(question["query"], mode="pipeline")):
                if isinstance(event, CandidatesFound):
                    paths = list(dict.fromkeys(c.path for c in event.candidates))
            outcomes.append(_compared(engine, question, model.prompts, paths))
    return outcomes


def _compared(engine: Engine, question: Question, prompts: list[str], paths: list[str]) -> Outcome:
    new: Lines = defaultdict(set)
    for prompt in prompts:
        for path, text in _CODE.findall(prompt):
            new[path] |= {int(n) for n in re.findall(r"^(\d+)\|", text, re.MULTILINE)}
    old, file_chars = _read_in_full(engine, paths)
    gold = [place for target in question["gold"] for place in gold_places(engine, target, question)]
    return Outcome(
        sum(text_tokens(prompt) for prompt in prompts),
        text_tokens(file_chars),
        part_shown(gold, new),
        part_shown(gold, old),
    )


def _read_in_full(engine: Engine, paths: list[str]) -> tuple[Lines, str]:
    """Return what reading whole files shows, and its text."""
    shown: Lines = {}
    text = ""
    for path in paths[:_FILES]:
        part = engine.files.read(path).text[: min(_FILE_CHARS, _ALL_CHARS - len(text))]
        shown[path] = set(range(1, part.count("\n") + 1))
        text += part
    return shown, text


def _print(name: str, outcomes: list[Outcome]) -> None:
    n = len(outcomes)
    new, old = sum(o.outline_tokens for o in outcomes), sum(o.file_tokens for o in outcomes)
    lost = [sum(shown == 0 for shown in part) for part in (
        [o.outline_shown for o in outcomes], [o.file_shown for o in outcomes])]  # fmt: skip
    print(
        f"{name:10} {n:4} questions  tokens {new // n:6} / {old // n:6} = {new / old:5.0%}  "
        f"gold shown {sum(o.outline_shown for o in outcomes) / n:5.1%} / "
        f"{sum(o.file_shown for o in outcomes) / n:5.1%}  lost {lost[0]} / {lost[1]}"
    )


if __name__ == "__main__":
    main()
