"""Reads what a model asked for, and keeps what a search has brought to light."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analysis.models import Span
from analysis.modes.explored import KeyLocation, Wanted, unseen
from analysis.modes.prompt_budget import Room
from analysis.parsing.find_symbols import walk
from analysis.tools.fences import Fences
from analysis.tools.fitting import fair_shares, numbered_chars
from analysis.tools.prompt_code import PromptCode
from analysis.tools.read_symbol import docstring_lines
from analysis.tools.tool import Shown

if TYPE_CHECKING:
    from analysis.modes.job import Job

# Less of a definition than this tells little.
_LEAST_CHARS = 200
# What the lines around a part take.
_FENCE_CHARS = 120
# Lines of prose that are worth more than the word that they were left out.
_WORTH_LEAVING_OUT = 4
_COMMENT = ("#", "//", "--", "/*", "*", "<!--")


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
    """Return what was asked for as quoted parts that fit, and which places they are.

    What is short comes whole, what is long shares the rest; its docstrings go before its code.
    What there is no room for is a problem that the model is told.
    """
    code, most = job.code, job.settings.pipeline.file_chars
    wishes = [
        (f"{info.qualified_name} in {path}", Span(path, info.decorated_line, info.line_end))
        for path, info in unseen(wanted.symbols, code)
    ]
    wishes += [(f"file {path}", Span(path, 1, len(code.lines(path)))) for path in wanted.files]
    sizes = [min(_n_chars(code, span), most) + _FENCE_CHARS for _, span in wishes]
    parts: list[str] = []
    places: list[tuple[str, int, int]] = []
    for (title, span), share in zip(wishes, fair_shares(sizes, room.n_chars), strict=True):
        text, last = read_within(code, span, share - _FENCE_CHARS)
        if text and room.take(part := fences.quoted(title, text)):
            parts.append(part)
            places.append((span.path, span.line_start, last))
        elif text or last < span.line_end:  # An empty file needs no room.
            wanted.problems.append(f"There was no room for {title}.")
    return parts, places


def read_within(code: PromptCode, span: Span, max_chars: int) -> tuple[str, int]:
    """Return lines with their numbers in so many characters, and the last line that was reached.

    Where they do not fit, long docstrings and the comments at the top of a file are left out.
    """
    if _n_chars(code, span) <= max_chars:
        spans = [(span.line_start, span.line_end)]
    elif max_chars < _LEAST_CHARS:
        return "", span.line_start - 1
    else:
        spans = list(_without_prose(code, span))
    pieces: list[str] = []
    last = span.line_start - 1
    for start, end in spans:
        if start > last + 1:
            pieces.append(f"({last + 1}-{start - 1}: comments)")
        excerpt = code.excerpt(span.path, start, end, max_chars)
        pieces.append(excerpt.text)
        last = excerpt.line_end
        max_chars -= len(excerpt.text) + 1
        if last < end or max_chars <= 0:
            break
    if last < spans[-1][1]:
        pieces.append(f"({last + 1}-{span.line_end}: cut)")
    return "\n".join(pieces), last


def prose_in(code: PromptCode, path: str) -> list[tuple[int, int]]:
    """Return the lines of a file's docstrings but their first, and of comments at its top."""
    lines, outline = code.lines(path), code.outline(path)
    prose = [(1, _n_comments(lines))]
    for info in walk(outline) if outline is not None else ():
        if doc := docstring_lines(lines, info.decorated_line, info.line_end):
            prose.append((doc[0] + 1, doc[1]))
    return sorted(prose)


def _without_prose(code: PromptCode, span: Span) -> Iterator[tuple[int, int]]:
    """Yield the lines of a place without long docstrings and without the comments at its top."""
    at = span.line_start
    for first, last in prose_in(code, span.path):
        if last - first + 1 < _WORTH_LEAVING_OUT or first < at or last >= span.line_end:
            continue
        if at < first:
            yield at, first - 1
        at = last + 1
    yield at, span.line_end


def _n_comments(lines: Sequence[str]) -> int:
    """Return how many lines at the top of a file are comments, as licences are."""
    for number, line in enumerate(lines):
        if line.strip() and not line.lstrip().startswith(_COMMENT):
            return number
    return 0


def _n_chars(code: PromptCode, span: Span) -> int:
    lines = code.lines(span.path)[span.line_start - 1 : span.line_end]
    return numbered_chars(lines, span.line_start)
