"""Are the weights fitted to these packages? `python -m benchmarks.tuning [--corpora FOLDER]`.

Takes the signals of every question's candidates once, then moves each weight and factor of
`analysis.retrieval` by steps, one at a time, as long as NDCG@10 improves: on all packages, and for
each package on all the others. Prints what the shipped weights score, what refitting them without
a package scores on that package (leave-one-repository-out), and what each signal is worth.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.index.code_index import CodeIndex
from analysis.retrieval import file_kinds, weights
from analysis.retrieval.definitions import definitions_for
from analysis.retrieval.places import Places
from analysis.retrieval.question import read_question
from analysis.retrieval.ranking import rank
from analysis.retrieval.scoring import Scorer
from analysis.retrieval.signals import Filter, candidates_for, signals_for
from analysis.settings import IndexSettings
from analysis.workspace.files import LocalFileBackend
from benchmarks.questions import Place, Question, load_questions, packages_for, score
from benchmarks.retrieval import DATA, TRACKS

# Candidates further down have no chance of the first ten under any of the weights tried.
_KEPT = 40
_STEPS = (0.5, 0.75, 1.33, 2.0)
_ROUNDS = 2

Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate: its place, its signals before their weights, and its kinds of file."""

    place: Place
    signals: Mapping[str, float]
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A question in a track, with its candidates."""

    question: Question
    track: str
    asked_for: frozenset[str]
    rows: tuple[Row, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=DATA / "packages")
    options = parser.parse_args()
    cases = collect(load_questions(), options.corpora)
    shipped = dict(weights.SIGNALS) | {f"x {kind}": f for kind, f in file_kinds.FACTORS.items()}
    print("shipped weights:      ", _shown(cases, shipped))
    for name in shipped:
        off = shipped | {name: 1.0 if name.startswith("x ") else 0.0}
        print(f"without {name:14}", _shown(cases, off))
    print("refitted to all:      ", _shown(cases, fitted(cases, shipped)))
    held_out: list[tuple[Case, float]] = []
    for repo in dict.fromkeys(case.question["repo"] for case in cases):
        others = [case for case in cases if case.question["repo"] != repo]
        refitted = fitted(others, shipped)
        held_out += [
            (case, ndcg(case, refitted)) for case in cases if case.question["repo"] == repo
        ]
    means = {t: statistics.fmean(v for case, v in held_out if case.track == t) for t in TRACKS}
    print("leave-one-repository-out:", "  ".join(f"{t} {v:.4f}" for t, v in means.items()))


def collect(questions: list[Question], corpora: Path) -> list[Case]:
    """Return every question in both tracks with the signals of its candidates."""
    packages = packages_for(questions, corpora)
    cases: list[Case] = []
    for track in TRACKS:
        for repo, folder in packages.items():
            asked = [q for q in questions if q["repo"] == repo]
            inner = asked[0]["root"].rstrip("/") + "/" if track == "root" else ""
            settings = IndexSettings(cache_dir=tempfile.mkdtemp())
            index = CodeIndex.open(LocalFileBackend(folder / inner), settings)
            index.refresh()
            cases += [_case(index, question, track, inner) for question in asked]
            index.close()
    return cases


def _case(index: CodeIndex, question: Question, track: str, inner: str) -> Case:
    asked = read_question(question["query"])
    with index.view() as view:
        scorer = Scorer.of(view)
        files, chosen = view.file_table(), Filter(None, None, frozenset())
        found = candidates_for(scorer, asked, definitions_for(view, asked), files, chosen)
        signals = signals_for(scorer, asked, found, files, chosen)
        ranked = rank(signals, asked, files, scorer.chunks)[:_KEPT]
        places = Places(scorer, asked, found)
        rows = []
        for file in ranked:
            best = places.in_file(file, 1)[0]
            parts = {name: v / weights.SIGNALS[name] for name, v in file.contributions.items()}
            place = (inner + best.path, best.line_start, best.line_end)
            rows.append(Row(place, parts, file.kinds))
    return Case(question, track, asked.asked_for, tuple(rows))


def ndcg(case: Case, tried: Weights) -> float:
    """Return the NDCG@10 of a question under other weights."""
    scored = [(-_value(row, case.asked_for, tried), i) for i, row in enumerate(case.rows)]
    places = [case.rows[i].place for _, i in sorted(scored)[:10]]
    return score(places, case.question["gold"]).ndcg


def _value(row: Row, asked_for: frozenset[str], tried: Weights) -> float:
    """Return a candidate's score under other weights and factors."""
    total = sum(tried[name] * value for name, value in row.signals.items())
    factors = {kind: tried[f"x {kind}"] for kind in row.kinds}
    return total * file_kinds.factor_of(row.kinds, asked_for, factors)


def fitted(cases: list[Case], start: Weights) -> Weights:
    """Return weights moved one at a time as long as the mean over the cases improves."""
    best, best_mean = dict(start), _mean(cases, start)
    for _ in range(_ROUNDS):
        for name in start:
            for step in _STEPS:
                tried = best | {name: min(best[name] * step, 1.0 if name[:2] == "x " else 9.0)}
                mean = _mean(cases, tried)
                if mean > best_mean:
                    best, best_mean = tried, mean
    return best


def _mean(cases: list[Case], tried: Weights) -> float:
    return statistics.fmean(ndcg(case, tried) for case in cases)


def _shown(cases: list[Case], tried: Weights) -> str:
    means = {t: _mean([case for case in cases if case.track == t], tried) for t in TRACKS}
    return "  ".join(f"{track} {mean:.4f}" for track, mean in means.items())


if __name__ == "__main__":
    main()
