"""Reads what a model asked for, and keeps what a search has brought to light."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analysis.modes.explored import KeyLocation, Wanted, unseen
from analysis.modes.prompt_budget import Room
from analysis.tools.fences import Fences
from analysis.tools.tool import Shown

if TYPE_CHECKING:
    from analysis.modes.job import Job


# Less of a definition than this tells little.
_LEAST_SHARE = 1_500


@dataclass(slots=True)
class SearchEvidence:
    """What exploration has brought to light."""

    insights: list[str] = field(default_factory=list)
    locations: list[KeyLocation] = field(default_factory=list)
    read: list[tuple[str, int, int]] = field(default_factory=list)
    """Places that the model asked for, in order: path, first and last line."""
    found: list[Shown] = field(default_factory=list)
    """Places that a search of the model named, which it may not have read."""
    files: list[str] = field(default_factory=list)
    """Files that the model named as those that matter, best first."""
    remarks: list[str] = field(default_factory=list)
    """Markdown sentences on how the search went, for the end of the document."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found, so that there is nothing to write from."""
        return not (self.insights or self.locations or self.read or self.files)

    def bare(self) -> SearchEvidence:
        """Return the places alone, without a word of what was understood of them."""
        places = [place.model_copy(update={"description": ""}) for place in self.locations]
        return replace(self, insights=[], locations=places)


def read_wanted(
    wanted: Wanted, job: Job, fences: Fences, room: Room
) -> tuple[list[str], list[tuple[str, int, int]]]:
    """Return what was asked for as quoted parts that fit, and which places they are."""
    code = job.code
    parts: list[str] = []
    places: list[tuple[str, int, int]] = []
    symbols = unseen(wanted.symbols, code)
    n_left = len(symbols) + len(wanted.files)

    def share() -> int:
        """Return what the next part may take: as much as the others leave it, each its own."""
        fair = max(room.n_chars // max(n_left, 1), _LEAST_SHARE)
        return min(fair, job.settings.pipeline.file_chars)

    for path, info in symbols:
        text = code.numbered(path, info.decorated_line, info.line_end, share())
        n_left -= 1
        if text and room.take(part := fences.quoted(f"{info.qualified_name} in {path}", text)):
            parts.append(part)
            places.append((path, info.decorated_line, info.line_end))
    for path in wanted.files:
        n_lines = len(code.lines(path))
        text = code.numbered(path, 1, n_lines, share())
        n_left -= 1
        if text and room.take(part := fences.quoted(f"file {path}", text)):
            parts.append(part)
            places.append((path, 1, text.count("\n") + 1))
    return parts, places
