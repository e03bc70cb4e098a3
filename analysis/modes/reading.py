"""Reads what a model asked for, and puts together the prompt for the document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analysis.modes.explored import KeyLocation, Wanted, unseen
from analysis.modes.prompt_budget import Room
from analysis.tools.fences import Fences
from analysis.tools.path_argument import resolve_path_argument
from analysis.tools.prompt_code import PromptCode, merged
from analysis.tools.tool import Shown

if TYPE_CHECKING:
    from analysis.models import Candidate
    from analysis.modes.job import Job

# Files that are shown for themselves, after those that the model chose.
_BEST_FILES = 3
# Around a place that is cited a reader wants to see a little more.
_AROUND = 3
_OVERHEAD_TOKENS = 800


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

    def paths(self, candidates: Iterable[Candidate], code: PromptCode) -> list[str]:
        """Return the files that matter most: named, cited, asked for, then best candidates."""
        named = [resolve_path_argument(path, code)[0] for path in self.files]
        cited = [
            *named,
            *(resolve_path_argument(location.path, code)[0] for location in self.locations),
        ]
        asked = [path for path, _, _ in self.read]
        best = list(dict.fromkeys(candidate.path for candidate in candidates))[:_BEST_FILES]
        return code.allow([path for path in (*cited, *asked, *best) if path])


def read_wanted(
    wanted: Wanted, job: Job, fences: Fences, room: Room
) -> tuple[list[str], list[tuple[str, int, int]]]:
    """Return what was asked for as quoted parts that fit, and which places they are."""
    code, max_chars = job.code, job.settings.pipeline.file_chars
    parts: list[str] = []
    places: list[tuple[str, int, int]] = []
    for path, info in unseen(wanted.symbols, code):
        text = code.numbered(path, info.decorated_line, info.line_end, max_chars)
        if text and room.take(part := fences.quoted(f"{info.qualified_name} in {path}", text)):
            parts.append(part)
            places.append((path, info.decorated_line, info.line_end))
    for path in wanted.files:
        n_lines = len(code.lines(path))
        text = code.numbered(path, 1, n_lines, max_chars)
        if text and room.take(part := fences.quoted(f"file {path}", text)):
            parts.append(part)
            places.append((path, 1, text.count("\n") + 1))
    return parts, places


def final_parts(
    evidence: SearchEvidence,
    candidates: tuple[Candidate, ...],
    job: Job,
    fences: Fences,
    max_tokens: int,
) -> list[str]:
    """Return the code for the document: what matters in full, the rest as outlines."""
    code, settings = job.code, job.settings.pipeline
    room = Room(max_tokens - _OVERHEAD_TOKENS, settings.final_chars)
    parts: list[str] = []
    for part in _notes(evidence):
        if room.take(part):
            parts.append(part)
    primary = evidence.paths(candidates, code)
    for path in primary:
        for part in _primary(path, evidence, candidates, job, fences):
            if room.take(part):
                parts.append(part)
    others = code.allow(candidate.path for candidate in candidates)[: settings.max_files]
    for path in others:
        if path in primary:
            continue
        text = code.outline_text(path, settings.file_chars // 4)
        if text and room.take(part := fences.quoted(f"outline of {path}", text)):
            parts.append(part)
    return parts


def _notes(evidence: SearchEvidence) -> Iterator[str]:
    """Yield what was understood while exploring."""
    if evidence.insights:
        yield "Notes from reading:\n" + "\n".join(f"- {note}" for note in evidence.insights)
    if evidence.locations:
        lines = [
            f"- {item.path}:{item.line_start}-{item.line_end or item.line_start} "
            f"{item.symbol or ''} {item.description}".rstrip()
            for item in evidence.locations
        ]
        yield "Places that matter:\n" + "\n".join(lines)


def _primary(
    path: str,
    evidence: SearchEvidence,
    candidates: tuple[Candidate, ...],
    job: Job,
    fences: Fences,
) -> Iterator[str]:
    """Yield a file in full, or its outline and the ranges of it that matter."""
    code, settings = job.code, job.settings.pipeline
    lines = code.lines(path)
    size = sum(len(line) + 6 for line in lines)
    if size <= settings.final_file_chars:
        text = code.numbered(path, 1, len(lines), settings.final_file_chars)
        if text:
            yield fences.quoted(f"file {path}", text)
        return
    outline = code.outline_text(path, settings.file_chars // 4)
    if outline:
        yield fences.quoted(f"outline of {path}", outline)
    ranges = _ranges(path, evidence, candidates, len(lines), code)
    for start, end in merged(_fitting(ranges, lines, settings.final_file_chars)):
        text = code.numbered(path, start, end, settings.final_file_chars)
        if text:
            yield fences.quoted(f"part of {path}", text)


def _fitting(
    ranges: Iterable[tuple[int, int]], lines: Sequence[str], max_chars: int
) -> list[tuple[int, int]]:
    """Return the ranges that fit, the earlier ones before others; the first in any case."""
    found: list[tuple[int, int]] = []
    for start, end in ranges:
        if any(first <= start and end <= last for first, last in found):
            continue
        size = sum(len(line) + 6 for line in lines[start - 1 : end])
        if size <= max_chars or not found:
            found.append((start, end))
            max_chars -= size
    return found


def _ranges(
    path: str,
    evidence: SearchEvidence,
    candidates: tuple[Candidate, ...],
    n_lines: int,
    code: PromptCode,
) -> Iterator[tuple[int, int]]:
    """Yield the lines of a file that were asked for, cited or ranked, what matters most first."""
    for read_path, start, end in evidence.read:
        if read_path == path:
            yield start, end
    for item in evidence.locations:
        if resolve_path_argument(item.path, code)[0] == path and 1 <= item.line_start <= n_lines:
            end = max(item.line_end, item.line_start)
            yield max(item.line_start - _AROUND, 1), min(end + _AROUND, n_lines)
    for candidate in candidates:
        if candidate.path == path:
            yield candidate.line_start, candidate.line_end
