"""The name of the code base itself in a question: who is asked about, not what is asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from analysis.parsing.words import terms_of_word
from analysis.retrieval import weights
from analysis.retrieval.file_roles import is_aside
from analysis.retrieval.question import Question

# "How does NAME keep sessions?", "Where in NAME is a route matched?"
_ACTING = re.compile(r"\b(?:does|do|did|can|will|would|has)\s+([A-Za-z][\w-]*)\s+[a-z]", re.ASCII)
_INSIDE = re.compile(r"\b(?:in|inside|within)\s+([A-Za-z][\w-]*)\b", re.ASCII)
# A folder that holds so much of the code is the code base's own, and is named as it is.
_MOST_OF_IT = 0.5


def without_project_name(question: Question, own_folders: Callable[[], frozenset[str]]) -> Question:
    """Return a question in which the code base's own name hardly counts.

    It stands in nearly all paths and in the name of its main class, so "How does Flask keep
    sessions?" would lead to what is in ``Flask``. A question that says nothing else keeps it.

    Args:
        question: What is asked.
        own_folders: Returns what the code base may be called; asked only if that matters.
    """
    if question.kind == "topic":
        return question
    names = (*_ACTING.findall(question.text), *_INSIDE.findall(question.text))
    for name in dict.fromkeys(names):
        own = set(terms_of_word(name))
        if not own or own.issuperset(question.terms):
            continue
        if name.lower().replace("-", "_") in own_folders():
            return replace(
                question,
                terms={
                    term: weight * (weights.ASKING_WEIGHT if term in own else 1.0)
                    for term, weight in question.terms.items()
                },
                names={n: w for n, w in question.names.items() if n != name or w == 1},
            )
    return question


def own_folders(paths: Sequence[str]) -> frozenset[str]:
    """Return the folders that most of the code lies in, in lower case and with ``_`` for ``-``."""
    code = [path.lower().replace("-", "_") for path in paths if not is_aside(path)]
    inside = Counter(folder for path in code for folder in set(path.split("/")[:-1]))
    return frozenset(folder for folder, n in inside.items() if n > _MOST_OF_IT * len(code))
