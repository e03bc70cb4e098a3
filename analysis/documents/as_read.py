"""Follows cited lines from a file as it was read for an answer to the file as it is now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from analysis.documents.code import CodeView
from analysis.documents.markdown import inline_code
from analysis.models import CodeReference

Lines = tuple[int, int]


class AsRead(Protocol):
    """What was read of a code base for an answer."""

    def lines_read(self, path: str) -> Sequence[str] | None:
        """Return a file's lines as they were read; None if the file was not read."""
        ...

    def was_shown(self, path: str, lines: Lines) -> bool:
        """Return whether whoever wrote the answer has seen all of these lines."""
        ...


class ReadByProgram:
    """What a view of the code has read, for an answer that the program writes from it."""

    def __init__(self, view: CodeView) -> None:
        self._view = view

    def lines_read(self, path: str) -> Sequence[str] | None:
        """Return a file's lines as the view has them."""
        return self._view.lines(path)

    def was_shown(self, path: str, lines: Lines) -> bool:
        """Return whether the lines were read, as all of a file are."""
        return True


@dataclass(frozen=True, slots=True)
class Followed:
    """Where lines of a file that was read are now."""

    lines: Lines | None
    """None if that cannot be told."""
    was_shown: bool = False
    """Whether the writer has seen them as they are now."""


def follow(as_read: AsRead | None, code: CodeView, path: str, lines: Lines) -> Followed:
    """Return where cited lines are now, if the file was saved since it was read.

    Above the first change and below the last one the place is certain; between them the same text
    has to stand in one place only.
    """
    before = as_read.lines_read(path) if as_read is not None else None
    now = code.lines(path) or ()
    if as_read is None or before is None or not 1 <= lines[0] <= lines[1] <= len(before):
        return Followed(lines)
    was_shown = as_read.was_shown(path, lines)
    if tuple(before) == tuple(now):
        return Followed(lines, was_shown)
    place = _place(before, now, lines)
    return Followed(place, was_shown and place is not None)


def followed(
    references: Iterable[CodeReference], as_read: AsRead, code: CodeView
) -> list[CodeReference]:
    """Return references with their lines where they are now; what is lost stays to be judged."""
    found = []
    for reference in references:
        lines = follow(as_read, code, reference.path, (reference.line_start, reference.line_end))
        if lines.lines is not None:
            first, last = lines.lines
            reference = replace(reference, line_start=first, line_end=last)
        found.append(reference)
    return found


def changed_sentence(paths: Sequence[str]) -> str:
    """Return what a document says of files that were saved while it was made."""
    names = ", ".join(inline_code(path) for path in paths)
    was, its = ("was", "its") if len(paths) == 1 else ("were", "their")
    return (
        f"{names} {was} saved while the answer was made: {its} references are judged as the code "
        "is now."
    )


def has_changed(as_read: AsRead | None, code: CodeView, path: str) -> bool:
    """Return whether a file that was read is not any more what it was."""
    before = as_read.lines_read(path) if as_read is not None else None
    return before is not None and tuple(before) != tuple(code.lines(path) or ())


def _place(before: Sequence[str], now: Sequence[str], lines: Lines) -> Lines | None:
    """Return where lines of a text stand in another one."""
    first, last = lines
    shortest = min(len(before), len(now))
    head = next((i for i in range(shortest) if before[i] != now[i]), shortest)
    if last <= head:
        return lines
    tail = next((i for i in range(shortest - head) if before[-1 - i] != now[-1 - i]), None)
    tail = shortest - head if tail is None else tail
    shift = len(now) - len(before)
    if first > len(before) - tail:
        return first + shift, last + shift
    text = tuple(before[first - 1 : last])
    if not any(line.strip() for line in text):
        return None
    size = len(text)
    found = [i for i in range(len(now) - size + 1) if now[i] == text[0] and _is_at(now, i, text)]
    return (found[0] + 1, found[0] + size) if len(found) == 1 else None


def _is_at(now: Sequence[str], at: int, text: tuple[str, ...]) -> bool:
    return tuple(now[at : at + len(text)]) == text
