"""Other words for what a question says: how people speak of a thing, and what code calls it.

``thesaurus.txt`` holds general knowledge of programming, nothing of any one code base. A line is a
group: names as code has them stand for one another, and behind the bar stand turns of phrase that
mean the same in plain English.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from analysis.parsing.stems import stem

_FILE = Path(__file__).with_name("thesaurus.txt")
_LONGEST_PHRASE = 5


@dataclass(frozen=True, slots=True)
class Phrase:
    """A turn of phrase in a question that means what code has a word for."""

    first: int
    """Number of its first word in the question."""
    n_words: int
    terms: frozenset[str]
    """Stems of the words that code may have for it."""


@dataclass(frozen=True, slots=True)
class _Thesaurus:
    groups: dict[str, list[frozenset[str]]]
    """By stem: the groups that hold it, which most questions ask for few words of."""
    phrases: dict[tuple[str, ...], list[frozenset[str]]]
    written: dict[str, str]
    """A word by its stem, as it stands in the file."""


def synonyms(term: str) -> frozenset[str]:
    """Return the stems that code may have for a stem.

    >>> "retri" in synonyms("again"), synonyms("zeppelin")
    (True, frozenset())
    """
    return frozenset().union(*_thesaurus().groups.get(term, ())) - {term}


def written(term: str) -> str:
    """Return a word of the thesaurus by its stem; the stem itself if it is none."""
    return _thesaurus().written.get(term, term)


def phrases_in(words: Sequence[str]) -> Iterator[Phrase]:
    """Yield the known turns of phrase, the longest first where several begin; none overlap.

    >>> [(p.first, p.n_words) for p in phrases_in("is it tried again at the same time".split())]
    [(2, 2), (4, 4)]
    """
    stems = [stem(word.lower()) for word in words]
    known = _thesaurus().phrases
    position = 0
    while position < len(stems):
        for n in range(min(_LONGEST_PHRASE, len(stems) - position), 1, -1):
            found = known.get(tuple(stems[position : position + n]))
            if found is not None:
                yield Phrase(position, n, frozenset().union(*found))
                position += n - 1
                break
        position += 1


@cache
def _thesaurus() -> _Thesaurus:
    groups: dict[str, list[frozenset[str]]] = {}
    phrases: dict[tuple[str, ...], list[frozenset[str]]] = {}
    written: dict[str, str] = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        names, _, spoken = line.partition("|")
        stems = {stem(name): name for name in reversed(names.split())}
        members = frozenset(stems)
        for member, name in stems.items():
            written.setdefault(member, name)
            groups.setdefault(member, []).append(members)
        for phrase in spoken.split():
            first, *more = map(stem, phrase.split("_"))
            if more:
                phrases.setdefault((first, *more), []).append(members)
            else:
                groups.setdefault(first, []).append(members)
    return _Thesaurus(groups, phrases, written)
