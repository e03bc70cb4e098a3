"""A question as ranking sees it: weighted terms, names, files, and kinds of files asked for."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analysis.parsing.words import Keywords, keywords, terms_of_word, words_in
from analysis.retrieval import weights
from analysis.retrieval.kind_names import names_beside_kinds
from analysis.retrieval.question_kind import QuestionKind, question_kind

_PREPOSITIONS_TEXT = """
across after against along among around as at before behind between beyond by despite during for
from in inside into of on over through to under until upon using via when where which while with
within without
"""
_PREPOSITIONS = frozenset(_PREPOSITIONS_TEXT.split())
_VERSION = re.compile(r"\bv(\d{1,3})\b", re.IGNORECASE)
# What a question calls the whole of the code, which says nothing of what is looked for in it.
_WHOLE = (
    r"(?:project|repo(?:sitory)?|code ?base|library|package|app(?:lication)?|program|framework)"
)
_ITSELF = re.compile(
    rf"\bthis {_WHOLE}\b|\A\W*what (?:does|is) the {_WHOLE}(?: do| about| for)?\W*\Z",
    re.IGNORECASE,
)
# How a question asks for files that otherwise stand back. A plain "test" is often part of a topic
# ("test client"); the plural and the usual phrases are about the tests themselves.
_ASKED = (
    ("tests", r"\b(?:(?:the|which|what|where|are|unit|integration|regression) tests|is tested|"
     r"are tested|test (?:suite|case|file|fixture)s?|(?:which|the) specs)\b"),
    ("examples", r"\b(?:which examples?|tutorials?|(?:example|sample|demo)s? (?:of|for|that))\b"),
    ("docs", r"\b(?:readme|changelog|release notes|documented|(?:in|which|what) (?:the )?docs|"
     r"(?:docs|documentation) (?:of|for|on|about))\b"),
    ("scripts", r"\bscripts\b"),
    ("benchmarks", r"\bbenchmarks?\b"),
    ("vendored", r"\b(?:vendor(?:ed)?|third[- ]party|bundled)\b"),
    ("templates", r"\b(?:(?:which|what|in) (?:the )?templates|template files?)\b"),
    ("data", r"\b(?:ya?ml|toml|dockerfile|makefile|workflows?|ci|pipeline config\w*|html|css|"
     r"package\.json|pyproject|manifest|lock ?file)\b"),
    ("compat", r"\b(?:compat\w*|legacy|deprecat\w*|backwards?|shims?)\b"),
    ("private", r"\b(?:internals?|private)\b"),
    ("output", r"\b(?:declarations?|typings|type stubs?|d\.ts|compiled)\b"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for."""

    text: str
    keywords: Keywords
    terms: Mapping[str, float]
    """Stem -> how much it is what the question is about; 1 for its topic."""
    joined: tuple[str, ...]
    """Neighbouring words written as one: ``data class`` -> ``dataclass``."""
    names: Mapping[str, float]
    """Possible names of definitions, exactly as written -> how surely each is one."""
    asked_for: frozenset[str]
    """Kinds of files that the question asks for expressly."""
    versions: frozenset[int]
    """Versions that it names: ``v3`` -> 3."""
    kind: QuestionKind
    """What kind of answer it asks for."""

    @property
    def empty(self) -> bool:
        """Return whether there is nothing to search for."""
        return self.keywords.empty


def read_question(text: str) -> Question:
    """Return a question taken apart.

    >>> question = read_question("alias handling for field names")
    >>> question.terms["alia"], question.terms["field"]
    (1.0, 0.65)
    >>> read_question("What does this project do?").empty
    True
    """
    plain = _ITSELF.sub(" ", text)
    found = keywords(plain)
    words = words_in(plain)
    pairs = itertools.pairwise(words)
    asked = [(kind, match) for kind, pattern in _ASKED if (match := re.search(pattern, text, re.I))]
    terms = _weighted(plain, found.terms)
    for _, match in asked:
        for term in _terms_in(match.group()):
            terms[term] = terms.get(term, 1.0) * weights.ASKED_WORD_WEIGHT
    return Question(
        text=text,
        keywords=found,
        terms={term: terms[term] for term in found.terms},
        joined=tuple(dict.fromkeys(f"{a}{b}".lower() for a, b in pairs)),
        names=_names(plain, words, found),
        asked_for=frozenset(kind for kind, _ in asked),
        versions=frozenset(int(number) for number in _VERSION.findall(text)),
        kind=question_kind(text),
    )


def names_the_whole(text: str) -> bool:
    """Return whether a question speaks of the code base as such ("this project")."""
    return _ITSELF.search(text) is not None


def _weighted(text: str, terms: tuple[str, ...]) -> dict[str, float]:
    """Return terms with their weights: those behind a preposition qualify those before it."""
    weighted = dict.fromkeys(terms, 0.0)
    current, topic = 1.0, False
    for word in re.findall(r"[\w.]+", text):
        if topic and word.lower() in _PREPOSITIONS:
            current = weights.QUALIFIER_WEIGHT
            continue
        for term, share in _terms_with_share(word):
            if term in weighted:
                topic = True
                weighted[term] = max(weighted[term], current * share)
    return {term: weight or 1.0 for term, weight in weighted.items()}


def _terms_with_share(text: str) -> Iterator[tuple[str, float]]:
    """Yield the terms of a word, with how much each is what was written."""
    for word in words_in(text):
        *parts, last = terms_of_word(word) or ("",)
        for part in parts:
            yield part, weights.PART_WEIGHT
        yield last, 1.0


def _terms_in(text: str) -> list[str]:
    return [term for word in words_in(text) for term in terms_of_word(word)]


def _names(text: str, words: list[str], found: Keywords) -> dict[str, float]:
    """Return the words that may name a definition."""
    names = {re.split(r"\W+", name)[-1] or name: 1.0 for name in found.identifiers}
    for name, is_whole in names_beside_kinds(text):
        names.setdefault(name, 1.0 if is_whole else weights.CAPITALISED_WEIGHT)
    for word in words[1:]:
        if word[:1].isupper():
            names.setdefault(word, weights.CAPITALISED_WEIGHT)
    return names
