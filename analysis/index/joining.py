"""Joins columns of several sources into the rows of one segment, many words at a time.

There is no Python object for a posting here, neither when batches become a segment nor when
segments become one: a loop over postings takes longer than everything else that is done with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from analysis.index.packing import ESCAPE, packed_columns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.counting import Occurrences


class TermColumns(NamedTuple):
    """Postings of some terms, their chunks numbered as in the segment to be written."""

    terms: Occurrences
    codes: NDArray[np.uint8]
    """One for each group of each term."""
    escapes: NDArray[np.uint8]
    """The counts of those that have no code, in order; shape (n, 4)."""


def joined_terms(parts: Sequence[TermColumns]) -> Iterator[tuple[str, bytes]]:
    """Yield each term with its packed postings, in order; of a term those of the first part first.

    Terms without any are left out.
    """
    import numpy as np

    words, totals, places = _places([part.terms for part in parts])
    chunks = np.empty(sum(map(len, places)), np.uint16)
    codes = np.empty(len(chunks), np.uint8)
    for part, place in zip(parts, places, strict=True):
        chunks[place] = part.terms.groups
        codes[place] = part.codes
    rare = [place[part.codes == ESCAPE] for part, place in zip(parts, places, strict=True)]
    order = np.argsort(np.concatenate(rare))
    escapes = np.concatenate([part.escapes for part in parts])[order]
    return packed_columns(words, totals, chunks, codes, escapes)


def joined_names(parts: Sequence[Occurrences]) -> Iterator[tuple[str, bytes]]:
    """Yield each identifier with its packed file numbers, in order; as for ``joined_terms``."""
    import numpy as np

    words, totals, places = _places(parts)
    files = np.empty(sum(map(len, places)), np.uint16)
    for part, place in zip(parts, places, strict=True):
        files[place] = part.groups
    return packed_columns(words, totals, files)


def _places(
    parts: Sequence[Occurrences],
) -> tuple[list[str], NDArray[np.int64], list[NDArray[np.int64]]]:
    """Return all words in order, in how many groups each stands, and where each part's go.

    In the joined columns a word's groups stand together, those of the first part first.
    """
    import numpy as np

    words = sorted(set().union(*(part.words for part in parts)))
    numbers = dict(zip(words, range(len(words)), strict=True))
    known = [
        np.fromiter(map(numbers.__getitem__, part.words), np.int64, len(part.words))
        for part in parts
    ]
    totals = np.zeros(len(words), np.int64)
    for part, ids in zip(parts, known, strict=True):
        totals[ids] += part.sizes
    free = np.cumsum(totals) - totals
    places = []
    for part, ids in zip(parts, known, strict=True):
        shift = free[ids] - (np.cumsum(part.sizes, dtype=np.int64) - part.sizes)
        places.append(np.repeat(shift, part.sizes) + np.arange(len(part.groups)))
        free[ids] += part.sizes
    if not totals.all():
        words = [word for word, total in zip(words, totals.tolist(), strict=True) if total]
        totals = totals[totals > 0]
    return words, totals, places
