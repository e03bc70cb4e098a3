"""A definition's head on one line, as a reader would write it."""

from __future__ import annotations

import re

# A signature longer than this does not fit a list of symbols and is shortened.
MAX_SIGNATURE = 240
# A value longer than this says little about a variable.
MAX_VALUE = 120
# Longer string literals are documentation or data rather than part of the interface.
_MAX_STRING = 40

_STRING = r"""(?P<string>[rbfuRBFU]{0,2}(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"
|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`))"""
_PYTHON = re.compile(_STRING + r"|(?P<gap>(?:\s|\\\n|\#[^\n]*)+)", re.VERBOSE | re.DOTALL)
_SCRIPT = re.compile(_STRING + r"|(?P<gap>(?:\s|//[^\n]*|/\*.*?\*/)+)", re.VERBOSE | re.DOTALL)
_UNTIDY = re.compile(r"\s\s|[\n\r\t\f\v#]|//|/\*|['\"`]")
_OPENING = re.compile(r"(?<=[(\[]) |(?<=[\w$]<) ")
_CLOSING = re.compile(r",? (?=[)\]])|, (?=>)| (?=>(?:[)\]>,;:\[]|$))")


def one_line(source: str, *, python: bool, limit: int = MAX_SIGNATURE) -> str:
    r"""Return source folded to one line: comments gone, long strings and lists cut with ``…``.

    >>> one_line("def f(\n    a,  # first\n    b=1,\n) -> int", python=True)
    'def f(a, b=1) -> int'
    """
    if _UNTIDY.search(source):
        pattern = _PYTHON if python else _SCRIPT
        source = pattern.sub(_fold, source).strip()
        source = _CLOSING.sub("", _OPENING.sub("", source))
    return source if len(source) <= limit else shortened(source, limit)


def shortened(line: str, limit: int) -> str:
    """Return a long signature with its last parameters counted instead of shown.

    >>> shortened("def f(first, second, third, fourth) -> int", 35)
    'def f(first, … 3 more) -> int'
    """
    spans = _parameters(line)
    if spans:
        tail = line[spans[-1][1] :] or ")"
        if len(tail) > limit // 2:
            tail = tail[: limit // 2 - 1] + "…"
        for shown in range(len(spans) - 1, 0, -1):
            head = f"{line[: spans[shown - 1][1]]}, … {len(spans) - shown} more"
            if len(head) + len(tail) <= limit:
                return head + tail
    return line[: limit - 1].rstrip() + "…"


def _fold(match: re.Match[str]) -> str:
    if match["gap"] is not None:
        return " "
    string = match["string"]
    if len(string) <= _MAX_STRING and "\n" not in string:
        return string
    quote = string.lstrip("rbfuRBFU")[0]
    return f"{quote}…{quote}"


_BRACKETS = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|=>|[()\[\]{}<>,]""")


def _parameters(line: str) -> list[tuple[int, int]]:
    """Return where each parameter of the first outer parentheses lies."""
    depth = 0
    spans: list[tuple[int, int]] = []
    start = -1
    for match in _BRACKETS.finditer(line):
        token = match[0]
        if token in ("(", "[", "{", "<"):
            depth += 1
            if token == "(" and depth == 1 and start < 0:
                start = match.end()
        elif token in (")", "]", "}", ">"):
            depth -= 1
            if start >= 0 and depth == 0:
                spans.append((start, match.start()))
                return spans
        elif token == "," and depth == 1 and start >= 0:
            spans.append((start, match.start()))
            start = match.end()
    return [*spans, (start, len(line))] if spans else []  # the source was cut before the end
