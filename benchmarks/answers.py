"""Check offline documents on labelled questions: `python -m benchmarks.answers [--corpora FOLDER]`.

Asks every question of `questions.jsonl` about the whole package and prints for how many documents a
right file is among the first five references, whether all references verify, and the times. Wants
the questions that miss to be read: `--misses` lists them, `--keep FOLDER` writes all documents.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from analysis.engine import Engine
from analysis.events import RunFinished
from analysis.models import Answer, AskRequest, RefState
from benchmarks.questions import Question, load_questions, packages_for

DATA = Path(__file__).with_name("data")
_FIRST = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    question: Question
    answer: Answer
    elapsed_s: float

    @property
    def hit(self) -> bool:
        gold = {target["path"] for target in self.question["gold"]}
        return any(ref.path in gold for ref in self.answer.references[:_FIRST])

    @property
    def n_bad(self) -> int:
        return sum(ref.state is not RefState.OK for ref in self.answer.references)


def main() -> None:
    options = _options()
    questions = load_questions(options.repos)
    packages = packages_for(questions, options.corpora)
    by_repo: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        by_repo[question["repo"]].append(question)
    outcomes: list[Outcome] = []
    for repo, asked in by_repo.items():
        outcomes += asyncio.run(_answers(packages[repo], asked))
    _print(outcomes)
    if options.misses:
        _print_misses(outcomes)
    if options.keep:
        _keep(outcomes, options.keep)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=DATA / "packages")
    parser.add_argument("--repos", nargs="*")
    parser.add_argument("--misses", action="store_true", help="list the questions that miss")
    parser.add_argument("--keep", type=Path, help="write the documents to this folder")
    return parser.parse_args()


async def _answers(package: Path, questions: list[Question]) -> list[Outcome]:
    outcomes = []
    with Engine.open(package) as engine:
        await asyncio.to_thread(engine.refresh)
        for question in questions:
            started = time.perf_counter()
            async for event in engine.ask(AskRequest(question["query"])):
                if isinstance(event, RunFinished):
                    elapsed_s = time.perf_counter() - started
                    outcomes.append(Outcome(question, event.answer, elapsed_s))
    return outcomes


def _print(outcomes: list[Outcome]) -> None:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        for group in ("all", outcome.question["repo"], outcome.question["category"]):
            groups[group].append(outcome)
    heads = f"{'right file in 5':>17}{'references':>12}{'bad':>6}{'p50 s':>8}{'max s':>8}"
    print(f"{'':14}{'n':>5}{heads}")
    for group, found in groups.items():
        times = sorted(outcome.elapsed_s for outcome in found)
        n_references = sum(len(outcome.answer.references) for outcome in found)
        print(
            f"{group:14}{len(found):>5}{sum(o.hit for o in found) / len(found):>17.1%}"
            f"{n_references:>12}{sum(o.n_bad for o in found):>6}"
            f"{times[len(times) // 2]:>8.2f}{times[-1]:>8.2f}"
        )


def _print_misses(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        if not outcome.hit:
            gold = [target["path"] for target in outcome.question["gold"]]
            first = [ref.path for ref in outcome.answer.references[:_FIRST]]
            print(f"\n{outcome.question['query_id']}: {outcome.question['query']}")
            print(f"  right: {gold}\n  first: {first}")


def _keep(outcomes: list[Outcome], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for outcome in outcomes:
        name = outcome.question["query_id"].replace(":", "-")
        (folder / f"{name}.md").write_text(outcome.answer.markdown, encoding="utf-8")


if __name__ == "__main__":
    main()
