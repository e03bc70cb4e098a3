"""Finds cited lines in the definition, or module, that they were in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.documents.anchor_region import AnchorRegion, Spot
from analysis.documents.mark import Mark
from analysis.documents.marking import WantedMark, block_head, block_kinds, elsewhere_of, twins_of
from analysis.models import SymbolInfo

# Code of so few tokens is everywhere: its surroundings must speak for it, too.
_TELLING_TOKENS = 5
# An assignment has three: a name, a sign, a value. "return x" has fewer.
_FEWEST_TOKENS = 3
# So many widths of the surroundings must agree where nothing else speaks for a place.
_CERTAIN_WIDTHS = 2


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """What became of some lines inside their definition."""

    spot: Spot | None = None
    """Where they are, if that is certain."""
    ambiguous: bool = False
    """Whether there are several places, and nothing tells which it is."""
    branch: Spot | None = None
    """Where the same code stands in another branch now."""
    gap: tuple[int, int] | None = None
    """The lines that stand now between what was around the cited ones."""
    deleted: bool = False
    """Whether what was around the cited lines stands side by side now."""


def find_place(
    region: AnchorRegion, info: SymbolInfo | None, mark: Mark, line_count: int
) -> FoundPlace:
    """Return where the marked lines are in a region that was edited.

    Args:
        region: The definition or module.
        info: The definition; None for the module.
        mark: What is remembered of the lines.
        line_count: How many lines were cited.
    """
    search = _PlaceSearch(region, info, mark, line_count)
    return search.found() or search.between() or FoundPlace()


class _PlaceSearch:
    """The search for one mark in one region."""

    def __init__(
        self, region: AnchorRegion, info: SymbolInfo | None, mark: Mark, line_count: int
    ) -> None:
        self._region, self._info, self._mark, self._count = region, info, mark, line_count
        self._wanted = WantedMark(
            mark.size, mark.first, mark.code, mark.blocks, mark.text, line_count
        )

    def found(self) -> FoundPlace | None:
        """Return where the same code is in the same blocks; None if it is nowhere in them."""
        mark = self._mark
        spots = twins_of(self._region, self._info, self._wanted)
        same = [spot for spot in spots if self._head(spot.line_start) == mark.head]
        if same:
            chosen = self._of_same_head(same)
        elif not spots or mark.head in self._heads():
            return self._within_lines()
        else:
            chosen = self._of_other_heads(spots)
        if chosen is not None:
            return FoundPlace(spot=chosen)
        between = self.between()
        if between is None or between.branch is not None or _is_in_gap(spots, between):
            return FoundPlace(ambiguous=True)
        return between

    def between(self) -> FoundPlace | None:
        """Return what stands between what was around the lines; None if that is not clear."""
        mark, region = self._mark, self._region
        elsewhere = [
            spot
            for spot in elsewhere_of(region, self._info, self._wanted)
            if (mark.total == 1 and self._is_telling()) or max(self._agreement(spot))
        ]
        # Where the same code was in other branches before, it need not have come from here.
        branch = elsewhere[0] if len(elsewhere) == 1 and not mark.others else None
        before, after = region.borders(mark.around, _CERTAIN_WIDTHS)
        if len(before) != 1 or len(after) != 1 or before[0] > after[0]:
            return FoundPlace(branch=branch) if branch is not None else None
        lines = region.lines_between(before[0], after[0])
        return FoundPlace(branch=branch, gap=lines, deleted=lines is None)

    def _of_same_head(self, spots: Sequence[Spot]) -> Spot | None:
        """Return which place it is: the number of twins must fit, or what is around them."""
        mark = self._mark
        agreement = [self._agreement(spot) for spot in spots]
        if len(spots) == mark.count == 1:
            telling = mark.size >= _TELLING_TOKENS or max(agreement[0])
            return spots[0] if telling else None
        both = [i for i, (before, after) in enumerate(agreement) if before and after]
        best = max(map(sum, agreement))
        both = [i for i in both if sum(agreement[i]) == best]
        fits = len(spots) == mark.count
        if mark.alone and len(both) == 1:
            (only,) = both
            certain = only == mark.ordinal if fits else _is_best_on_each_side(only, agreement)
            if certain:
                return spots[only]
        return spots[mark.ordinal] if fits and mark.ordinal in both else None

    def _of_other_heads(self, spots: Sequence[Spot]) -> Spot | None:
        """Return which place it is after the branch around it got another condition."""
        if len(spots) == self._mark.total == 1:
            return spots[0] if max(self._agreement(spots[0])) else None
        agreement = [self._agreement(spot) for spot in spots]
        both = [number for number, widths in enumerate(agreement) if all(widths)]
        certain = self._mark.alone and len(both) == 1 and _is_best_on_each_side(both[0], agreement)
        return spots[both[0]] if certain else None

    def _within_lines(self) -> FoundPlace | None:
        """Return the place where the code shares its lines with other code."""
        mark, region = self._mark, self._region
        certain = [
            spot
            for spot in region.find_within_lines(mark.size, mark.first, mark.code)
            if min(self._agreement(spot)) >= _CERTAIN_WIDTHS
            and self._is_here(spot)
            and self._has_blocks(spot)
        ]
        return FoundPlace(spot=certain[0]) if mark.alone and len(certain) == 1 else None

    def _is_telling(self) -> bool:
        """Return whether the code is more than a word or two, which stand in any branch."""
        return self._mark.rule == "l" or self._mark.size >= _FEWEST_TOKENS

    def _is_here(self, spot: Spot) -> bool:
        """Return whether a place belongs to the definition and not to one inside it."""
        return self._region.file.innermost(spot.line_start, spot.line_end) is self._info

    def _has_blocks(self, spot: Spot) -> bool:
        """Return whether a place is in blocks of the same kinds."""
        region = self._region
        kinds = block_kinds(region.file, self._info, spot.line_start, region.rule)
        return kinds == self._mark.blocks

    def _agreement(self, spot: Spot) -> tuple[int, int]:
        return self._mark.around.agreement(self._region.around(spot))

    def _head(self, line: int) -> str:
        return block_head(self._region.file, self._info, line, self._region.rule)

    def _heads(self) -> set[str]:
        """Return the hints of the heads of all branches of the region."""
        return {self._head(line) for line in sorted(set(self._region.lines))}


def _is_best_on_each_side(number: int, agreement: Sequence[tuple[int, int]]) -> bool:
    """Return whether no other place agrees better with what was before or after the lines."""
    return all(
        mine >= other
        for widths in agreement
        for mine, other in zip(agreement[number], widths, strict=True)
    )


def _is_in_gap(spots: Sequence[Spot], found: FoundPlace) -> bool:
    """Return whether one of the places is where the cited lines should be."""
    gap = found.gap
    return gap is not None and any(gap[0] <= s.line_start and s.line_end <= gap[1] for s in spots)
