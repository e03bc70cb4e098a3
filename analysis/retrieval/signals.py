"""The signals of ranking: each a column of numbers, one for each candidate file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.words import LONGEST_WORD
from analysis.retrieval import weights
from analysis.retrieval.definitions import Definition
from analysis.retrieval.file_kinds import kind_table
from analysis.retrieval.file_names import name_matches
from analysis.retrieval.question import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.tables import FileTable
    from analysis.retrieval.scoring import Scorer


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The files that can be an answer to one question."""

    files: NDArray[np.int64]
    """Their file indexes."""
    content: NDArray[np.float32]
    """By file of the index: how well its text matches the question's words."""
    chunk_scores: NDArray[np.float32]
    """By chunk of the index: the same."""
    definitions: Mapping[str, Definition]
    """By path: the definition that the question names."""


@dataclass(frozen=True, slots=True, eq=False)
class Signals:
    """What is known about the candidate files for one question."""

    files: NDArray[np.int64]
    """File indexes of the candidates."""
    columns: Mapping[str, NDArray[np.float32]]
    """Signal -> value by candidate, before its weight."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which files may be found, and what is known of where the asker is."""

    allowed: NDArray[np.bool_] | None
    """By file index; None for all."""
    location: str | None
    named_files: frozenset[int]
    """Files that the question names by path or file name."""


def candidates_for(
    scorer: Scorer,
    question: Question,
    definitions: Mapping[str, Definition],
    files: FileTable,
    chosen: Filter,
) -> Candidates:
    """Return the files that can be an answer."""
    chunk_scores = scorer.bm25f(question.terms)
    content = scorer.by_file(chunk_scores)
    candidates = _candidates(content, definitions, files, chosen, question.asked_for)
    return Candidates(candidates, content, chunk_scores, definitions)


def signals_for(
    scorer: Scorer, question: Question, found: Candidates, files: FileTable, chosen: Filter
) -> Signals:
    """Return the signals of candidates."""
    beginnings = _beginnings(scorer, question)
    scorer.read((*question.joined, *beginnings))
    idf = {term: weight * scorer.idf(term) for term, weight in question.terms.items()}
    candidates = found.files
    paths = [files.paths[i] for i in candidates]
    by_file = {
        "content": found.content,
        "defined words": scorer.best_by_file(scorer.name_match(idf)),
        "path": scorer.best_by_file(scorer.path_match(idf)),
        "summary": scorer.summary_match(idf),
        "beginnings": scorer.by_file(scorer.bm25f(beginnings), candidates),
        "joined words": scorer.by_file(
            scorer.bm25f(dict.fromkeys(question.joined, 1.0)), candidates
        ),
    }
    columns = {name: values[candidates] for name, values in by_file.items()}
    for name in ("content", "path", "summary", "beginnings", "joined words"):
        columns[name] = _scaled(columns[name], by_file[name])
    columns |= _by_path(paths, candidates, idf, found.definitions, chosen)
    return Signals(candidates, columns)


def _candidates(
    content: NDArray[np.float32],
    definitions: Mapping[str, Definition],
    files: FileTable,
    chosen: Filter,
    asked_for: Collection[str],
) -> NDArray[np.int64]:
    """Return the files worth a closer look."""
    import numpy as np

    score = content if chosen.allowed is None else np.where(chosen.allowed, content, 0)
    order = np.argsort(-score, kind="stable")[: weights.CONTENT_FILES]
    order = order[score[order] > 0]
    if len(order) > weights.CANDIDATE_FILES:
        kinds = kind_table(files)
        factors = kinds.factors(asked_for)[kinds.codes[order]]
        order = order[np.argsort(-score[order] * factors)[: weights.CANDIDATE_FILES]]
    extra = {files.index_of[path] for path in definitions} | chosen.named_files
    if chosen.allowed is not None:
        extra = {i for i in extra if chosen.allowed[i]}
    missing = sorted(extra.difference(order.tolist()))
    return np.concatenate([order, np.array(missing, np.int64)])


def _beginnings(scorer: Scorer, question: Question) -> dict[str, float]:
    """Return index terms that begin like a term of the question, either way round."""
    found: dict[str, float] = {}
    for term, weight in question.terms.items():
        if len(term) < weights.PREFIX_LENGTH:
            continue
        longer = scorer.view.terms_with_prefix(term, weights.PREFIX_LIMIT)
        longest = min(len(term), LONGEST_WORD + 1)  # no term of the index is longer
        shorter = [term[:n] for n in range(weights.PREFIX_LENGTH, longest)]
        for other in (*longer, *shorter):
            if other not in question.terms:
                found[other] = max(found.get(other, 0.0), weight * weights.PREFIX_WEIGHT)
    return found


def _by_path(
    paths: list[str],
    candidates: NDArray[np.int64],
    idf: Mapping[str, float],
    definitions: Mapping[str, Definition],
    chosen: Filter,
) -> dict[str, NDArray[np.float32]]:
    """Return the signals that are told from a candidate's path."""
    import numpy as np

    matches = name_matches(paths, idf)
    defined = [definitions[path].value if path in definitions else 0.0 for path in paths]
    named = [1.0 if i in chosen.named_files else 0.0 for i in candidates.tolist()]
    location = chosen.location
    near = [nearness(path, location) for path in paths] if location else [0.0] * len(paths)
    columns = {
        "file name": [covered for covered, _ in matches],
        "whole name": [used for _, used in matches],
        "definition": defined,
        "named file": named,
        "near": near,
    }
    return {name: np.array(values, np.float32) for name, values in columns.items()}


def nearness(path: str, location: str | None) -> float:
    """Return how close a file is to the asker's: 1 for the same, less by folders apart."""
    if not location:
        return 0.0
    if path == location:
        return 1.0
    here, there = location.split("/")[:-1], path.split("/")[:-1]
    shared = 0
    for ours, theirs in zip(here, there, strict=False):
        if ours != theirs:
            break
        shared += 1
    return 0.5 * shared / max(len(here), len(there), 1)


def _scaled(values: NDArray[np.float32], everywhere: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return values over the highest of the whole code base, so that 1 is the best there is."""
    highest = float(everywhere.max()) if len(everywhere) else 0.0
    return values / highest if highest > 0 else values
