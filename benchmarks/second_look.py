"""Would a second look at the best thirty files help? `python -m benchmarks.second_look`.

Takes what the ranking does not look at: imports between the candidates, how much of the question
stands in one scope, names of exported definitions and of classes, docstrings, size and place of the
file. Learns a weight for each as a correction of the shipped score, on all packages but one, and
scores that one (leave-one-repository-out). Prints NDCG@10 with paired bootstrap intervals, for all
features with several strengths of regularisation and for each by itself.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.index.code_index import CodeIndex
from analysis.index.view import IndexView
from analysis.models import FileOutline
from analysis.parsing.find_symbols import walk
from analysis.parsing.words import terms_of
from analysis.retrieval.definitions import definitions_for
from analysis.retrieval.places import Places
from analysis.retrieval.question import read_question
from analysis.retrieval.ranking import rank
from analysis.retrieval.scoring import Scorer
from analysis.retrieval.signals import Candidates, Filter, candidates_for, signals_for
from analysis.settings import IndexSettings
from analysis.workspace.files import LocalFileBackend
from benchmarks.questions import Place, Question, load_questions, packages_for, score
from benchmarks.retrieval import DATA, TRACKS

_TOP = 30
_IMPORTERS = 15
_NEGATIVES = 12
_SLOPE = 12.0
"""How much of a difference in score counts as decided."""
_STRENGTHS = (0.03, 0.1, 0.3, 1.0, 3.0)
_BOOTSTRAPS = 4000
FEATURES = (
    *("imported", "imports", "one scope", "whole file", "chunks", "even", "second chunk"),
    *("best chunk", "exported name", "class name", "docstring", "module docstring", "depth"),
)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A question in a track: its best files with their scores and features."""

    question: Question
    track: str
    places: list[Place]
    base: Floats
    """Shipped scores over the highest of them."""
    features: Floats
    """Shape (files, features), less their means over the first ten."""

    def ndcg(self, scores: Floats) -> float:
        order = np.argsort(-scores, kind="stable")[:10]
        return score([self.places[i] for i in order], self.question["gold"]).ndcg


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=DATA / "packages")
    cases = collect(load_questions(), parser.parse_args().corpora)
    shipped = np.array([case.ndcg(case.base) for case in cases])
    report("as shipped", cases, shipped, shipped)
    everything = list(range(len(FEATURES)))
    for strength in _STRENGTHS:
        report(f"all, L2 {strength}", cases, held_out(cases, everything, strength), shipped)
    for number, name in enumerate(FEATURES):
        report(name, cases, held_out(cases, [number], 0.1), shipped)


def collect(questions: list[Question], corpora: Path) -> list[Case]:
    """Return every question in both tracks with its best files."""
    cases: list[Case] = []
    for track in TRACKS:
        for repo, folder in packages_for(questions, corpora).items():
            asked = [q for q in questions if q["repo"] == repo]
            inner = asked[0]["root"].rstrip("/") + "/" if track == "root" else ""
            settings = IndexSettings(cache_dir=tempfile.mkdtemp())
            index = CodeIndex.open(LocalFileBackend(folder / inner), settings)
            index.refresh()
            with index.view() as view:
                cases += [_case(view, question, track, inner) for question in asked]
            index.close()
    return cases


def _case(view: IndexView, question: Question, track: str, inner: str) -> Case:
    asked, files = read_question(question["query"]), view.file_table()
    scorer = Scorer.of(view)
    chosen = Filter(None, None, frozenset())
    found = candidates_for(scorer, asked, definitions_for(view, asked), files, chosen)
    ranked = rank(signals_for(scorer, asked, found, files, chosen), asked, files, scorer.chunks)
    ranked = ranked[:_TOP]
    finder = Places(scorer, asked, found)
    best = [finder.in_file(file, 1)[0] for file in ranked]
    base = np.array([file.score for file in ranked]) / max(file.score for file in ranked)
    outlines = {file.path: view.outline(file.path) for file in ranked}
    idf = {term: weight * scorer.idf(term) for term, weight in asked.terms.items()}
    edges = _edges(outlines, dict(zip(outlines, base.tolist(), strict=True)))
    rows = [
        [*edges[file.path], *_in_chunks(scorer, found, file.file_idx, idf),
         *_in_outline(outlines[file.path], idf), min(file.path.count("/"), 8) / 8]
        for file in ranked
    ]  # fmt: skip
    table = np.array(rows)
    places = [(inner + hit.path, hit.line_start, hit.line_end) for hit in best]
    return Case(question, track, places, base, table - table[:10].mean(axis=0))


def _edges(
    outlines: Mapping[str, FileOutline], base: Mapping[str, float]
) -> dict[str, tuple[float, float]]:
    """Return, by path, how good the candidates are that import it, and that it imports."""
    imported, imports = dict.fromkeys(outlines, 0.0), dict.fromkeys(outlines, 0.0)
    for path in list(outlines)[:_IMPORTERS]:
        named = {
            name
            for found in outlines[path].imports
            for name in (*found.names, found.module.replace(".", "/").rpartition("/")[2])
        }
        for other in outlines:
            if other != path and Path(other).stem in named:
                imported[other] += base[path]
                imports[path] += base[other]
    return {path: (min(imported[path], 3) / 3, min(imports[path], 3) / 3) for path in outlines}


def _in_chunks(
    scorer: Scorer, candidates: Candidates, file_idx: int, idf: Mapping[str, float]
) -> tuple[float, ...]:
    """Return how the question's words lie in a file's chunks."""
    first, n = int(scorer.chunks.first_chunk[file_idx]), int(scorer.chunks.n_chunks[file_idx])
    covered, total, found = np.zeros(n), sum(idf.values()) or 1.0, 0.0
    for term, weight in idf.items():
        here = scorer.postings(term).chunk_idx - first
        here = here[(here >= 0) & (here < n)]
        covered[here] += weight / total
        found += weight / total if len(here) else 0.0
    scores = np.sort(candidates.chunk_scores[first : first + n])[::-1]
    highest = max(float(scores[0]), 1e-9)
    second = float(scores[1]) / highest if n > 1 else 0.0
    best = highest / max(float(candidates.chunk_scores.max()), 1e-9)
    even = float((scores > 0.3 * highest).mean())
    return float(covered.max()), found, float(np.log1p(n)) / 6, even, second, best


def _in_outline(outline: FileOutline, idf: Mapping[str, float]) -> tuple[float, ...]:
    """Return how names and docstrings match the question."""
    exported = [s.name for s in outline.symbols if s.exported and s.kind != "variable"]
    classes = [s.name for s in outline.symbols if s.kind in ("class", "interface")]
    told = [s.docstring for s in walk(outline) if s.docstring]
    return (
        max((_f1(name, idf) for name in exported), default=0.0),
        max((_f1(name, idf) for name in classes), default=0.0),
        max((_share(text, idf) for text in told), default=0.0),
        _share(outline.docstring or "", idf),
    )


def _share(text: str, idf: Mapping[str, float]) -> float:
    return sum(idf[t] for t in set(terms_of(text)) & set(idf)) / (sum(idf.values()) or 1.0)


def _f1(name: str, idf: Mapping[str, float]) -> float:
    terms = set(terms_of(name))
    recall, precision = _share(name, idf), len(terms & set(idf)) / max(len(terms), 1)
    return 2 * recall * precision / max(recall + precision, 1e-9)


def held_out(cases: list[Case], features: list[int], strength: float) -> Floats:
    """Return the NDCG of each question under weights that were learned without its package."""
    result = np.zeros(len(cases))
    for repo in dict.fromkeys(case.question["repo"] for case in cases):
        weights = learned((c for c in cases if c.question["repo"] != repo), features, strength)
        for i, case in enumerate(cases):
            if case.question["repo"] == repo:
                result[i] = case.ndcg(case.base + case.features[:, features] @ weights)
    return result


def learned(cases: Iterable[Case], features: list[int], strength: float) -> Floats:
    """Return weights that set right files before wrong ones: logistic loss over pairs."""
    differences, offsets, shares = [], [], []
    for case in cases:
        right = np.array([score([p], case.question["gold"]).recall > 0 for p in case.places])
        pairs = [(i, j) for i in np.flatnonzero(right) for j in np.flatnonzero(~right)[:_NEGATIVES]]
        for i, j in pairs:
            differences.append(case.features[i, features] - case.features[j, features])
            offsets.append(case.base[i] - case.base[j])
            shares.append(1 / len(pairs))
    table, offset = np.array(differences), np.array(offsets)
    share = np.array(shares) / sum(shares)
    weights = np.zeros(len(features))
    for _ in range(400):
        wrong = share * _SLOPE / (1 + np.exp(_SLOPE * (offset + table @ weights)))
        weights += 0.05 * (wrong @ table - strength * weights)
    return weights


def report(label: str, cases: list[Case], found: Floats, shipped: Floats) -> None:
    """Print means by track, and by how much they differ from the shipped ranking."""
    rng = np.random.default_rng(0)
    cells = []
    for track in TRACKS:
        chosen = np.array([case.track == track for case in cases])
        difference = (found - shipped)[chosen]
        draws = rng.integers(0, len(difference), (_BOOTSTRAPS, len(difference)))
        low, high = np.percentile(difference[draws].mean(axis=1), [2.5, 97.5])
        mean = difference.mean()
        cells.append(f"{track} {found[chosen].mean():.4f}  {mean:+.4f} ({low:+.4f} to {high:+.4f})")
    print(f"{label:18}", "   ".join(cells), flush=True)


if __name__ == "__main__":
    main()
