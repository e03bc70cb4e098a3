"""How well a repository's own code answers a question, on a scale that holds across repositories.

A summary tells which words a repository has, but not whether they stand together. So the few that
may answer are looked at before they are searched: their best definitions are scored as in a folder,
but with the rarity that words have in all repositories that the asker sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.retrieval.definition_scoring import score_definitions
from analysis.retrieval.definition_table import definition_table
from analysis.retrieval.definitions import definitions_for

if TYPE_CHECKING:
    from analysis.retrieval.concepts import Concept
    from analysis.retrieval.question import Question
    from analysis.retrieval.scoring import Scorer

# Found by logistic regression over the questions of ``benchmarks/questions.jsonl``, as were the
# weights in ``choosing.py``; found with half of them, they did as well on the other half.
_BEST, _DEFINED = 4.4, 2.8
_MOST = 3


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What a look at a repository says about it."""

    score: float
    """Added to what its summary says."""
    defines: str | None
    """A name in the question that it defines."""


def look_at(
    scorer: Scorer, question: Question, concepts: Sequence[Concept], rarity: Mapping[str, float]
) -> FirstLook:
    """Return how well the best definitions of a repository answer a question.

    Args:
        scorer: Of the repository.
        question: What is asked.
        concepts: What it speaks of.
        rarity: Of the words of the concepts, in all repositories that are seen.
    """
    import numpy as np

    table = definition_table(scorer.view, question.asked_for)
    words = score_definitions(scorer, table, concepts, rarity).words
    best = np.sort(words * table.factors[table.file_idx])[-_MOST:].sum() / _MOST
    named = definitions_for(scorer.view, question).values()
    defined = max(named, key=lambda one: one.value, default=None)
    value = defined.value if defined is not None else 0.0
    return FirstLook(
        _BEST * float(best) + _DEFINED * value,
        defined.row.info.name if defined is not None else None,
    )
