"""Chunks: the pieces of a file that are ranked, each with its terms counted by field.

A chunk is a function, the head of a class, or a block between them; the comments above a
definition belong to it. Long ones are split. Chunks cover a file's lines exactly once, in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from analysis.models import FileOutline
from analysis.parsing.comment_spans import comment_spans
from analysis.parsing.spans import Span, spans_of
from analysis.parsing.words import terms_of_word, words_in

_MAX_COUNT = 255
# In prose every word is text; in code, what is not a comment is.
_BODY, _NAME, _PATH, _COMMENT = range(4)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of lines that is ranked as one."""

    line_start: int
    line_end: int
    symbol: str | None
    """Qualified name of the definition that the lines are of, or the heading above them."""
    kind: str
    """Kind of that definition, or ``block``."""
    terms: Mapping[str, tuple[int, int, int, int]]
    """Term -> how often it occurs in body, name, path and comments, at most 255 each."""
    lengths: tuple[int, int, int, int]
    """Number of terms in each of the four fields."""


def chunks_of(path: str, text: str, outline: FileOutline) -> list[Chunk]:
    r"""Return the chunks of a file; they cover its lines exactly once, in order.

    Args:
        path: Relative to the root; its words are a field of every chunk.
        text: The whole text with ``\n`` line ends.
        outline: The file's definitions; without any the text is split by its layout.
    """
    lines = text.split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    spans = spans_of(outline, lines)
    names = _names_by_line(outline)
    path_terms = Counter(_terms(words_in(path)))
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    comments = list(comment_spans(outline.language, text))
    chunks: list[Chunk] = []
    for span, (code, remarks) in zip(spans, _texts(spans, starts, comments, text), strict=True):
        named = [name for line in range(span.start, span.end + 1) for name in names.get(line, ())]
        fields = (code, span.symbol or "", "", remarks)
        chunks.append(_chunk(span, fields, named, path_terms))
    return chunks


def _names_by_line(outline: FileOutline) -> dict[int, list[str]]:
    """Return the plain names of all definitions by the line on which each name stands."""
    names: dict[int, list[str]] = {}
    stack = list(outline.symbols)
    while stack:
        symbol = stack.pop()
        names.setdefault(symbol.name_line, []).append(symbol.name)
        stack.extend(symbol.children)
    return names


def _texts(
    spans: Sequence[Span], starts: Sequence[int], comments: Sequence[tuple[int, int]], text: str
) -> Iterator[tuple[str, str]]:
    """Yield, for each span, its text outside comments and its text inside them."""
    i = 0
    for span in spans:
        position, end = starts[span.start - 1], min(starts[span.end], len(text))
        code: list[str] = []
        remarks: list[str] = []
        while i < len(comments) and comments[i][0] < end:
            start, stop = comments[i]
            code.append(text[position : max(position, start)])
            remarks.append(text[max(position, start) : min(stop, end)])
            position = min(stop, end)
            if stop > end:
                break  # goes on in the next span
            i += 1
        code.append(text[position:end])
        yield "\n".join(code), "\n".join(remarks)


def _chunk(
    span: Span, fields: Sequence[str], named: list[str], path_terms: Mapping[str, int]
) -> Chunk:
    """Return a chunk with the terms of its fields counted."""
    body = _count(fields[_BODY])
    names = Counter(set(_terms([*words_in(fields[_NAME]), *named])))
    comments = _count(fields[_COMMENT])
    # Most terms stand in the body alone; the others are put right afterwards.
    terms = {term: (min(count, _MAX_COUNT), 0, 0, 0) for term, count in body.items()}
    for term in {**names, **path_terms, **comments}:
        terms[term] = (
            min(body.get(term, 0), _MAX_COUNT),
            names.get(term, 0),
            min(path_terms.get(term, 0), _MAX_COUNT),
            min(comments.get(term, 0), _MAX_COUNT),
        )
    lengths = (
        sum(body.values()), sum(names.values()), sum(path_terms.values()), sum(comments.values())
    )  # fmt: skip
    return Chunk(span.start, span.end, span.symbol, span.kind, terms, lengths)


def _count(text: str) -> Counter[str]:
    """Return how often each term occurs in a text."""
    return Counter(chain.from_iterable(map(terms_of_word, words_in(text))))


def _terms(words: Iterable[str]) -> list[str]:
    return [term for word in words for term in terms_of_word(word)]
