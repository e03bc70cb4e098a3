"""The tool that finds text by a regular expression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from analysis.errors import ToolRetry
from analysis.tools.fitting import cut_line, shortened
from analysis.tools.matching import Matches, matches_in
from analysis.tools.patterns import LinePattern
from analysis.tools.tool import Shown, ToolContext, ToolOutput, ToolResult, tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LIMIT = 3_000
MOST_LINES = 15
_CONTEXT = 1
_MAX_LINE = 160
_OTHERS = 12
_NOTES = 700
_SUMMARY = 400


@tool(LIMIT)
def grep_in_files(
    context: ToolContext,
    pattern: Annotated[str, Field(min_length=1, max_length=500)],
    path_globs: Annotated[list[str] | None, Field(max_length=20)] = None,
    ignore_case: bool = False,  # noqa: FBT001, FBT002 (the model names its arguments)
) -> ToolOutput:
    r"""Find lines by a regular expression, with one line around each: up to 15 lines.

    For exact text: a message, a setting, a call; not for a topic. Next: read_symbol or read_lines
    around a match.

    Args:
        pattern: Regular expression of a line, as in 'raise \w+Error\('.
        path_globs: Only files that match one of these, as in ['src/**', '*.py', '!**/tests/**'].
        ignore_case: Whether case does not matter.
    """
    return grepped(context, pattern, tuple(path_globs or ()), ignore_case=ignore_case)


def grepped(
    context: ToolContext,
    pattern: str,
    path_globs: tuple[str, ...],
    *,
    ignore_case: bool,
    narrower: str = "path_globs",
) -> GrepMatches:
    """Return the lines that match.

    Raises:
        ToolRetry: The pattern or the globs are of no use.
    """
    compiled = LinePattern(pattern, ignore_case=ignore_case)
    paths = _paths(context, path_globs)
    if not paths:
        raise ToolRetry(f"No file matches {', '.join(path_globs)[:300]}.")
    found = matches_in(context, paths, compiled, context.deadline())
    return GrepMatches(pattern, found, narrower)


@dataclass(frozen=True, slots=True)
class GrepMatches(ToolOutput):
    """Lines that match a pattern."""

    pattern: str
    matches: Matches
    narrower: str
    """The argument that narrows the search."""

    def text(self, context: ToolContext) -> ToolResult:
        """Return the lines that match, spread over files, and how many more there are."""
        found = self.matches
        lines: list[str] = []
        shown: list[Shown] = []
        room = LIMIT - _NOTES
        for path, numbers in _spread(found.by_path).items():
            matching = set(found.by_path[path])
            block, places = _block(path, numbers, context.code.lines(path), matching, room)
            if not block:
                break
            room -= sum(len(line) + 1 for line in block)
            lines += block
            shown += places
        given = tuple(dict.fromkeys(place.path for place in shown))
        lines += _notes(found, shown, self.pattern, self.narrower)
        names = ", ".join(given) or "no file"
        summary = f"grep {self.pattern[:80]!r}: {found.n_lines} lines in {names}"
        return ToolResult(
            "\n".join(lines), "high", shortened(summary, _SUMMARY), tuple(shown), paths=given
        )


def _paths(context: ToolContext, path_globs: tuple[str, ...]) -> list[str]:
    from analysis.retrieval.selection import allowed_files

    files = context.index.file_table()
    allowed = allowed_files(files, None, path_globs)
    return [path for i, path in enumerate(files.paths) if allowed is None or allowed[i]]


def _spread(by_path: dict[str, list[int]]) -> dict[str, list[int]]:
    """Return the lines to show: one of each file first, then the rest of the first files."""
    paths = list(by_path)[:MOST_LINES]
    n_more = MOST_LINES - len(paths)
    chosen: dict[str, list[int]] = {}
    for path in paths:
        extra = min(n_more, len(by_path[path]) - 1)
        n_more -= extra
        chosen[path] = by_path[path][: 1 + extra]
    return chosen


def _block(
    path: str, numbers: Sequence[int], lines: Sequence[str], matching: set[int], room: int
) -> tuple[list[str], list[Shown]]:
    """Return the lines of one file that fit with what is around them, as grep writes it."""
    block = [path]
    places: list[Shown] = []
    room -= len(path) + 1
    for start, end in _ranges(numbers, len(lines)):
        for number in range(start, end + 1):
            text = lines[number - 1].rstrip()
            if not text and number not in matching:
                continue
            line = f" {number}{':' if number in matching else '-'} {cut_line(text, _MAX_LINE)}"
            room -= len(line) + 1
            if room < 0:
                return (block if places else []), places
            block.append(line)
            if number in matching or places:
                places = _grown(places, path, start, number)
    return (block if places else []), places


def _grown(places: list[Shown], path: str, start: int, line: int) -> list[Shown]:
    """Return the places with a line added to the one that it belongs to."""
    if places and places[-1].line_start == start:
        return [*places[:-1], Shown(path, start, line)]
    return [*places, Shown(path, start, line)]


def _ranges(numbers: Iterable[int], n_lines: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of lines around matches; those that touch are one."""
    start = end = 0
    for number in numbers:
        if number > n_lines:
            continue
        if end and number - _CONTEXT <= end + 1:
            end = min(number + _CONTEXT, n_lines)
            continue
        if end:
            yield start, end
        start, end = max(number - _CONTEXT, 1), min(number + _CONTEXT, n_lines)
    if end:
        yield start, end


def _notes(found: Matches, shown: Sequence[Shown], pattern: str, narrower: str) -> Iterator[str]:
    """Yield what is not there, and how to get it."""
    given = {place.path for place in shown}
    n_shown = sum(
        any(p.path == path and p.line_start <= number <= p.line_end for p in shown)
        for path in given
        for number in found.by_path[path]
    )
    if not found.by_path:
        yield f"No line matches {pattern[:200]!r} in {found.n_searched} files."
    if n_left := found.n_lines - n_shown:
        others = [path for path in found.by_path if path not in given]
        named = ", ".join(f"{path} {len(found.by_path[path])}" for path in others[:_OTHERS])
        rest = f", {len(others) - _OTHERS} more files" if len(others) > _OTHERS else ""
        where = f" Elsewhere: {shortened(named, _SUMMARY)}{rest}." if others else ""
        at_least = "at least " if found.is_cut else ""
        yield f"({at_least}{n_left} more lines match: narrow with {narrower}.{where})"
    if found.too_slow:
        names = ", ".join(found.too_slow[:3])
        yield f"(matching took too long in {len(found.too_slow)} files, as {names[:300]}: simplify)"
    if found.n_searched < found.n_files and not found.is_cut:
        yield (
            f"(stopped by time: {found.n_searched} of {found.n_files} files were searched; "
            f"narrow with {narrower})"
        )
