"""Searches the files of the code base for a pattern, within a time limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from analysis.errors import Cancelled
from analysis.llm.redact import redacted
from analysis.retrieval.file_roles import is_aside
from analysis.tools.patterns import LinePattern, TooSlow
from analysis.workspace.decoding import split_lines

if TYPE_CHECKING:
    from analysis.stopping import Deadline
    from analysis.tools.tool import ToolContext

# Of one file; a pattern that matches more lines of it says nothing.
_MOST_IN_FILE = 500
_MOST_LINES = 5_000
# Keys go over several lines: such files are cleared of them as a whole.
_BLOCK = "PRIVATE KEY"


@dataclass(slots=True)
class Matches:
    """Lines that match, by file, and what is not known of the rest."""

    by_path: dict[str, list[int]] = field(default_factory=dict)
    """Numbers of the lines; code itself first, tests and documents after it."""
    n_files: int = 0
    """Files that were to be searched."""
    n_searched: int = 0
    too_slow: list[str] = field(default_factory=list)
    """Files in which the pattern takes too long."""
    is_cut: bool = False
    """Whether there are more lines than were counted."""

    @property
    def n_lines(self) -> int:
        """How many lines match."""
        return sum(map(len, self.by_path.values()))


def matches_in(
    context: ToolContext, paths: Sequence[str], pattern: LinePattern, deadline: Deadline
) -> Matches:
    """Return the lines that match, as they may be shown.

    Raises:
        Cancelled: The run was stopped; a deadline that is over only ends the search.
    """
    result = Matches(n_files=len(paths))
    try:
        for path in _likely_first(context, paths, pattern):
            deadline.check()
            _search(context, path, pattern, deadline, result)
            result.n_searched += 1
            if result.n_lines > _MOST_LINES:
                result.is_cut = True
                break
    except Cancelled:
        context.stop.check()
    allowed = context.code.allow(sorted(result.by_path, key=lambda path: (is_aside(path), path)))
    result.by_path = {path: result.by_path[path] for path in allowed}
    return result


def _likely_first(
    context: ToolContext, paths: Sequence[str], pattern: LinePattern
) -> Iterator[str]:
    """Yield files that hold the words of a pattern, then all others: time may not be enough."""
    holding: set[str] = set()
    for number, word in enumerate(pattern.words):
        files = context.index.files_with_identifier(word)
        holding = holding.intersection(files) if number else set(files)
    yield from (path for path in paths if path in holding)
    yield from (path for path in paths if path not in holding)


def _search(
    context: ToolContext, path: str, pattern: LinePattern, deadline: Deadline, result: Matches
) -> None:
    """Add the lines of one file that match."""
    source = context.access.files.load(path).source
    if source is None:
        return
    numbers: list[int] = []
    try:
        for number in pattern.lines_in(source.text, deadline):
            if len(numbers) == _MOST_IN_FILE:
                result.is_cut = True
                break
            numbers.append(number)
        if numbers:
            numbers = _without_secrets(context, path, source.text, numbers, pattern, deadline)
    except TooSlow:
        result.too_slow.append(path)
    if numbers:
        result.by_path[path] = numbers


def _without_secrets(
    context: ToolContext,
    path: str,
    text: str,
    numbers: list[int],
    pattern: LinePattern,
    deadline: Deadline,
) -> list[int]:
    """Return those lines that still match when secrets are struck out: a count tells, too."""
    if _BLOCK in text:
        clean_text = "\n".join(context.code.lines(path))
        return list(islice(pattern.lines_in(clean_text, deadline), _MOST_IN_FILE))
    lines = split_lines(text)
    clean = redacted("\n".join(lines[number - 1] for number in numbers))
    if not clean.kinds:
        return numbers
    return [numbers[idx - 1] for idx in pattern.lines_in(clean.text, deadline)]
