"""What an answer quotes: the telling lines of a definition, and what it says of itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import accumulate, takewhile

from analysis.modes.places import CallEdge, Place
from analysis.parsing.languages import language_of
from analysis.parsing.words import terms_of

_WHOLE = 28
_HEAD = 12
_WINDOW = 12
_MAX_WINDOWS = 2
# A line on which the next step of the way is called says more than any word on it.
_FOCUS_WORTH = 4.0
_LOOK_ABOVE = 40
_LOOK_BELOW = 14
_HASH_COMMENT = re.compile(r"^\s*#(?!!)\s?(?P<text>.*?)\s*$")
_SLASH_COMMENT = re.compile(r"^\s*(?://+|/\*+|\*(?!/))\s?(?P<text>.*?)(?:\*/)?\s*$")
_SLASH_LANGUAGES = frozenset({"javascript", "jsx", "typescript", "tsx", "go", "rust", "java", "c"})
_NO_REMARK = re.compile(
    r"^(?:type:|noqa|pragma|pylint|eslint|TODO|FIXME|XXX|@|!|-{3}|={3}|[\W\d_]*$)", re.IGNORECASE
)
_END_OF_PART = re.compile(
    r"^(?:$|:param|@\w|Args:|Returns?:|Raises:|Parameters\b|>>>|```|\.\. |[-*+] )"
)
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

Lines = tuple[int, int]


def excerpts(
    place: Place, lines: Sequence[str], focus: Collection[int], terms: Collection[str]
) -> list[Lines]:
    """Return the ranges of a place to show, in order: all of it if it is short.

    Args:
        place: A definition or a run of lines.
        lines: The lines of its file.
        focus: Lines that must be seen, such as calls that lead on.
        terms: Stems of the question's keywords.
    """
    start, end = place.line_start, min(place.line_end, len(lines))
    if end - start < _WHOLE:
        return [(start, end)]
    head_end = end_of_signature(place, lines)
    if place.is_class:
        return [(start, min(end, max(head_end, start + _HEAD + 2)))]
    worth = _worth(lines, head_end + 1, end, focus, terms)
    chosen = [(start, head_end)]
    for _ in range(_MAX_WINDOWS):
        window = _best_window(worth, head_end + 1)
        if window is None:
            break
        chosen.append(_trimmed(window, lines, end))
        for number in range(window[0], window[1] + 1):
            worth[number - head_end - 1] = 0.0
    return _joined(chosen)


def end_of_signature(place: Place, lines: Sequence[str]) -> int:
    """Return the line on which a definition's body opens."""
    first = place.info.line if place.info else place.line_start
    last = min(place.line_end, len(lines), first + _HEAD - 1)
    depth = 0
    for number in range(first, last + 1):
        line = lines[number - 1]
        depth += sum(map(line.count, "([")) - sum(map(line.count, ")]"))
        if depth <= 0 and line.rstrip().endswith((":", "{", "=>", "(")):
            return number
    return first if depth <= 0 else last


def _worth(
    lines: Sequence[str], start: int, end: int, focus: Collection[int], terms: Collection[str]
) -> list[float]:
    """Return how telling each line is."""
    wanted = frozenset(terms)
    seen: set[str] = set()
    worth = []
    for number in range(start, end + 1):
        held = wanted.intersection(terms_of(lines[number - 1]))
        value = 0.4 * len(held) + 0.6 * len(held - seen)
        seen |= held
        worth.append(value + (_FOCUS_WORTH if number in focus else 0.0))
    return worth


def _best_window(worth: Sequence[float], first: int) -> Lines | None:
    """Return the run of lines that is worth most, if any is worth anything."""
    if not any(worth):
        return None
    sums = [0.0, *accumulate(worth)]
    size = min(_WINDOW, len(worth))
    best = max(range(len(worth) - size + 1), key=lambda i: sums[i + size] - sums[i])
    # Lines before the first telling one only push it down.
    skip = next(i for i in range(best, best + size) if worth[i])
    lead = max(best, skip - 2)
    lead = min(lead, len(worth) - 1)
    return first + lead, min(first + lead + size - 1, first + len(worth) - 1)


def _trimmed(window: Lines, lines: Sequence[str], end: int) -> Lines:
    """Return a window without empty lines at its ends, and with the end of its statement."""
    start, stop = window
    while start < stop and not lines[start - 1].strip():
        start += 1
    while stop > start and not lines[stop - 1].strip():
        stop -= 1
    depth = sum(
        sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        for line in lines[start - 1 : stop]
    )
    while depth > 0 and stop < min(end, window[1] + 4):
        stop += 1
        line = lines[stop - 1]
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
    return start, stop


def _joined(ranges: list[Lines]) -> list[Lines]:
    """Return ranges in order, those that touch or nearly touch made one."""
    joined: list[Lines] = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1] + 3:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


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
    return _cut(known)


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
    """Return the comment that explains a call, right above its statement; empty without any.

    One that stands further in than the call is about what comes before it in a block of its own.
    """
    slashes = language_of(edge.source.path) in _SLASH_LANGUAGES
    pattern = _SLASH_COMMENT if slashes else _HASH_COMMENT
    number = edge.line - 1
    lowest = max(edge.source.line_start, edge.line - _COMMENT_DISTANCE) - 1
    while number > lowest:
        number -= 1
        if not lines[number].strip():
            return ""
        if pattern.match(lines[number]):
            is_inside = _indentation(lines[number]) > _indentation(lines[edge.line - 1])
            return "" if is_inside else _comment_ending(lines, number, pattern)
    return ""


def _indentation(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())


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
