"""The words of a question that are nowhere in the code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.parsing.stems import stem
from analysis.parsing.words import split_identifier, terms_of_word
from analysis.retrieval.question_kind import asking_words
from analysis.retrieval.thesaurus import phrases_in

if TYPE_CHECKING:
    from analysis.retrieval.question import Question
    from analysis.retrieval.scoring import Scorer


def unknown_words(question: Question, scorer: Scorer, paths: Sequence[str]) -> tuple[str, ...]:
    """Return the words that nothing in the code base holds: no text, path or compound.

    What a question asks with ("what depends on") need not be in the code.
    """
    asking = asking_words(question.text)
    missing = [
        word
        for word in question.keywords.words
        if word not in asking
        and (terms := terms_of_word(word))
        and not any(len(scorer.postings(t)) for t in terms)
    ]
    names = _unknown_names(question, scorer)
    if not missing and not names:
        return ()
    of_names = {stem(part) for name in names for part in split_identifier(name)}
    understood = _understood(question, scorer)
    missing = [w for w in missing if w not in understood and stem(w) not in of_names]
    compounds = [*question.terms, *map(stem, question.joined)]
    found = [term for term in compounds if len(scorer.postings(term))]
    known = "\n".join([*found, *paths]).lower()
    return tuple(word for word in (*names, *missing) if stem(word.lower()) not in known)


def _unknown_names(question: Question, scorer: Scorer) -> list[str]:
    """Return the names of several words ("GraphQL") that the code base has not, whole or in parts.

    One of which it has all words may be part of a longer one.
    """
    found = []
    for name in question.keywords.identifiers:
        *parts, whole = terms_of_word(name) or ("",)
        if (
            parts
            and "." not in name
            and not len(scorer.postings(whole))
            and not all(len(scorer.postings(part)) for part in parts)
        ):
            found.append(name)
    return found


def _understood(question: Question, scorer: Scorer) -> frozenset[str]:
    """Return the words of turns of phrase that the code has a word for ("looked up": lookup)."""
    words = re.findall(r"\w+", question.text)
    return frozenset(
        word
        for phrase in phrases_in(words)
        if any(len(scorer.postings(term)) for term in phrase.terms)
        for word in words[phrase.first : phrase.first + phrase.n_words]
    )
