"""Uses and calls as a model reads them: by file, the code itself first, within a limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.retrieval.file_roles import is_aside
from analysis.tools.tool import Shown

if TYPE_CHECKING:
    from analysis.models import CallSite, Reference
    from analysis.tools.prompt_code import PromptCode

_MAX_LINE = 140
# Of one file at first; what is left over is shown if there is room.
_FEW = 4
# The line that tells of the rest.
_NOTE = 260
_OTHERS = 8


@dataclass(frozen=True, slots=True)
class Use:
    """A line of code that uses something."""

    path: str
    line: int
    who: str | None
    """The definition around it."""


def use_of(found: Reference | CallSite, who: str | None) -> Use:
    """Return a reference or call without the text of its line, which is taken from clean code."""
    return Use(found.path, found.line, who)


def listed(uses: Sequence[Use], code: PromptCode, max_chars: int) -> tuple[list[str], list[Shown]]:
    """Return the uses that fit as lines, grouped by file, with a word on the rest.

    Args:
        uses: In any order; those in files that may not be shown are only counted.
        code: Where the lines come from.
        max_chars: For all lines.
    """
    by_path = _by_path(uses, code)
    lines: list[str] = []
    shown: list[Shown] = []
    left: dict[str, int] = {}
    room = max_chars - _NOTE
    for path, group in by_path.items():
        # Lines are read only while there is room: a hub is used in hundreds of files.
        block = _block(path, _few(group, len(by_path)), code, room) if room > 0 else []
        room -= sum(len(line) + 1 for line in block)
        lines += block
        n_shown = max(len(block) - 1, 0)
        shown += [Shown(path, use.line, use.line) for use in group[:n_shown]]
        if n_shown < len(group):
            left[path] = len(group) - n_shown
            room = room if n_shown == _FEW else 0
    n_hidden = len(set(uses)) - sum(map(len, by_path.values()))
    if left or n_hidden:
        lines.append(_rest(left, n_hidden))
    return lines, shown


def _block(path: str, group: Sequence[Use], code: PromptCode, room: int) -> list[str]:
    """Return a file with those of its uses that fit; nothing if none does."""
    block = [path]
    room -= len(path) + 1
    for use in group:
        line = _line(use, code.lines(path))
        room -= len(line) + 1
        if room < 0:
            break
        block.append(line)
    return block if len(block) > 1 else []


def _by_path(uses: Iterable[Use], code: PromptCode) -> dict[str, list[Use]]:
    """Return the uses by file, each once a line; tests and documents come last."""
    wanted = list(uses)
    allowed = frozenset(code.allow(use.path for use in wanted))
    by_path: dict[str, dict[Use, None]] = {}
    for use in sorted(wanted, key=lambda use: (is_aside(use.path), use.path, use.line)):
        if use.path in allowed:
            by_path.setdefault(use.path, {})[use] = None
    return {path: list(group) for path, group in by_path.items()}


def _few(group: Sequence[Use], n_files: int) -> Sequence[Use]:
    """Return those of a file's uses to show; fewer where many files have some."""
    return group if n_files <= _FEW else group[:_FEW]


def _line(use: Use, lines: Sequence[str]) -> str:
    text = lines[use.line - 1].strip() if use.line <= len(lines) else ""
    who = f" {use.who}:" if use.who and use.who != use.path else ""
    line = f" {use.line}{who} {text}"
    return line if len(line) <= _MAX_LINE else f"{line[: _MAX_LINE - 1]}…"


def _rest(left: dict[str, int], n_hidden: int) -> str:
    """Return how many uses are not shown, and where they are."""
    names = ", ".join(f"{path} {count}" for path, count in list(left.items())[:_OTHERS])
    if len(names) > _NOTE - 100:
        names = f"{names[: _NOTE - 101]}…"
    more = f", {len(left) - _OTHERS} more files" if len(left) > _OTHERS else ""
    where = f" in {names}{more}: narrow with path" if left else ""
    return f"({sum(left.values()) + n_hidden} more{where})"
