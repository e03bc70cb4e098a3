"""Reads calls out of source text: who is called, on what, on which line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.parsing.comment_spans import comment_spans

_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_CALL = re.compile(
    r"(?<![\w$.])(?P<before>(?:def|class|function|new|async def|fn|func)\s+)?"
    r"(?P<receiver>(?:[\w$]+(?:\(\)|\[[^\]\n]{0,40}\])?\??\.)*)(?P<name>[^\W\d][\w$]*)\s*(?:\?\.)?\("
)
_WORD = re.compile(r"(?<![\w$.])[A-Z][\w$]*[a-z][\w$]*(?!\s*[\w$(=]*\()")
_RAISES = re.compile(r"\b(?:raise|throw)\s+(?:new\s+)?$")
_DEFINES = frozenset({"def", "class", "function", "async def", "fn", "func"})
_LAST_NAME = re.compile(r"([\w$]+)(?:\(\)|\[[^\]]*\])?\??\.$")


@dataclass(frozen=True, slots=True)
class NameUse:
    """A call, or the mention of a class."""

    name: str
    receiver: str
    """What it is called on: ``self``, ``super()``, the last name before the dot, or empty."""
    line: int
    is_call: bool
    is_raised: bool = False
    """Whether it is created to be thrown."""


def uses_by_line(language: str, text: str) -> dict[int, list[NameUse]]:
    """Return the calls and class mentions on each line, comments and strings left out."""
    found: dict[int, list[NameUse]] = {}
    bare = without_comments(language, text)
    for number, line in enumerate(bare.split("\n"), 1):
        uses = list(_uses_on(line, number)) if line.strip() else []
        if uses:
            found[number] = uses
    return found


def without_comments(language: str, text: str) -> str:
    """Return code with comments and strings blanked out, every line in its place."""
    pieces, position = [], 0
    for start, end in comment_spans(language, text):
        if start < position:
            continue
        pieces += [text[position:start], _blank(text[start:end])]
        position = end
    pieces.append(text[position:])
    return _STRING.sub(lambda match: '"' + " " * (len(match[0]) - 2) + '"', "".join(pieces))


def _uses_on(line: str, number: int) -> Iterator[NameUse]:
    for match in _CALL.finditer(line):
        if (match["before"] or "").strip() in _DEFINES:
            continue
        receiver = match["receiver"]
        if receiver in {"super().", "super."}:
            yield NameUse(match["name"], "super()", number, is_call=True)
            continue
        last = _LAST_NAME.search(receiver)
        raised = _RAISES.search(line, 0, match.start()) is not None
        yield NameUse(match["name"], last[1] if last else "", number, True, raised)
    for word in _WORD.finditer(line):
        yield NameUse(word[0], "", number, is_call=False)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
