"""Decides whether cited lines hold what is said of them, and where it is if they do not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.documents.claims import Claim
from analysis.documents.code import CodeView, definitions, innermost
from analysis.models import RefState, SymbolInfo

_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|$)")
# A quote this long is found by its text and not by chance.
_TELLING_QUOTE = 8


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a citation of one range in one file comes to."""

    state: RefState
    path: str
    line_start: int
    line_end: int
    symbol: str | None = None
    proven: bool = False
    """Whether a name or quote was found there, and not only the range in the file."""


def judge(
    code: CodeView, path: str, lines: tuple[int, int], claim: Claim, *, elsewhere: bool = True
) -> Verdict:
    """Return whether the lines of a file hold what is claimed, or where that is.

    Args:
        code: The code as it is now.
        path: A file that exists.
        lines: First and last line as cited; they may be nonsense.
        claim: What is said to be there.
        elsewhere: Whether a definition in another file may be the answer.
    """
    defined = [name for name in claim.names if definitions(code, path, name)]
    if defined:
        return _by_definition(code, path, lines, claim, defined)
    text = code.lines(path) or ()
    if _in_file(text, lines):
        if not claim:
            return _good(code, path, lines, proven=False)
        if _shows_a_use(code, text, lines, claim) or any(
            _is_quoted(quote, text, lines) for quote in claim.quotes
        ):
            return _good(code, path, lines, proven=True)
    return _mended(code, path, lines, claim, elsewhere=elsewhere)


def where_defined(code: CodeView, claim: Claim, lines: tuple[int, int]) -> Verdict | None:
    """Return the only definition of the first claimed name that is defined anywhere."""
    for name in claim.names:
        places = code.named(name)
        if len(places) == 1:
            return _corrected(places[0][0], places[0][1], lines)
        if places:
            return None
    return None


def _by_definition(
    code: CodeView, path: str, lines: tuple[int, int], claim: Claim, defined: list[str]
) -> Verdict:
    """Return the verdict on names that the cited file defines."""
    text = code.lines(path) or ()
    valid = _in_file(text, lines)
    if valid:
        for name in defined:
            for info in definitions(code, path, name):
                if _fits(info, lines, text):
                    return Verdict(RefState.OK, path, *lines, info.qualified_name, proven=True)
        about_use = claim.is_use and len(defined) == 1 and _occurs(defined[0], text, lines)
        quoted = any(
            len(quote) >= _TELLING_QUOTE and _is_quoted(quote, text, lines)
            for quote in claim.quotes
        )
        if about_use or quoted:
            return _good(code, path, lines, proven=True)
    known = definitions(code, path, defined[0])
    meant = _meant(known, lines, _owners(claim, defined[0]))
    return _bad(path, lines) if meant is None else _corrected(path, meant, lines)


def _fits(info: SymbolInfo, lines: tuple[int, int], text: Sequence[str]) -> bool:
    """Return whether a range shows a definition: a part of it, or all of it and more."""
    start, end = lines
    while start < info.decorated_line and _COMMENT.match(text[start - 1]):
        start += 1
    while end > info.line_end and not text[end - 1].strip():
        end -= 1
    if (start, end) != lines:  # With its comment, or an empty line: only around all of it.
        return start <= info.line and info.line_end <= end
    inside = info.decorated_line <= start and end <= info.line_end
    return inside or (start <= info.line and info.line_end <= end)


def _meant(
    known: Sequence[SymbolInfo], lines: tuple[int, int], owners: set[str]
) -> SymbolInfo | None:
    """Return which of several definitions of a name a wrong range was meant for, if clear."""
    if len(known) == 1:
        return known[0]
    owned = [i for i in known if set(i.qualified_name.split(".")[:-1]) & owners]
    if len(owned) == 1:
        return owned[0]
    length = lines[1] - lines[0]
    alike = [
        i
        for i in known
        if length > 0 and length in (i.line_end - i.line, i.line_end - i.decorated_line)
    ]
    if len(alike) == 1 and _overlap(alike[0], lines):
        return alike[0]
    return None


def _owners(claim: Claim, name: str) -> set[str]:
    """Return the other names around, which may be the class that a method belongs to."""
    return {part for other in claim.names if other != name for part in other.split(".")}


def _overlap(info: SymbolInfo, lines: tuple[int, int]) -> bool:
    return info.decorated_line <= lines[1] and lines[0] <= info.line_end


def _mended(
    code: CodeView, path: str, lines: tuple[int, int], claim: Claim, *, elsewhere: bool
) -> Verdict:
    """Return where something that its file does not define can be found, if that is clear."""
    text = code.lines(path) or ()
    for quote in claim.quotes:
        places = _places_of_quote(quote, text) if len(quote) >= _TELLING_QUOTE else []
        if len(places) == 1:
            start, end = places[0]
            return Verdict(
                RefState.CORRECTED, path, start, end, _symbol(code, path, places[0]), True
            )
    for name in claim.names:
        if code.named(name):
            break
        used = [n for n in range(1, len(text) + 1) if _occurs(name, text, (n, n))]
        if len(used) == 1:
            line = (used[0], used[0])
            return Verdict(RefState.CORRECTED, path, *line, _symbol(code, path, line), True)
        if used:
            return _bad(path, lines)
    found = where_defined(code, claim, lines) if elsewhere else None
    return found or _bad(path, lines)


def _shows_a_use(code: CodeView, text: Sequence[str], lines: tuple[int, int], claim: Claim) -> bool:
    """Return whether a name that is not defined in the file stands on the lines all the same.

    The last part of ``A.b`` is not enough: many classes have a ``b``. Nor is a mention, where the
    name is said to be defined and is defined elsewhere.
    """
    for name in claim.names:
        owner = name.rpartition(".")[0].rpartition(".")[2]
        enough = claim.is_use or not (owner or (claim.is_definition and code.named(name)))
        if not enough and owner:
            enough = not code.named(name) and _occurs(owner, text, (1, len(text)))
        if enough and _occurs(name, text, lines):
            return True
    return False


def _places_of_quote(quote: str, text: Sequence[str]) -> list[tuple[int, int]]:
    """Return the lines that hold a quote, where it is on one line."""
    return [
        (number, number) for number, line in enumerate(text, 1) if quote in " ".join(line.split())
    ]


def _is_quoted(quote: str, text: Sequence[str], lines: tuple[int, int]) -> bool:
    shown = " ".join(" ".join(text[lines[0] - 1 : lines[1]]).split())
    return quote in shown


def _occurs(name: str, text: Sequence[str], lines: tuple[int, int]) -> bool:
    """Return whether a name's last part stands on the lines as a word of its own."""
    word = re.compile(rf"(?<![\w$]){re.escape(name.rpartition('.')[2])}(?![\w$])")
    return any(word.search(line) for line in text[lines[0] - 1 : lines[1]])


def _in_file(text: Sequence[str], lines: tuple[int, int]) -> bool:
    return 1 <= lines[0] <= lines[1] <= len(text)


def _symbol(code: CodeView, path: str, lines: tuple[int, int]) -> str | None:
    info = innermost(code, path, *lines)
    return info.qualified_name if info else None


def _good(code: CodeView, path: str, lines: tuple[int, int], *, proven: bool) -> Verdict:
    return Verdict(RefState.OK, path, *lines, _symbol(code, path, lines), proven)


def _bad(path: str, lines: tuple[int, int]) -> Verdict:
    return Verdict(RefState.UNVERIFIED, path, *lines)


def _corrected(path: str, info: SymbolInfo, lines: tuple[int, int]) -> Verdict:
    """Return a definition's place: its first line for a single cited one, else all of it."""
    start, end = info.decorated_line, info.line_end
    if lines[0] == lines[1]:
        start, end = info.line, info.line
    return Verdict(RefState.CORRECTED, path, start, end, info.qualified_name, proven=True)
