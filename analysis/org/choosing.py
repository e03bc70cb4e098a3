"""Which repositories can answer a question, from what each says of itself; none of them is read."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.index.schema import FORMAT
from analysis.org.stored_rows import RepositoryHead
from analysis.parsing.stems import stem
from analysis.parsing.words import split_identifier
from analysis.retrieval import weights

if TYPE_CHECKING:
    from psycopg import Connection

    from analysis.retrieval.concepts import Concept
    from analysis.retrieval.question import Question

# A word counts half of what it can where it stands in so many pieces of code, and in so many more
# in a repository of average size: the form of CORI (Callan and others, 1995), which chooses among
# collections. A name says as much with a tenth of that.
_HALF, _HALF_BY_SIZE = 10.0, 30.0
_NAMED_HALF, _NAMED_HALF_BY_SIZE = 1.0, 3.0
_NAME = re.compile(r"[\w.-]+")
_MOST_REASONS = 3
_NAMES_IT, _HAS_ITS_NAME = "The question names it.", "The question has its name as a word."
_KIND = r"(?:repo|repository|package|library|service|project|client|framework)"
# In quotes, with a sign in it, as a path, beside its kind, or with a capital in a sentence.
_WRITTEN_AS_NAME = (
    r"[`'\"/]{0}\b|\b{0}[`'\"/]|\b{0}(?i:[ -]" + _KIND + r"\b)|\b(?i:" + _KIND + r") {0}\b"
    r"|[\w,] {1}\b"
)
# What each tells of how likely a repository is meant, in logarithms; see ``first_look``.
_SPEAKS, _CALLED_SO = 3.3, 1.8
# Only for being looked at: what a definition of that name is worth, the look itself tells.
_DEFINES_SO = 1.4


@dataclass(frozen=True, slots=True)
class ChosenRepository:
    """A repository that may answer, and why."""

    head: RepositoryHead
    score: float
    """The logarithm of how likely it is meant, but for a number that all of a question share."""
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The repositories that may answer, best first, and how many were looked at."""

    repositories: tuple[ChosenRepository, ...]
    visible: int
    """Repositories that this login sees."""
    rarity: Mapping[str, float]
    """How rare each word of the question is among the pieces of code of all of them."""
    notes: tuple[str, ...] = ()
    """What could not be looked at, in whole sentences."""


def visible_heads(conn: Connection[Any]) -> list[RepositoryHead]:
    """Return the visible commit of each repository that this login sees, in order of name."""
    rows = conn.execute(
        "SELECT r.id, r.name, r.url, h.branch, h.commit_id, h.generation, r.format, h.n_files,"
        " h.n_chunks, r.audience FROM scope.repositories r"
        " JOIN scope.heads h ON h.repo = r.id AND h.branch = r.branch ORDER BY r.name"
    )
    return [RepositoryHead(*row) for row in rows]


def choose(
    conn: Connection[Any],
    heads: Sequence[RepositoryHead],
    question: Question,
    concepts: Sequence[Concept],
    most: int,
) -> Chosen:
    """Return the repositories that speak most of what a question asks for.

    All numbers are about repositories that this login sees: others are not read.

    Args:
        conn: A transaction.
        heads: All repositories that the login sees.
        question: What is asked.
        concepts: What it speaks of.
        most: How many are returned at most.
    """
    usable = [head for head in heads if head.format == FORMAT and head.n_chunks]
    words = _words_in(question.text)
    called = {head.repo: stem(name) for head in usable if (name := _last_name(head)) in words}
    terms = sorted({*called.values(), *(term for one in concepts for term in one.terms)})
    counts = _counts(conn, usable, terms)
    rarity = _rarity(usable, counts)
    average = sum(head.n_chunks for head in usable) / max(len(usable), 1)
    most_said = sum(concept.weight * _most(concept, rarity) for concept in concepts) or 1.0
    defining = _defining(conn, usable, [*question.names])
    found: list[ChosenRepository] = []
    for head in usable:
        mine = counts.get(head.repo, {})
        told = [_told(concept, mine, rarity, head.n_chunks / average) for concept in concepts]
        score = _SPEAKS * sum(one.value for one in told) / most_said
        reasons = _reasons(told)
        if head.repo in called:
            likely = _names_it(head, question.text, called[head.repo], counts)
            score += _CALLED_SO * likely
            reasons = (_NAMES_IT if likely > 0.5 else _HAS_ITS_NAME, *reasons)
        if score > 0 or head.repo in defining:
            found.append(ChosenRepository(head, score, reasons))
    found.sort(
        key=lambda one: (-one.score - _DEFINES_SO * (one.head.repo in defining), one.head.name)
    )
    return Chosen(tuple(found[:most]), len(heads), rarity, _notes(heads))


_Counts = Mapping[str, tuple[int, int]]
COUNTS = (
    "SELECT s.repo, s.term, s.chunks, s.named FROM unnest(%s::int8[]) AS wanted (audience)"
    " CROSS JOIN LATERAL (SELECT repo, term, chunks, named FROM scope.summaries"
    " WHERE audience = wanted.audience AND term = ANY(%s::text[]) OFFSET 0) s"
)
"""What the summaries of some audiences say of some terms."""


def _counts(
    conn: Connection[Any], heads: Sequence[RepositoryHead], terms: Sequence[str]
) -> dict[int, dict[str, tuple[int, int]]]:
    """Return by repository in how many chunks each term stands, and how often as a name.

    The query goes by audience first, all of whose repositories are seen if one is, so that it
    touches no row of one that is not seen: neither what it returns nor how long it takes depends on
    those. ``OFFSET 0`` holds the server to that; without it, it reads the whole table where that
    seems less work.
    """
    wanted = (sorted({head.audience for head in heads}), list(terms))
    rows = conn.execute(COUNTS, wanted, binary=True)
    found: dict[int, dict[str, tuple[int, int]]] = {head.repo: {} for head in heads}
    for repo, term, chunks, named in rows:
        if repo in found:
            found[repo][term] = (chunks, named)
    return found


def _defining(
    conn: Connection[Any], heads: Sequence[RepositoryHead], names: Sequence[str]
) -> set[int]:
    """Return the repositories that define one of some names, in exact case."""
    if not names:
        return set()
    rows = conn.execute(
        "SELECT s.repo FROM unnest(%s::int4[]) AS wanted (repo) CROSS JOIN LATERAL (SELECT repo"
        " FROM scope.symbols WHERE repo = wanted.repo AND name = ANY(%s::text[]) LIMIT 1) s",
        ([head.repo for head in heads], list(names)),
    )
    return {repo for (repo,) in rows}


def _rarity(heads: Sequence[RepositoryHead], counts: Mapping[int, _Counts]) -> dict[str, float]:
    """Return how rare each term is among the pieces of code of all repositories that are seen."""
    holders: dict[str, int] = {}
    for mine in counts.values():
        for term, (chunks, _) in mine.items():
            holders[term] = holders.get(term, 0) + chunks
    n = sum(head.n_chunks for head in heads)
    return {term: math.log(1 + (n - df + 0.5) / (df + 0.5)) for term, df in holders.items()}


def _most(concept: Concept, rarity: Mapping[str, float]) -> float:
    return max((surety * rarity.get(t, 0.0) for t, surety in concept.terms.items()), default=0.0)


@dataclass(frozen=True, slots=True)
class _ToldOf:
    """What a repository has to say on a concept."""

    said: str
    """As the question says it."""
    value: float
    own_word: bool
    """Whether it has the question's own word, not another one for the thing."""
    named: bool
    """Whether a definition has the word in its name."""


def _told(concept: Concept, mine: _Counts, rarity: Mapping[str, float], size: float) -> _ToldOf:
    """Return what a repository has to say on a concept, by its best word for it.

    Args:
        concept: Something that the question speaks of.
        mine: The repository's summary.
        rarity: Of each word, among all repositories that are seen.
        size: Of the repository; 1 for the average.
    """
    best = _ToldOf(concept.said, 0.0, own_word=False, named=False)
    for term, surety in concept.terms.items():
        if term in mine:
            chunks, named = mine[term]
            spoken = chunks / (chunks + _HALF + _HALF_BY_SIZE * size)
            defined = named / (named + _NAMED_HALF + _NAMED_HALF_BY_SIZE * size)
            value = concept.weight * surety * rarity[term] * (spoken + defined)
            if value > best.value:
                best = _ToldOf(concept.said, value, surety >= weights.SURE_WORD, named > 0)
    return best


def _words_in(question: str) -> frozenset[str]:
    """Return the words of a question and the parts of identifiers, in small letters."""
    words = [word.strip(".-") for word in _NAME.findall(question)]
    return frozenset(part for word in words for part in (word.lower(), *split_identifier(word)))


def _names_it(
    head: RepositoryHead, question: str, term: str, counts: Mapping[int, _Counts]
) -> float:
    """Return how likely the word of a question that is a repository's name stands for that.

    Written as a name it does. As a plain word ("how are failed requests sent again") the less, the
    more of the other repositories define something named by it.

    Args:
        head: A repository whose name is a word of the question.
        question: The text.
        term: The stem of the name.
        counts: The summaries of all repositories that are seen.
    """
    name = head.name.rpartition("/")[2]
    as_name = _WRITTEN_AS_NAME.format(re.escape(name), re.escape(name.capitalize()))
    if not name.isalnum() or re.search(as_name, question):
        return 1.0
    others = [mine for repo, mine in counts.items() if repo != head.repo]
    return 1 - sum(mine.get(term, (0, 0))[1] > 0 for mine in others) / max(len(others), 1)


def _last_name(head: RepositoryHead) -> str:
    return head.name.rpartition("/")[2].lower()


def _reasons(told: Sequence[_ToldOf]) -> tuple[str, ...]:
    """Return why a repository was chosen: what it tells most about, three things at most."""
    best = sorted((one for one in told if one.value > 0), key=lambda one: -one.value)
    reasons = []
    for one in best[:_MOST_REASONS]:
        does = "Defines something named after" if one.named else "Speaks of"
        how = "" if one.own_word else ", in another word"
        reasons.append(f"{does} {one.said!r}{how}.")
    return tuple(reasons)


def _notes(heads: Sequence[RepositoryHead]) -> tuple[str, ...]:
    others = [head.name for head in heads if head.format != FORMAT]
    if not others:
        return ()
    named = ", ".join(repr(name) for name in others[:3])
    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
    return (f"Published by another version of Scope and not searched: {named}{more}.",)
