"""How a file's name answers a question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from analysis.parsing.words import terms_of
from analysis.retrieval.abbreviations import other_forms
from analysis.retrieval.weights import ABBREVIATION_WEIGHT

# Names that say nothing: the folder names the file then.
_PLAIN_NAMES = frozenset(["__init__", "__main__", "index", "init", "main", "mod", "lib", "default"])
# Two letters begin too many words.
_SHORTEST_PREFIX = 3


@lru_cache(maxsize=65_536)
def name_terms(path: str) -> tuple[str, ...]:
    """Return the terms of a file's name without its ending; of its folder if the name is plain.

    >>> name_terms("lib/defaults/index.js"), name_terms("core/mergeConfig.js")
    (('default',), ('merg', 'config', 'mergeconfig'))
    """
    parts = path.split("/")
    name = parts[-1].split(".")[0] or parts[-1]
    if name.lower() in _PLAIN_NAMES and len(parts) > 1:
        name = parts[-2]
    return tuple(terms_of(name)) or (name.lower(),)


def name_matches(paths: Iterable[str], idf: Mapping[str, float]) -> list[tuple[float, float]]:
    """Return what share of the question each name covers, and what share of the name it covers.

    Args:
        paths: The files.
        idf: Weight of each of the question's terms.
    """
    total = sum(idf.values())
    if not total:
        return [(0.0, 0.0) for _ in paths]
    begin = frozenset(term[:_SHORTEST_PREFIX] for term in idf)
    forms = {term: frozenset(other_forms(term)) for term in idf}
    all_forms = frozenset[str]().union(*forms.values())
    found: list[tuple[float, float]] = []
    for path in paths:
        names, beginnings = name_terms(path), _beginnings(path)
        if begin.isdisjoint(beginnings) and all_forms.isdisjoint(names):
            found.append((0.0, 0.0))
            continue
        covered = 0.0
        used: set[int] = set()
        for term, weight in idf.items():
            if term[:_SHORTEST_PREFIX] in beginnings:
                position, surety = _position(term, names)
            elif not forms[term].isdisjoint(names):
                position, surety = _short_form(term, names)
            else:
                continue
            if position is not None:
                covered += weight * surety
                used.add(position)
        found.append((covered / total, len(used) / len(names)))
    return found


@lru_cache(maxsize=65_536)
def _beginnings(path: str) -> frozenset[str]:
    """Return how the words of a file's name begin: most terms are ruled out by that."""
    return frozenset(name[:_SHORTEST_PREFIX] for name in name_terms(path))


def _position(term: str, names: tuple[str, ...]) -> tuple[int | None, float]:
    """Return which word of the name a term matches, and how surely."""
    if len(term) < _SHORTEST_PREFIX:
        return (names.index(term), 1.0) if term in names else (None, 0.0)
    for i, name in enumerate(names):
        if name.startswith(term) or (len(name) >= _SHORTEST_PREFIX and term.startswith(name)):
            return i, 1.0
    return _short_form(term, names)


def _short_form(term: str, names: tuple[str, ...]) -> tuple[int | None, float]:
    """Return which word of the name abbreviates a term or is written out in it."""
    for form in other_forms(term):
        if form in names:
            return names.index(form), ABBREVIATION_WEIGHT
    return None, 0.0
