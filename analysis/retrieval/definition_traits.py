"""What the name and the kind of a definition say of it, whatever the question is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal

from analysis.parsing.words import split_identifier
from analysis.retrieval import weights
from analysis.retrieval.question_kind import QuestionKind

Trait = Literal["type", "interface", "base", "deciding", "constructor", "private"]
_TYPES = frozenset({"class", "interface", "type"})
_CONSTRUCTORS = frozenset({"__init__", "__new__", "constructor", "init"})
# What checks or decides is called so: "is_due", "shouldRetry", "validateOptions".
_DECIDING = """
accept accepts allow allows can check has is match matches may must need needs require requires
should valid validate ensure
"""
# What is there to be extended is called after its part: "JobStore", "BaseLoader", "Protocol".
_BASES = """
abstract adapter backend base driver engine factory handler interface kind plugin policy protocol
provider spec storage store strategy transport type
"""
_DECIDING_WORDS = frozenset(_DECIDING.split())
_BASE_WORDS = frozenset(_BASES.split())
_PRIVATE = re.compile(r"_(?!_)|#")


@lru_cache(maxsize=8192)
def traits_of(symbol: str | None, kind: str) -> frozenset[Trait]:
    """Return what a definition is by its name and kind.

    Args:
        symbol: Its qualified name; None for lines between definitions.
        kind: Its kind, as chunks have it.

    >>> sorted(traits_of("jobs.Backend", "class")), sorted(traits_of("Rule._is_due", "method"))
    (['base', 'type'], ['deciding', 'private'])
    >>> sorted(traits_of("Balancer", "interface"))
    ['interface', 'type']
    """
    name = (symbol or "").rpartition(".")[2]
    words = {word.lower() for word in split_identifier(name)}
    found: set[Trait] = set()
    if kind in _TYPES:
        found.add("type")
        if words & _BASE_WORDS:
            found.add("base")
    if kind == "interface":
        found.add("interface")
    if words & _DECIDING_WORDS:
        found.add("deciding")
    if name in _CONSTRUCTORS:
        found.add("constructor")
    elif _PRIVATE.match(name):
        found.add("private")
    return frozenset(found)


def worth_of(symbol: str | None, kind: str, asked: QuestionKind) -> float:
    """Return what its traits are worth for a kind of question, on the scale of scores."""
    worth = _worth(asked)
    return sum(worth[trait] for trait in traits_of(symbol, kind))


@cache
def _worth(asked: QuestionKind) -> Mapping[str, float]:
    return weights.TRAITS | weights.TRAITS_ASKED.get(asked, {})
