"""What the code says of itself in words: the first sentence of a docstring, a comment at a call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from analysis.modes.places import CallEdge, Place
from analysis.parsing.languages import language_of

_LOOK_ABOVE = 40
_LOOK_BELOW = 14
_HASH_COMMENT = re.compile(r"^\s*#(?!!)\s?(?P<text>.*?)\s*$")
_SLASH_COMMENT = re.compile(r"^\s*(?://+|/\*+|\*(?!/))\s?(?P<text>.*?)(?:\*/)?\s*$")
_SLASH_LANGUAGES = frozenset({"javascript", "jsx", "typescript", "tsx", "go", "rust", "java", "c"})
_NO_REMARK = re.compile(
    r"^(?:type:|noqa|pragma|pylint|eslint|TODO|FIXME|XXX|@|!|-{3}|={3}|\W*$)", re.IGNORECASE
)
_END_OF_PART = re.compile(r"^(?:$|:param|@\w|Args:|Returns?:|Raises:|Parameters\b|>>>|```|\.\. )")
_SENTENCE_END = re.compile(r"(?<=[^.\s][.!?])(?=\s+[A-Z`'\"(]|$)(?<!e\.g\.)(?<!i\.e\.)")
_MARGIN = re.compile(r"^\s*(?:\*(?!/)\s?|//+\s?|#\s?)?")
_ADMONITION = ("!!!", ".. ")
_CLOSING = ('"""', "'''", "*/")
_LINE_COMMENT = re.compile(r"^\s*(?://+!?|#+|--+|;+|%+)")
# A string in single quotes ends on its line.
_SHORT_STRING = re.compile(r"(?<!\")\"$|(?<!')'$")
# A comment further above a call is about something else.
_COMMENT_DISTANCE = 6
_MAX_COMMENT_LINES = 4


def first_sentence(place: Place, lines: Sequence[str]) -> str:
    """Return the first sentence of a definition's docstring or doc comment; empty without any."""
    known = place.info.docstring if place.info else None
    if not known:
        return ""
    start = max(0, place.line_start - 1 - _LOOK_ABOVE)
    stop = min(len(lines), place.line_end, (place.info.line if place.info else 0) + _LOOK_BELOW)
    for number in range(start, stop):
        if known in lines[number]:
            if known.startswith(_ADMONITION):
                return _after_admonition(lines[number + 1 : number + 12])
            return _sentence(known, _rest_of_remark(lines, number, known))
    return known


def _rest_of_remark(lines: Sequence[str], number: int, known: str) -> Sequence[str]:
    """Return the lines that go on with a docstring or comment after its first line of text."""
    before, _, after = lines[number].partition(known)
    if _SHORT_STRING.search(before) or any(mark in after for mark in _CLOSING):
        return ()
    following = lines[number + 1 : number + 8]
    if _LINE_COMMENT.match(lines[number]):
        return [_LINE_COMMENT.sub("", line) for line in takewhile(_LINE_COMMENT.match, following)]
    return following


def _after_admonition(following: Sequence[str]) -> str:
    """Return the first sentence after a block that only points to other documentation."""
    for number, line in enumerate(following):
        if not line.strip() and number + 1 < len(following):
            first = following[number + 1].strip()
            return "" if _END_OF_PART.match(first) else _sentence(first, following[number + 2 :])
    return ""


def comment_at(edge: CallEdge, lines: Sequence[str]) -> str:
    """Return the comment that explains a call, right above its statement; empty without any."""
    slashes = language_of(edge.source.path) in _SLASH_LANGUAGES
    pattern = _SLASH_COMMENT if slashes else _HASH_COMMENT
    number = edge.line - 1
    lowest = max(edge.source.line_start, edge.line - _COMMENT_DISTANCE) - 1
    while number > lowest:
        number -= 1
        if not lines[number].strip():
            return ""
        if pattern.match(lines[number]):
            return _comment_ending(lines, number, pattern)
    return ""


def _comment_ending(lines: Sequence[str], last: int, pattern: re.Pattern[str]) -> str:
    """Return the text of the comment lines that end with a line."""
    texts: list[str] = []
    for number in range(last, max(-1, last - _MAX_COMMENT_LINES), -1):
        match = pattern.match(lines[number])
        if match is None:
            break
        texts.insert(0, match["text"].strip())
    if any(_NO_REMARK.match(text) for text in texts):
        return ""
    return _cut(" ".join(texts))


def _sentence(first: str, following: Sequence[str]) -> str:
    """Return a text up to its first sentence's end, read on over the lines that follow."""
    text = first.strip()
    if _SENTENCE_END.search(text) is None:
        for line in following:
            more = _MARGIN.sub("", line).strip()
            ends = [more.find(quotes) for quotes in _CLOSING if quotes in more]
            if ends:
                more = more[: min(ends)].strip()
            if _END_OF_PART.match(more):
                break
            text = f"{text} {more}"
            if ends or _SENTENCE_END.search(text):
                break
    return _cut(text)


def _cut(text: str) -> str:
    match = _SENTENCE_END.search(text)
    return text[: match.end()] if match else text
