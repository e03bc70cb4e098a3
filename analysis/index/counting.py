"""Counting words for a batch: which terms stand in which chunks, which names in which files.

All words of a batch are counted at once, as columns of numbers, because a loop over them in Python
takes longer than everything else that indexing does with a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.index.packing import codes_of
from analysis.parsing.chunks import FIELDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.vocabulary import Vocabulary

_N_FIELDS = len(FIELDS)
_NAME, _PATH = FIELDS.index("name"), FIELDS.index("path")
_MAX_COUNT = 255
_MAX_LENGTH = 0xFFFF
# A name is said once, however often it is written: 1 where it stands among the names of a chunk,
# 2 where it is the name of what the chunk defines and not only of what is around that.
_OWN = 2


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Which words stand in which groups: terms in chunks, identifiers in files."""

    words: list[str]
    """Each once, in no order."""
    sizes: NDArray[np.uint32]
    """In how many groups each word stands."""
    groups: NDArray[np.uint16]
    """The numbers of these groups, word after word, each time in order."""


@dataclass(frozen=True, slots=True, eq=False)
class TermCounts:
    """Terms by chunk."""

    terms: Occurrences
    codes: NDArray[np.uint8]
    """One for each group of each term: how often it stands in each field."""
    escapes: NDArray[np.uint8]
    """The counts of those that have no code; shape (n, 4)."""
    lengths: NDArray[np.uint16]
    """By chunk: number of terms in each field; shape (n, 4)."""
    own_words: NDArray[np.uint8]
    """By chunk: number of terms in the name of what is defined there, owners left out."""


def count_terms(
    vocabulary: Vocabulary,
    words: NDArray[np.uint32],
    fields: NDArray[np.uint32],
    n_chunks: int,
) -> TermCounts:
    """Return the terms of chunks, counted by field.

    Args:
        vocabulary: Numbers the words.
        words: Numbers of the words, in any order.
        fields: Of each word its chunk's number, times four, with the field's number in it.
        n_chunks: How many chunks there are.
    """
    import numpy as np

    n_fields = n_chunks * _N_FIELDS
    keys = _term_keys(vocabulary, words, fields, n_fields)
    keys, counts = np.unique(keys, return_counts=True)
    field = keys % _N_FIELDS
    is_name = field == _NAME
    counts[is_name] = np.minimum(counts[is_name], _OWN)
    chunk_fields = keys % max(n_fields, 1)
    is_own = is_name & (counts == _OWN)
    own = np.bincount(chunk_fields[is_own] // _N_FIELDS, minlength=n_chunks)
    totals = np.bincount(chunk_fields, np.where(is_name, 1, counts), n_fields)
    pairs = keys // _N_FIELDS
    is_first = np.diff(pairs, prepend=-1) != 0
    by_field = np.zeros((int(is_first.sum()), _N_FIELDS), np.uint8)
    by_field[np.cumsum(is_first) - 1, field] = np.minimum(counts, _MAX_COUNT)
    codes, escapes = codes_of(by_field)
    occurrences = _occurrences(vocabulary.terms.words, pairs[is_first], n_chunks)
    lengths = np.minimum(totals, _MAX_LENGTH).astype(np.uint16).reshape(-1, _N_FIELDS)
    own_words = np.minimum(own, _MAX_COUNT).astype(np.uint8)
    return TermCounts(occurrences, codes, escapes, lengths, own_words)


def find_identifiers(
    vocabulary: Vocabulary,
    words: NDArray[np.uint32],
    fields: NDArray[np.uint32],
    chunks_by_file: NDArray[np.uint32],
) -> Occurrences:
    """Return the names in the text of files; arguments as for ``count_terms``.

    Args:
        vocabulary: Numbers the words.
        words: Numbers of the words.
        fields: Of each word its chunk's number, times four, with the field's number in it.
        chunks_by_file: How many chunks each file has.
    """
    import numpy as np

    n_files = len(chunks_by_file)
    by_chunk = np.repeat(np.arange(n_files), chunks_by_file)
    in_text = ~np.isin(np.arange(_N_FIELDS), (_NAME, _PATH))
    kept = in_text[fields % _N_FIELDS] & vocabulary.identifiers()[words]
    keys = words[kept].astype(np.int64) * max(n_files, 1) + by_chunk[fields[kept] // _N_FIELDS]
    # Several times faster than `np.unique`, which also imports a part of numpy that nobody needs.
    keys.sort()
    return _occurrences(vocabulary.words, keys[np.diff(keys, prepend=-1) != 0], n_files)


def _term_keys(
    vocabulary: Vocabulary, words: NDArray[np.uint32], fields: NDArray[np.uint32], n_fields: int
) -> NDArray[np.int64]:
    """Return a number for each term of each word: the term's, then the field's of the chunk."""
    import numpy as np

    first, numbers = vocabulary.term_numbers()
    n_terms = np.diff(first)[words]
    ends = np.cumsum(n_terms)
    places = np.repeat(first[words] - ends + n_terms, n_terms)
    places += np.arange(len(places))
    keys: NDArray[np.int64] = numbers[places] * n_fields + np.repeat(fields, n_terms)
    return keys


def _occurrences(names: list[str], pairs: NDArray[np.int64], n_groups: int) -> Occurrences:
    """Return occurrences from sorted numbers, each of a word and a group."""
    import numpy as np

    words, groups = np.divmod(pairs, max(n_groups, 1))
    present, sizes = np.unique(words, return_counts=True)
    return Occurrences(
        [names[number] for number in present.tolist()],
        sizes.astype(np.uint32),
        groups.astype(np.uint16),
    )
