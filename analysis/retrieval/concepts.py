"""A question as concepts: each thing that it speaks of, with all the words that code has for it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from analysis.parsing.stems import stem
from analysis.parsing.words import STOP_WORDS, split_identifier
from analysis.retrieval import weights
from analysis.retrieval.abbreviations import other_forms
from analysis.retrieval.question import Question
from analysis.retrieval.question_kind import asking_words
from analysis.retrieval.thesaurus import phrases_in, synonyms


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing that a question speaks of."""

    said: str
    """As the question says it."""
    weight: float
    """How much the question is about it."""
    terms: Mapping[str, float]
    """Stem -> how surely it means this; 1 for the question's own word."""


def concepts_of(question: Question) -> tuple[Concept, ...]:
    """Return the concepts of a question.

    Several words for one thing are one concept, so that a place that uses many of them is not
    taken for one that speaks of many things.
    """
    words = re.findall(r"\w+", question.text)
    found: list[Concept] = []
    covered: set[str] = set()
    for phrase in phrases_in(words):
        said = words[phrase.first : phrase.first + phrase.n_words]
        terms = dict.fromkeys(phrase.terms, weights.SYNONYM_WEIGHT)
        own = [stem(word.lower()) for word in said if word.lower() not in STOP_WORDS]
        terms.update(dict.fromkeys(own, weights.PHRASE_WORD_WEIGHT))
        joined = "".join(said).lower()
        terms.update({joined: 1.0, stem(joined): 1.0})
        found.append(Concept(" ".join(said), 1.0, terms))
        covered.update(stem(word.lower()) for word in said)
    asking = {stem(word) for word in asking_words(question.text)}
    said_for = _said(words)
    for term, weight in question.terms.items():
        if term not in covered:
            factor = weights.ASKING_WEIGHT if term in asking else 1.0
            found.append(Concept(said_for(term), weight * factor, _terms(term)))
    found.extend(_joined(question))
    return tuple(found)


def _terms(term: str) -> dict[str, float]:
    """Return a word's stem with what it abbreviates, and with other words for the thing."""
    terms = dict.fromkeys(synonyms(term), weights.SYNONYM_WEIGHT)
    terms.update(dict.fromkeys(other_forms(term), weights.SHORT_FORM_WEIGHT))
    terms[term] = 1.0
    return terms


def _said(words: list[str]) -> Callable[[str], str]:
    """Return what tells the first word of the question with a stem, or the part of a word.

    >>> said = _said(["HTTPException", "many", "proxies"])
    >>> said("except"), said("proxi")
    ('Exception', 'proxies')
    """
    whole: dict[str, str] = {}
    parts: dict[str, str] = {}
    for word in words:
        lower = word.lower()
        whole.setdefault(stem(lower), word)
        for part in split_identifier(word):
            at = lower.find(part.lower())
            if at >= 0:
                parts.setdefault(stem(part.lower()), word[at : at + len(part)])
    return lambda term: (
        whole.get(term)
        or parts.get(term)
        or next((word for word in words if term in word.lower()), term)
    )


def _joined(question: Question) -> list[Concept]:
    """Return neighbouring words written as one: ``data class`` -> ``dataclass``."""
    return [
        Concept(joined, weights.JOINED_WEIGHT, dict.fromkeys({joined, stem(joined)}, 1.0))
        for joined in itertools.islice(question.joined, weights.MOST_JOINED)
    ]
