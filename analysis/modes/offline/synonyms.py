"""Words of names that say the same as a question's word: short forms, and verbs of one family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from analysis.parsing.stems import stem
from analysis.retrieval.abbreviations import other_forms

# Names and questions choose between these freely: a command "gets executed" in ``invoke``.
_FAMILIES_TEXT = """
execute run invoke perform main;dispatch handle process;load read;store save persist write;
show display print echo;create make build;remove delete drop;resolve lookup match find;
validate verify;convert transform cast;combine merge;pick select choose;
start launch boot begin;stop shutdown close;fetch load get;follow redirect;
collect gather;cancel abort;encode serialize dump;decode deserialize parse;
refresh update;paint render draw
"""


@cache
def _families() -> Mapping[str, frozenset[str]]:
    """Return stem -> the stems of its families, without itself."""
    found: dict[str, set[str]] = {}
    for family in _FAMILIES_TEXT.replace("\n", "").split(";"):
        stems = {stem(word) for word in family.split()}
        for one in stems:
            found.setdefault(one, set()).update(stems - {one})
    return {one: frozenset(others) for one, others in found.items()}


def kin_of(terms: Iterable[str]) -> dict[str, str]:
    """Return for stems that say the same as a term of the question that term.

    >>> kin_of(["configur", "execut"])["config"], kin_of(["configur", "execut"])["invok"]
    ('configur', 'execut')
    """
    asked = list(terms)
    kin: dict[str, str] = {}
    for others in (other_forms, lambda term: _families().get(term, frozenset())):
        for term in asked:
            for other in others(term):
                kin.setdefault(other, term)
    return {other: term for other, term in kin.items() if other not in asked}
