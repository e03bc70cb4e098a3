"""Ranked definitions as places: their lines, signatures, and why they were found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.models import Candidate
from analysis.retrieval import weights
from analysis.retrieval.definition_scoring import told_in
from analysis.retrieval.definition_table import definition_table
from analysis.retrieval.reasons import own_words, place_reasons

if TYPE_CHECKING:
    from analysis.retrieval.concepts import Concept
    from analysis.retrieval.definition_ranking import RankedDefinition
    from analysis.retrieval.question import Question
    from analysis.retrieval.scoring import Scorer

Explained = tuple[Candidate, Mapping[str, float]]
"""A place, and what each signal added to its score."""
_Ranked = tuple[Candidate, "RankedDefinition | None"]
# Of these the head tells what they are; their members are definitions of their own.
_CONTAINERS = frozenset({"class", "interface", "module"})


class DefinitionsAsPlaces:
    """Tells definitions as places, for one question."""

    def __init__(self, scorer: Scorer, question: Question, concepts: Sequence[Concept]) -> None:
        self._scorer = scorer
        self._paths = scorer.view.file_table().paths
        self._table = definition_table(scorer.view, question.asked_for)
        self._concepts = concepts

    def _with_reasons(
        self, items: Sequence[tuple[Candidate, RankedDefinition]]
    ) -> Iterator[Candidate]:
        """Yield places with signatures and why they are there: asked for what is shown only."""
        where = [
            (range(one.chunk_idx, self._last_chunk(one) + 1), own_words(one.symbol))
            for _, one in items
        ]
        told = told_in(self._scorer, self._table, self._concepts, where)
        for (place, definition), spoken in zip(items, told, strict=True):
            symbol = place.symbol
            yield replace(
                place,
                signature=self._scorer.view.signature(place.path, symbol) if symbol else "",
                reasons=place_reasons(definition, place.path, spoken),
            )

    def _place(self, definition: RankedDefinition) -> Candidate:
        chunks = self._scorer.chunks
        first = definition.chunk_idx
        last = self._last_chunk(definition)
        path = self._paths[int(chunks.file_idx[first])]
        symbol = definition.symbol
        return Candidate(
            path=path,
            line_start=int(chunks.line_start[first]),
            line_end=int(chunks.line_end[last]),
            symbol=symbol,
            kind=definition.kind,
            signature="",
            score=round(definition.score, 4),
            reasons=(),
        )

    def in_order(
        self,
        definitions: Sequence[RankedDefinition],
        files: Mapping[str, tuple[Candidate, ...]],
        top_k: int,
    ) -> list[Explained]:
        """Return definitions as places, then the best places of other files if there is room."""
        shown = definitions[:top_k]
        places = self._with_reasons([(self._place(one), one) for one in shown])
        found = [(place, one.explained) for place, one in zip(places, shown, strict=True)]
        known = {place.path for place, _ in found}
        rest: list[Explained] = [
            (places[0], {}) for path, places in files.items() if path not in known
        ]
        return [*found, *((replace(place, score=0.0), parts) for place, parts in rest)][:top_k]

    def by_file(
        self,
        definitions: Sequence[RankedDefinition],
        files: Mapping[str, tuple[Candidate, ...]],
        top_k: int,
    ) -> list[Explained]:
        """Return places in the order of the files that they are in, as suits some plain words.

        A further place of a good file comes before the first place of one that is much worse.

        Args:
            definitions: Ranked definitions.
            files: The best files, and their places by text alone.
            top_k: How many places are wanted at most.
        """
        ranked: dict[str, list[_Ranked]] = {}
        chunks = self._scorer.chunks
        for definition in definitions:
            path = self._paths[int(chunks.file_idx[definition.chunk_idx])]
            if path in files:
                ranked.setdefault(path, []).append((self._place(definition), definition))
        scored: list[tuple[float, _Ranked]] = []
        for path, by_text in files.items():
            best = by_text[0]
            # The text's best place goes first: it is what the file was found for.
            places: list[_Ranked] = [(best, None)]
            places += [item for item in ranked.get(path, ()) if not _same(item[0], best)]
            scored += [
                (best.score * weights.CHUNK_DECAY**rank, item) for rank, item in enumerate(places)
            ]
        scored.sort(key=lambda item: -item[0])
        shown = [
            (replace(place, score=round(score, 4)), definition)
            for score, (place, definition) in scored[:top_k]
        ]
        defined = [(place, one) for place, one in shown if one is not None]
        told = self._with_reasons(defined)
        return [(place, {}) if one is None else (next(told), one.explained) for place, one in shown]

    def _last_chunk(self, definition: RankedDefinition) -> int:
        """Return the chunk that ends a definition; what is inside it does not end it."""
        table = self._table
        number = int(table.number_of[definition.chunk_idx])
        if definition.kind in _CONTAINERS or definition.symbol is None:
            return definition.chunk_idx
        last = number
        for following in range(number + 1, len(table.of_chunk)):
            owner = int(table.of_chunk[following])
            if owner == definition.number:
                last = following
            elif not self._is_inside(owner, definition.number):
                break
        return int(table.chunk_idx[last])

    def _is_inside(self, number: int, outer: int) -> bool:
        """Return whether a definition lies in another one."""
        while number >= 0 and number != outer:
            number = int(self._table.owner[number])
        return number == outer


def _same(one: Candidate, other: Candidate) -> bool:
    """Return whether two places are of one definition, or share lines."""
    return one.symbol == other.symbol or (
        one.line_start <= other.line_end and other.line_start <= one.line_end
    )
