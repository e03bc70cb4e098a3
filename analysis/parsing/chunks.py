"""Chunks: the pieces of a file that are ranked, each with its words by field.

A chunk is a function, the head of a class, or a block between them; the comments above a
definition belong to it. Long ones are split. Chunks cover a file's lines exactly once, in order.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from analysis.models import FileOutline
from analysis.parsing.comment_spans import comment_spans
from analysis.parsing.numbering import Numbering
from analysis.parsing.spans import LineSpan, spans_of
from analysis.parsing.words import names_between, names_in

FIELDS = ("body", "name", "path", "comments")
"""Where a word of a chunk stands. In prose every word is body; in code, what is not a comment."""
_NAME, _PATH, _COMMENTS = (FIELDS.index(field) for field in ("name", "path", "comments"))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of lines that is ranked as one."""

    line_start: int
    line_end: int
    symbol: str | None
    """Qualified name of the definition that the lines are of, or the heading above them."""
    kind: str
    """Kind of that definition, or ``block``."""


@dataclass(frozen=True, slots=True)
class FileWords:
    """The words of a file in runs, each of which stands in one field of one chunk."""

    words: Sequence[str]
    """Each once; runs of letters, digits, ``_`` and ``$``."""
    numbers: array[int]
    """Of each word in turn its position in ``words``."""
    fields: array[int]
    """Of each run the field's number, counted over all chunks: four a chunk, as in ``FIELDS``."""
    sizes: array[int]
    """How many words each run has."""


def chunks_of(path: str, text: str, outline: FileOutline) -> tuple[tuple[Chunk, ...], FileWords]:
    r"""Return the chunks of a file, which cover its lines exactly once, in order, and their words.

    Args:
        path: Relative to the root; its words are a field of every chunk.
        text: The whole text with ``\n`` line ends.
        outline: The file's definitions; without any the text is split by its layout.
    """
    lines = text.split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    spans = spans_of(outline, lines)
    named = _names_by_span(spans, _names_by_line(outline))
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    runs = _runs(spans, starts, list(comment_spans(outline.language, text)))
    found = Numbering()
    path_words = [found[word] for word in names_in(path)]
    numbers, fields, sizes = array("I"), array("I"), array("I")
    names_in_run = names_between(text)
    start = 0
    for field, end in runs:
        words = names_in_run(start, end)
        numbers.extend(map(found.__getitem__, words))
        fields.append(field)
        sizes.append(len(words))
        start = end
    for number, names in enumerate(named):
        numbers.extend(map(found.__getitem__, names))
        numbers.extend(path_words)
        field = number * len(FIELDS)
        fields.extend((field + _NAME, field + _PATH))
        sizes.extend((len(names), len(path_words)))
    chunks = tuple(Chunk(span.start, span.end, span.symbol, span.kind) for span in spans)
    return chunks, FileWords(found.words, numbers, fields, sizes)


def _names_by_span(
    spans: Sequence[LineSpan], by_line: Mapping[int, list[str]]
) -> Iterator[list[str]]:
    """Yield the names of what each span is of, and of what is defined in it."""
    lines = sorted(by_line, reverse=True)
    for span in spans:
        names = names_in(span.symbol or "")
        while lines and lines[-1] <= span.end:
            # The name of what a chunk is of is there twice, those of what is around it and inside
            # it once: that tells them apart. In a block each definition is what it is of.
            names += by_line[lines.pop()] * (2 if span.kind == "block" else 1)
        yield names


def _names_by_line(outline: FileOutline) -> dict[int, list[str]]:
    """Return the plain names of all definitions by the line on which each name stands."""
    names: dict[int, list[str]] = {}
    stack = list(outline.symbols)
    while stack:
        symbol = stack.pop()
        words = [symbol.name] if symbol.name.isidentifier() else names_in(symbol.name)
        names.setdefault(symbol.name_line, []).extend(words)
        stack.extend(symbol.children)
    return names


def _runs(
    spans: Sequence[LineSpan], starts: Sequence[int], comments: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the runs of text inside and outside comments that make up the spans, in order.

    Each has the number of its field, counted over all chunks, and where it ends; it begins where
    the one before ends.
    """
    runs: list[tuple[int, int]] = []
    i = 0
    last = starts[-1] - 1
    for number, span in enumerate(spans):
        field = number * len(FIELDS)
        position, end = starts[span.start - 1], min(starts[span.end], last)
        while i < len(comments) and comments[i][0] < end:
            start, stop = comments[i]
            if start > position:
                runs.append((field, start))
            position = min(stop, end)
            runs.append((field + _COMMENTS, position))
            if stop > end:
                break  # goes on in the next span
            i += 1
        if position < end:
            runs.append((field, end))
    return runs
