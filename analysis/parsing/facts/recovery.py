"""Parse a Python file as far as it goes: what cannot be parsed is blanked, line by line.

An editor's buffer is broken half of the time, mostly in the one line being typed.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from analysis.parsing.python_module import parse_module

# A file with more broken places than this is no Python that one could learn from.
_MAX_ATTEMPTS = 24

_MISSING_BLOCK = re.compile(r"expected an indented block after .* on line (\d+)")
_TYPE_PARAMETERS = re.compile(r"^(\s*(?:async\s+def|def|class)\s+\w+)\[([^\[\]]*)\]", re.M)
_TYPE_STATEMENT = re.compile(r"^(\s*)type (\w+)(\[[^\[\]]*\])?( *=)", re.M)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A syntax tree of what could be parsed."""

    tree: ast.Module | None
    lost: tuple[int, ...] = ()
    """Lines that were left out."""


def parse(text: str) -> Parsed:
    """Return a tree of all that parses."""
    try:
        return Parsed(parse_module(text))
    except SyntaxError as error:
        return _recover(_old_syntax(text), error)
    except (ValueError, RecursionError, MemoryError):
        return Parsed(None)


def _old_syntax(text: str) -> str:
    """Rewrite 3.12's type parameters and ``type`` statements in place, columns kept.

    ``if 1:`` is as long as ``type ``, so the name and all after it stay where they are.
    """

    def spaced(match: re.Match[str]) -> str:
        return match[1] + " " * (len(match[2]) + 2)

    def conditional(match: re.Match[str]) -> str:
        return f"{match[1]}if 1:{match[2]}{' ' * len(match[3] or '')}{match[4]}"

    return _TYPE_STATEMENT.sub(conditional, _TYPE_PARAMETERS.sub(spaced, text))


def _recover(text: str, error: SyntaxError) -> Parsed:
    """Blank one broken place after the other until the rest parses."""
    lines = text.split("\n")
    lost: set[int] = set()
    for _ in range(_MAX_ATTEMPTS):
        try:
            return Parsed(parse_module("\n".join(lines)), tuple(sorted(lost)))
        except SyntaxError as again:
            error = again
        except (ValueError, RecursionError, MemoryError):
            break
        if not _mend(lines, error, lost):
            break
    return Parsed(None, tuple(sorted(lost)))


def _mend(lines: list[str], error: SyntaxError, lost: set[int]) -> bool:
    """Change the lines so that this error does not come again; False if that fails."""
    missing = _MISSING_BLOCK.search(error.msg or "")
    if missing:
        number = int(missing[1])
        lines[number - 1] = lines[number - 1].split("#")[0].rstrip() + " pass"
        return True
    start = min(max(error.lineno or 1, 1), len(lines))
    end = min(max(error.end_lineno or start, start), len(lines))
    if all(not lines[number - 1].strip() or number in lost for number in range(start, end + 1)):
        start = end = _line_before(lines, start, lost)
        if start == 0:
            return False
    for number in range(start, end + 1):
        line = lines[number - 1]
        indent = line[: len(line) - len(line.lstrip())]
        opens_block = line.split("#")[0].rstrip().endswith(":")
        stand_in = f"{indent}if 1:" if opens_block else f"{indent}pass"
        lines[number - 1] = stand_in if number == start and number not in lost else ""
        lost.add(number)
    return True


def _line_before(lines: list[str], start: int, lost: set[int]) -> int:
    """Return the nearest line above that still has text, 0 if there is none."""
    for number in range(min(start, len(lines)), 0, -1):
        if lines[number - 1].strip() and number not in lost:
            return number
    return 0
