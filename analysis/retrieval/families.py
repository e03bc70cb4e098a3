"""Which of the ranked definitions are variants of one thing, and what they are variants of.

Who wants to add one more of a kind begins with the base class or the interface, not with one of
those that are there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from analysis.parsing.words import terms_of_word
from analysis.retrieval import weights
from analysis.retrieval.definition_ranking import RankedDefinition

if TYPE_CHECKING:
    from analysis.index.symbols import SymbolRow
    from analysis.retrieval.concepts import Concept
    from analysis.retrieval.definition_table import DefinitionTable
    from analysis.retrieval.scoring import Scorer

_CLASSES = frozenset({"class", "interface"})
_HOLDERS = _CLASSES | {"type", "enum"}
# What follows the name of a class: bases in parentheses, or after a word.
_BASES = re.compile(
    r"\bclass\s+\w+[^(]*\((?P<python>[^)]*)\)|\b(?:extends|implements)\s+(?P<others>[^{]+)"
)
_PARAMETERS = re.compile(r"\[[^\[\]]*\]|<[^<>]*>")
_NAME = re.compile(r"(?:[\w$]+\.)*(?P<name>[A-Za-z_$][\w$]*)(?!\s*=)")
_Base = tuple[RankedDefinition, int]
# Bases of bases are followed no further than that.
_MOST_STEPS = 3


def members_first(ranked: Sequence[RankedDefinition]) -> list[RankedDefinition]:
    """Return definitions with the best member of a class before the class, if that is the best.

    By itself a class tells what there is, but not how it works.
    """
    found = list(ranked)
    if not found or found[0].kind not in _HOLDERS or found[0].symbol is None:
        return found
    holder = found[0]
    for place, member in enumerate(found[1 : weights.MEMBERS_NEAR], 1):
        if _is_member(member, holder):
            first = replace(member, score=holder.score)
            return [
                first,
                replace(holder, score=member.score),
                *found[1:place],
                *found[place + 1 :],
            ]
    return found


def _is_member(member: RankedDefinition, holder: RankedDefinition) -> bool:
    inside = member.file_idx == holder.file_idx and (member.symbol or "").startswith(
        f"{holder.symbol}."
    )
    return inside and member.kind not in _HOLDERS


def bases_first(
    ranked: Sequence[RankedDefinition],
    scorer: Scorer,
    table: DefinitionTable,
    concepts: Sequence[Concept],
) -> list[RankedDefinition]:
    """Return definitions with what they are variants of before them, best first.

    A base that is named after the question is as likely an answer as all its variants and their
    members together; what is only a base of them, or of their bases, is less so.
    """
    about = frozenset(term for concept in concepts for term in concept.terms)
    shares: dict[int, float] = {definition.number: definition.score for definition in ranked}
    known = {definition.number: definition for definition in ranked}
    heads = cache(lambda path, symbol: base_names(scorer.view.signature(path, symbol)))
    above = cache(lambda path, symbol: list(_above(scorer, table, heads, path, symbol)))
    for definition in ranked:
        for base, step in _bases_of(definition, scorer, table, heads, above):
            if base.number not in known:
                known[base.number] = base
                shares[base.number] = 0.0
            terms = terms_of_word((base.symbol or "").rpartition(".")[2])
            is_named = not about.isdisjoint(terms)
            part = 1.0 if is_named else weights.BASE_UNNAMED * weights.BASE_OF_BASE**step
            if definition.kind not in _CLASSES:
                part *= weights.BASE_OF_MEMBER
            shares[base.number] += part * definition.score
    whole = sum(shares.values()) or 1.0
    found = [replace(known[number], score=share / whole) for number, share in shares.items()]
    return sorted(found, key=lambda one: -one.score)


def _bases_of(
    definition: RankedDefinition,
    scorer: Scorer,
    table: DefinitionTable,
    heads: Callable[[str, str], list[str]],
    above: Callable[[str, str], list[_Base]],
) -> Iterator[_Base]:
    """Yield the classes that a definition, or the class that it is in, is a variant of.

    With each comes over how many others.
    """
    path = scorer.view.file_table().paths[int(scorer.chunks.file_idx[definition.chunk_idx])]
    symbol = definition.symbol
    if symbol is None:
        return
    if definition.kind not in _CLASSES:
        owner = int(table.owner[definition.number])
        if owner < 0:
            return
        symbol, kind = scorer.view.chunk_symbol(int(table.chunk_idx[table.heads[owner]]))
        if kind not in _CLASSES or symbol is None:
            return
        if not heads(path, symbol):
            # What has no base is one itself if others name it in their heads.
            if _is_named_by_classes(scorer, table, symbol, owner):
                yield _as_ranked(owner, symbol, kind, table), 0
            return
    yield from above(path, symbol)


def _above(
    scorer: Scorer,
    table: DefinitionTable,
    heads: Callable[[str, str], list[str]],
    path: str,
    symbol: str,
) -> Iterator[_Base]:
    """Yield the bases of a class, and theirs."""
    seen: set[tuple[str, str]] = {(path, symbol)}
    pending = [(path, symbol)]
    for step in range(_MOST_STEPS):
        pending = [
            (row.path, row.info.qualified_name)
            for at, name in pending
            for base_name in heads(at, name)
            if (row := _class_named(scorer, base_name, at)) is not None
        ]
        pending = [place for place in pending if place not in seen]
        seen.update(pending)
        for at, name in pending:
            found = _definition_at(scorer, table, at, name)
            if found is not None:
                yield found, step


def _is_named_by_classes(scorer: Scorer, table: DefinitionTable, symbol: str, number: int) -> bool:
    """Return whether the heads of other classes name a class."""
    terms = terms_of_word(symbol.rpartition(".")[2])
    if not terms:
        return False
    for chunk_idx in scorer.postings(terms[-1]).chunk_idx.tolist():
        if scorer.chunks.kind_name(chunk_idx) in _CLASSES:
            own = int(table.number_of[chunk_idx])
            if own >= 0 and int(table.of_chunk[own]) != number:
                return True
    return False


def base_names(signature: str) -> list[str]:
    """Return the plain names of the classes that the head of a class names as its bases.

    >>> base_names("class Worker(base.Process, metaclass=Meta)")
    ['Process']
    >>> base_names("public class A extends B<C> implements D, E")
    ['B', 'D', 'E']
    """
    found: list[str] = []
    for match in _BASES.finditer(_without_parameters(signature)):
        text = match["python"] or match["others"] or ""
        for part in re.split(r",|\bimplements\b", text):
            name = _NAME.match(part.strip())
            if name is not None and "=" not in part:
                found.append(name["name"])
    return list(dict.fromkeys(found))


def _without_parameters(signature: str) -> str:
    """Return the head of a class without type parameters, however deep they are nested."""
    shorter = _PARAMETERS.sub("", signature)
    while shorter != signature:
        signature, shorter = shorter, _PARAMETERS.sub("", shorter)
    return shorter


def _class_named(scorer: Scorer, name: str, near: str) -> SymbolRow | None:
    """Return the class of a name: the one in the same file, else the one that is closest."""
    rows = [row for row in scorer.view.symbols_named(name) if row.info.kind in _CLASSES]
    folders = near.split("/")

    def distance(row: SymbolRow) -> int:
        shared = 0
        for ours, theirs in zip(folders, row.path.split("/"), strict=False):
            if ours != theirs:
                break
            shared += 1
        return len(folders) - shared

    return min(rows, key=distance, default=None)


def _definition_at(
    scorer: Scorer, table: DefinitionTable, path: str, symbol: str
) -> RankedDefinition | None:
    """Return a class by path and name, if it is among the definitions that are searched."""
    file_idx = scorer.view.file_table().index_of[path]
    first = int(scorer.chunks.first_chunk[file_idx])
    for chunk_idx in range(first, first + int(scorer.chunks.n_chunks[file_idx])):
        known, kind = scorer.view.chunk_symbol(chunk_idx)
        number = int(table.number_of[chunk_idx])
        if known == symbol and number >= 0:
            return _as_ranked(int(table.of_chunk[number]), symbol, kind, table)
    return None


def _as_ranked(number: int, symbol: str, kind: str, table: DefinitionTable) -> RankedDefinition:
    chunk_idx = int(table.chunk_idx[table.heads[number]])
    file_idx = int(table.file_idx[number])
    return RankedDefinition(number, chunk_idx, file_idx, symbol, kind, 0.0, {"base": 1.0})
