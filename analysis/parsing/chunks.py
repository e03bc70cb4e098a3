"""Chunks: the pieces of a file that are ranked, each with its words by field.

A chunk is a function, the head of a class, or a block between them; the comments above a
definition belong to it. Long ones are split. Chunks cover a file's lines exactly once, in order.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from analysis.models import FileOutline
from analysis.parsing.comment_spans import comment_spans
from analysis.parsing.numbering import Numbering
from analysis.parsing.spans import LineSpan, spans_of
from analysis.parsing.words import names_between, names_in

FIELDS = ("body", "name", "path", "comments")
"""Where a word of a chunk stands. In prose every word is body; in code, what is not a comment."""


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
    """The words of a file as they stand in it: chunk after chunk, and field after field."""

    words: Sequence[str]
    """Each once; runs of letters, digits, ``_`` and ``$``."""
    numbers: array[int]
    """Of each word in turn its position in ``words``."""
    sizes: array[int]
    """How many words each field of each chunk has: four numbers a chunk, in order of ``FIELDS``."""


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
    defined = _names_by_line(outline)
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    comments = list(comment_spans(outline.language, text))
    found = Numbering()
    numbers, sizes = array("I"), array("I")
    path_words = [found[word] for word in names_in(path)]
    names = names_between(text)
    for span, (code, remarks) in zip(spans, _words(spans, starts, comments, names), strict=True):
        named = names_in(span.symbol or "")
        for line in range(span.start, span.end + 1) if defined else ():
            # The name of what a chunk is of is there twice, those of what is around it and inside
            # it once: that tells them apart. In a block each definition is what it is of.
            named += defined.get(line, []) * (2 if span.kind == "block" else 1)
        numbers.extend(map(found.__getitem__, code))
        numbers.extend(map(found.__getitem__, named))
        numbers.extend(path_words)
        numbers.extend(map(found.__getitem__, remarks))
        sizes.extend((len(code), len(named), len(path_words), len(remarks)))
    chunks = tuple(Chunk(span.start, span.end, span.symbol, span.kind) for span in spans)
    return chunks, FileWords(found.words, numbers, sizes)


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


def _words(
    spans: Sequence[LineSpan],
    starts: Sequence[int],
    comments: Sequence[tuple[int, int]],
    names: Callable[[int, int], list[str]],
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield, for each span, its words outside comments and its words inside them."""
    i = 0
    last = starts[-1] - 1
    for span in spans:
        position, end = starts[span.start - 1], min(starts[span.end], last)
        code: list[str] = []
        remarks: list[str] = []
        while i < len(comments) and comments[i][0] < end:
            start, stop = comments[i]
            code += names(position, max(position, start))
            remarks += names(max(position, start), min(stop, end))
            position = min(stop, end)
            if stop > end:
                break  # goes on in the next span
            i += 1
        code += names(position, end)
        yield code, remarks
