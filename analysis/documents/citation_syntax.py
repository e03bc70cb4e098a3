"""What a citation of code is, and how lines are written in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analysis.parsing.languages import PLAIN_TEXT, language_of

DASH = r"(?:-|\u2010|\u2011|\u2012|\u2013|\u2014|\.\.|…)"
_NUMBER = r"[Ll]?\d+(?:[Cc]\d+)?"
_ONE = rf"{_NUMBER}(?:{DASH}{_NUMBER})?"
MANY = rf"{_ONE}(?:,\s?{_NUMBER}{DASH}{_NUMBER}|,{_NUMBER})*"
END = rf"(?![\w%/\\]|{DASH}[Ll]?\d|[.:#]\d|[.][A-Za-z]|\.{{1,2}}[/\\]|:[A-Za-z/])"
_PIECE = re.compile(
    rf"[Ll]?(\d+)(?:[Cc]\d+)?(?:\s?(?:{DASH}|to|through|(and))\s?[Ll]?(\d+)(?:[Cc]\d+)?)?"
)
_EXTENSION = re.compile(r"\.[A-Za-z][\w+-]{0,9}$")

# A file of more lines than this cannot be: what is written larger is no line of any file.
_MOST_LINES = 999_999_999

Lines = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Citation:
    """A piece of prose that names a file, and mostly lines of it; nothing is checked yet."""

    start: int
    """Offset of its first character in the markdown."""
    end: int
    path: str
    """As written, with ``/`` for ``\\``."""
    ranges: tuple[Lines, ...]
    """First and last line of each range, as written: they may be 0, reversed or far too large."""
    label: str | None = None
    """For a link whose label says more than path and lines: that label's markdown."""
    is_link: bool = False
    region: int = 0
    """Number of the block of text that it stands in."""
    is_bare: bool = False
    """Whether it is lines alone: ``path`` is empty, and they are of the file named last."""
    is_worded: bool = False
    """Whether it is a link whose label is its lines, as those alone become one."""
    fragment: str = ""
    """For a link to a file as a whole: what its target says after the ``#``."""


def looks_like_file(path: str) -> bool:
    """Return whether a path ends in something like a file's extension."""
    return _EXTENSION.search(path) is not None


def is_file_name(path: str) -> bool:
    """Return whether a word before some lines is a file, and not code: not ``router.on``."""
    if language_of(path) != PLAIN_TEXT:
        return True
    return looks_like_file(path) and ("/" in path.replace("\\", "/") or path.endswith(".txt"))


def line_ranges(text: str | None) -> tuple[Lines, ...]:
    """Return the ranges that are written after a path: ``3-5``, ``L3,L7-L9``, ``3 and 5``."""
    found: list[Lines] = []
    for piece in (text or "").split(","):
        match = _PIECE.fullmatch(piece.strip())
        if match is None:
            continue
        first, last = _number(match[1]), _number(match[3] or match[1])
        found += [(first, first), (last, last)] if match[2] else [(first, last)]
    return tuple(found)


def _number(digits: str) -> int:
    """Return a line number; a senseless one is too large for any file."""
    clean = digits.lstrip("0")
    return int(clean or "0") if len(clean) <= len(str(_MOST_LINES)) else _MOST_LINES
