"""The code that the document is written from: what the findings cite first, then what was read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from analysis.models import Span
from analysis.modes.prompt_budget import Room
from analysis.modes.reading import SearchEvidence, prose_in
from analysis.tools.fences import Fences
from analysis.tools.path_argument import resolve_path_argument
from analysis.tools.prompt_code import PromptCode, merged

if TYPE_CHECKING:
    from analysis.models import Candidate
    from analysis.modes.job import Job

# Files that are shown for themselves, after those that the model chose.
_BEST_FILES = 3
_PIECES_A_FILE = 3
# Around lines that belong to no definition a reader wants to see a little more.
_AROUND = 3
# A longer definition is not shown whole because of a line in it.
_WHOLE_DEFINITION = 120
# A small file is its own best excerpt.
_SMALL_FILE = 60
# What nobody cited or asked for takes a share of what was chosen; without that it is all there is.
_GUESSED_SHARE = 0.25
_LEAST_GUESSED = 6_000
_OVERHEAD_TOKENS = 800
_MAX_NAMED = 12
_CITED = re.compile(r"([\w./@+-]*[\w-]\.\w+):(\d{1,7})(?:\s*[-\u2013]\s*(\d{1,7}))?")


class SeenCode:
    """What a conversation shows already, or has left out on purpose.

    Args:
        code: Knows what was quoted.
        read: Places that results of tools showed, lines of searches among them.
    """

    def __init__(self, code: PromptCode, read: Iterable[tuple[str, int, int]] = ()) -> None:
        self._code = code
        self._ranges = {path: list(shown.ranges) for path, shown in code.shown.items()}
        for path, start, end in read:
            self._ranges.setdefault(path, []).append((start, end))

    def of(self, path: str) -> list[tuple[int, int]]:
        """Return the lines of a file that need not be shown again, as ranges in order."""
        ranges = self._ranges.get(path, [])
        # Prose was left out before code was, and what was not read yet is shown with it.
        prose = [(first, last) for first, last in prose_in(self._code, path) if ranges]
        return merged([*ranges, *prose])


def final_parts(
    evidence: SearchEvidence,
    candidates: tuple[Candidate, ...],
    job: Job,
    fences: Fences,
    max_tokens: int,
    seen: SeenCode | None = None,
) -> list[str]:
    """Return notes and code for the document, and a line on what there was no room for.

    Args:
        evidence: What the search has found.
        candidates: Ranked places, which fill up.
        job: The question and the code base.
        fences: How text of the repository is quoted.
        max_tokens: For the whole request.
        seen: What the model sees above; it is not shown again.
    """
    room = Room(max_tokens - _OVERHEAD_TOKENS, job.settings.pipeline.final_chars)
    parts = [part for part in _notes(evidence) if room.take(part)]
    chosen = _Chosen(job, room, seen)
    for span in _cited(evidence, job.code):
        chosen.take(_with_definition(span, job), is_cited=True)
    for path, start, end in evidence.read:
        chosen.take(Span(path, start, end), is_cited=True)
    chosen.end_choice()
    for span in _rest(evidence, candidates, job.code):
        chosen.take(span, is_cited=False)
    parts += chosen.quoted(fences)
    if chosen.left_out:
        named = ", ".join(chosen.left_out[:_MAX_NAMED])
        more = len(chosen.left_out) - _MAX_NAMED
        parts.append(f"There was no room for: {named}{f' and {more} more' if more > 0 else ''}.")
    return parts


def cited_in(texts: Iterable[str], code: PromptCode) -> Iterator[Span]:
    """Yield the places that notes name as ``path:start-end``, of files that are there."""
    for text in texts:
        for match in _CITED.finditer(text):
            path = resolve_path_argument(match[1], code)[0]
            if path is not None:
                start = int(match[2])
                yield Span(path, start, max(int(match[3] or start), start))


class _Chosen:
    """Lines that are to be shown, by file, within the room that there is."""

    def __init__(self, job: Job, room: Room, seen: SeenCode | None) -> None:
        self._job = job
        self._room = room
        self._seen = seen
        self._ranges: dict[str, list[tuple[int, int]]] = {}
        self._n_chars = 0
        self._most_chars: int | None = None
        self.left_out: list[str] = []
        """Cited places that did not fit."""

    def end_choice(self) -> None:
        """Let what comes from now on, which is only a guess, take a share of what was chosen."""
        if self._n_chars:
            guessed = max(int(self._n_chars * _GUESSED_SHARE), _LEAST_GUESSED)
            self._most_chars = self._n_chars + guessed

    def take(self, span: Span, *, is_cited: bool) -> None:
        """Add those lines of a place that are not there yet, if they fit."""
        lines = self._job.code.lines(span.path)
        start, end = max(span.line_start, 1), min(span.line_end, len(lines))
        if self._seen is None and 0 < len(lines) <= _SMALL_FILE:
            start, end = 1, len(lines)
        known = self._ranges.get(span.path, [])
        covered = merged([*known, *(self._seen.of(span.path) if self._seen else [])])
        for first, last in _missing(start, end, covered):
            if self._seen and not any(line.strip() for line in lines[first - 1 : last]):
                continue
            fits = self._fitting(lines, first, last, is_cited=is_cited)
            if fits >= first:
                self._ranges.setdefault(span.path, []).append((first, fits))
            if fits < last and is_cited:
                self.left_out.append(f"{span.path}:{max(fits + 1, first)}-{last}")

    def quoted(self, fences: Fences) -> list[str]:
        """Return the lines as quoted parts, by file in the order in which they were chosen."""
        code, parts = self._job.code, []
        for path, ranges in self._ranges.items():
            for start, end in merged(ranges):
                size = self._job.settings.pipeline.final_file_chars
                if text := code.numbered(path, start, end, size):
                    whole = (start, end) == (1, len(code.lines(path)))
                    parts.append(fences.quoted(f"{'file' if whole else 'part of'} {path}", text))
        return parts

    def _fitting(self, lines: Sequence[str], first: int, last: int, *, is_cited: bool) -> int:
        """Return the last line that fits; of what is only a guess all lines or none."""
        text = "\n".join(f"{first}| {line}" for line in lines[first - 1 : last])
        n_chars = self._n_chars + len(text)
        if (self._most_chars is None or n_chars <= self._most_chars) and self._room.take(text):
            self._n_chars = n_chars
            return last
        if not is_cited or first == last:
            return first - 1
        return self._fitting(lines, first, (first + last) // 2, is_cited=True)


def _missing(start: int, end: int, covered: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the lines of a range that others, in order, do not cover."""
    for first, last in covered:
        if last < start or first > end:
            continue
        if start < first:
            yield start, first - 1
        start = last + 1
    if start <= end:
        yield start, end


def _cited(evidence: SearchEvidence, code: PromptCode) -> Iterator[Span]:
    """Yield the places that the findings name."""
    for item in evidence.locations:
        path = resolve_path_argument(item.path, code)[0]
        if path is not None and item.line_start > 0:
            yield Span(path, item.line_start, max(item.line_end, item.line_start))
    yield from cited_in(evidence.insights, code)


def _with_definition(span: Span, job: Job) -> Span:
    """Return a place with the definition around it; with a few lines where that is too long."""
    around = [
        info
        for info in job.view.symbols(span.path)
        if info.decorated_line <= span.line_start
        and span.line_end <= info.line_end
        and info.line_end - info.decorated_line < _WHOLE_DEFINITION
        and info.kind not in ("variable", "property")
    ]
    if around:
        widest = min(around, key=lambda info: info.line_end - info.decorated_line)
        return Span(span.path, widest.decorated_line, widest.line_end)
    return Span(span.path, max(span.line_start - _AROUND, 1), span.line_end + _AROUND)


def _rest(
    evidence: SearchEvidence, candidates: tuple[Candidate, ...], code: PromptCode
) -> Iterator[Span]:
    """Yield the best ranked places of the files that matter, some of each."""
    named = [resolve_path_argument(path, code)[0] for path in evidence.files]
    best = list(dict.fromkeys(candidate.path for candidate in candidates))[:_BEST_FILES]
    for path in code.allow([path for path in (*named, *best) if path]):
        pieces = [c for c in candidates if c.path == path and c.symbol is not None]
        for piece in pieces[:_PIECES_A_FILE]:
            yield Span(path, piece.line_start, piece.line_end)
        if not pieces and len(code.lines(path)) <= _WHOLE_DEFINITION:
            yield Span(path, 1, len(code.lines(path)))


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
