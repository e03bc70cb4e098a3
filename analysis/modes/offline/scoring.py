"""Scores definitions for a question: what ranking says of them, and what their neighbours are."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analysis.modes.offline.relevance import synonyms_of, telling_terms, terms_of_name
from analysis.modes.places import CallEdge, Place
from analysis.parsing.stems import stem
from analysis.parsing.words import split_identifier
from analysis.retrieval.question import Question

# A definition next to good ones is worth this part of their score.
_FROM_NEIGHBOURS = 0.45
# More callers than this, and being called says nothing about the question any more.
_HUB_DEGREE = 6
# What only the class is named after says less of each of its methods.
_OWNER_PART = 0.6
# A member of the class that the question names, but not itself named after it.
_MEMBER_PART = 0.6
# A word that means the same is not the very word.
_SYNONYM_COST = 0.3
# ``QuerySet`` in a question is that name, and only a little any "query" or "set".
_PART_OF_NAME = 0.3


@dataclass(frozen=True, slots=True)
class Scores:
    """How well definitions fit a question; 1 is the best."""

    by_place: Mapping[Place, float]
    direct: Mapping[Place, float]
    """Without what the neighbours contribute."""
    term_weights: Mapping[str, float]
    """How much each of the question's terms tells; they add up to 1."""
    synonyms: Mapping[str, str] = field(default_factory=dict)
    """Words that say the same as one of those terms, and which."""
    demotions: Mapping[Place, float] = field(default_factory=dict)
    """What part of their score definitions deserve as something to read, where it is not all."""

    def of(self, place: Place) -> float:
        """Return a place's score; 0 for one that was never considered."""
        return self.by_place.get(place, 0.0)

    def covered(self, place: Place) -> frozenset[str]:
        """Return the question's terms that a definition's name holds."""
        return self._held_by(place, place.name)

    def covered_by_itself(self, place: Place) -> frozenset[str]:
        """Return the question's terms that a name holds without that of its class."""
        return self._held_by(place, place.name.rpartition(".")[2])

    def exactness(self, place: Place) -> float:
        """Return how much of the question a name says, and how little else, from 0 to 1.

        A method of a class that is named like the question's topic is part of that topic.
        """
        if place.info is None:
            return 0.0
        own = self._match(place.name.rpartition(".")[2], self._held_by(place, place.owner))
        return max(own, _MEMBER_PART * self._match(place.owner, frozenset()))

    def _match(self, name: str, around: frozenset[str]) -> float:
        """Return the F1 of the terms of a name and of the question."""
        written = telling_terms(name.rpartition(".")[2])
        said = [self.synonyms.get(term, term) for term in written]
        held = {term for term in said if term in self.term_weights}
        if not held:
            return 0.0
        n_synonyms = sum(term in self.synonyms for term in written)
        recall = sum(self.term_weights[term] for term in held)
        recall += _OWNER_PART * sum(self.term_weights[term] for term in around - held)
        precision = len(held) / len(written) * (1 - _SYNONYM_COST * n_synonyms / len(written))
        return 2 * precision * recall / (precision + recall)

    def _held_by(self, place: Place, name: str) -> frozenset[str]:
        if place.info is None:
            return frozenset()
        return terms_of_name(name, self.synonyms) & self.term_weights.keys()


def score_places(
    places: Sequence[Place],
    edges: Sequence[CallEdge],
    relevance: Mapping[tuple[str, str], float],
    question: Question,
    frequencies: Mapping[str, int],
    demotions: Mapping[Place, float],
) -> Scores:
    """Return the scores of all definitions of a graph."""
    direct = {p: relevance.get((p.path, p.name), 0.0) for p in places}
    neighbours: dict[Place, list[Place]] = defaultdict(list)
    for edge in edges:
        neighbours[edge.source].append(edge.target)
        neighbours[edge.target].append(edge.source)
    scores = {}
    for place in places:
        near = sorted((direct.get(p, 0.0) for p in set(neighbours[place])), reverse=True)
        spread = _FROM_NEIGHBOURS * sum(near[:3]) / 3
        hub = min(1.0, _HUB_DEGREE / max(1, len(neighbours[place])))
        scores[place] = direct.get(place, 0.0) + spread * math.sqrt(hub)
    synonyms = synonyms_of(question.terms)
    return Scores(
        scores, direct, _term_weights(question, frequencies, places, synonyms), synonyms, demotions
    )


def _term_weights(
    question: Question,
    frequencies: Mapping[str, int],
    places: Sequence[Place],
    synonyms: Mapping[str, str],
) -> dict[str, float]:
    """Return how much each term tells that some definition is named with: the rarer, the more."""
    held = {term for place in places for term in terms_of_name(place.name, synonyms)}
    parts = {
        stem(part)
        for name in question.keywords.identifiers
        for part in split_identifier(name)
        if part != name.lower()
    }
    most = max(frequencies.values(), default=1) + 1
    raw = {}
    for term, weight in question.terms.items():
        if term in held:
            rarity = 1.0 + min(2.0, 0.5 * math.log(most / (1 + frequencies.get(term, 0))))
            raw[term] = weight * rarity * (_PART_OF_NAME if term in parts else 1.0)
    total = sum(raw.values()) or 1.0
    return {term: weight / total for term, weight in raw.items()}
