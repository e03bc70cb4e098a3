"""The name of the code base itself in a question: who is asked about, not what is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


def without_project_name(question: Question, paths: Sequence[str]) -> Question:
    """Return a question in which the code base's own name hardly counts.

    It stands in nearly all paths and in the name of its main class, so "How does Flask keep
    sessions?" would lead to what is in ``Flask``. A question that says nothing else keeps it.

    Args:
        question: What is asked.
        paths: All files of the code base.
    """
    if question.kind == "topic":
        return question
    names = (*_ACTING.findall(question.text), *_INSIDE.findall(question.text))
    for name in dict.fromkeys(names):
        own = set(terms_of_word(name))
        if own and not own.issuperset(question.terms) and _is_project(name.lower(), paths):
            return replace(
                question,
                terms={
                    term: weight * (weights.ASKING_WEIGHT if term in own else 1.0)
                    for term, weight in question.terms.items()
                },
                names={n: w for n, w in question.names.items() if n != name or w == 1},
            )
    return question


def _is_project(name: str, paths: Sequence[str]) -> bool:
    """Return whether most of the code lies in a folder of a name."""
    folders = {name, name.replace("-", "_")}
    code = [path for path in paths if not is_aside(path)]
    inside = sum(not folders.isdisjoint(path.lower().split("/")[:-1]) for path in code)
    return inside > _MOST_OF_IT * len(code)
