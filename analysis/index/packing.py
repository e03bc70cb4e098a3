"""How postings and chunk columns are packed into bytes.

A term's row in a segment is a count, chunk numbers (uint16), one code byte a posting, and four
bytes for each posting whose counts have no code of their own. Most postings are of a few shapes
(once in the body, nowhere else), so a byte says nearly always enough.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_PER_SEGMENT = 0xFFFF
"""Chunks and files of a segment are numbered in 16 bits."""

ESCAPE = 255
# Counts below these have a code of their own: 240 shapes, chosen by how often they occur.
_LIMITS = (8, 3, 2, 5)
_SHAPES = list(itertools.product(*map(range, _LIMITS)))

CHUNK_KINDS = (
    "block", "function", "class", "method", "variable", "interface", "enum", "type", "property",
    "module",
)  # fmt: skip
"""Kinds by their number in the chunk table; new ones are added at the end."""
_KIND_CODES = {kind: code for code, kind in enumerate(CHUNK_KINDS)}


def kind_code(kind: str) -> int:
    """Return a chunk kind's number; unknown kinds count as blocks."""
    return _KIND_CODES.get(kind, 0)


def chunk_dtype() -> np.dtype[np.void]:
    """Return the layout of a chunk's row in a segment."""
    import numpy as np

    return np.dtype(
        [
            ("file", "<u2"),
            ("start", "<u4"),
            ("end", "<u4"),
            ("kind", "u1"),
            ("lengths", "<u2", 4),
            ("own_words", "u1"),
            # How many chunks before this one its definition begins, and the one around it begins;
            # 0 for the chunk itself, which for the one around it means that there is none.
            ("to_head", "<u2"),
            ("to_owner", "<u2"),
        ]
    )


def packed_columns(
    words: list[str],
    totals: NDArray[np.int64],
    members: NDArray[np.uint16],
    codes: NDArray[np.uint8] | None = None,
    escapes: NDArray[np.uint8] | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Yield the row of each word from columns that stand in the order of the words.

    Without codes a row is the members alone, as for identifiers.

    Args:
        words: In the order of the columns.
        totals: How many members each word has.
        members: The numbers of chunks or files.
        codes: One for each member.
        escapes: The counts of those that have no code; shape (n, 4).
    """
    import numpy as np

    ends = np.cumsum(totals)
    member_bytes = members.astype("<u2", copy=False).tobytes()
    if codes is None or escapes is None:
        start = 0
        for word, end in zip(words, ends.tolist(), strict=True):
            yield word, member_bytes[2 * start : 2 * end]
            start = end
        return
    n_rare = np.append(0, np.cumsum(codes == ESCAPE))[ends].tolist()
    code_bytes, rare_bytes = codes.tobytes(), escapes.tobytes()
    start = rare_start = 0
    for word, end, rare_end in zip(words, ends.tolist(), n_rare, strict=True):
        yield (
            word,
            _count_header(end - start)
            + member_bytes[2 * start : 2 * end]
            + code_bytes[start:end]
            + rare_bytes[4 * rare_start : 4 * rare_end],
        )
        start, rare_start = end, rare_end


def unpack_postings(data: bytes) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Return chunk numbers, and counts by field, of a row."""
    import numpy as np

    n, offset = read_count(data)
    ids = np.frombuffer(data, "<u2", n, offset)
    codes = np.frombuffer(data, np.uint8, n, offset + 2 * n)
    return ids, counts_of(codes, data[offset + 3 * n :])


def codes_of(counts: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the codes of counts by field, and the counts of those that have no code."""
    import numpy as np

    codes = np.zeros(len(counts), np.uint8)
    for limit, column in zip(_LIMITS, counts.T, strict=True):
        codes = codes * np.uint8(limit) + column
    rare = (counts >= np.array(_LIMITS)).any(axis=1)
    codes[rare] = ESCAPE
    return codes, counts[rare]


def counts_of(codes: NDArray[np.uint8], escapes: bytes | bytearray) -> NDArray[np.uint8]:
    """Return the counts by field that codes stand for, shape (n, 4)."""
    import numpy as np

    counts = _shape_table()[codes]
    if escapes:
        counts[codes == ESCAPE] = np.frombuffer(bytes(escapes), np.uint8).reshape(-1, 4)
    return counts


def unpack_columns(
    rows: Sequence[bytes],
) -> tuple[NDArray[np.int64], NDArray[np.uint16], NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the columns of many rows at once: how many postings each has, chunks, codes, escapes.

    The last are the counts of postings that have no code, shape (n, 4); all stand in the order of
    the rows.
    """
    import numpy as np

    # A slice a row costs less than to gather bytes by their places, most of all of frequent terms.
    totals: list[int] = []
    chunks: list[bytes] = []
    codes: list[bytes] = []
    escapes: list[bytes] = []
    for row in rows:
        n, start = read_count(row)
        middle = start + 2 * n
        totals.append(n)
        chunks.append(row[start:middle])
        codes.append(row[middle : middle + n])
        escapes.append(row[middle + n :])
    return (
        np.array(totals, np.int64),
        np.frombuffer(b"".join(chunks), "<u2"),
        np.frombuffer(b"".join(codes), np.uint8),
        np.frombuffer(b"".join(escapes), np.uint8).reshape(-1, 4),
    )


def read_count(data: bytes) -> tuple[int, int]:
    """Return how many postings a row has, and where its columns start."""
    if data[0] < ESCAPE:
        return data[0], 1
    return int.from_bytes(data[1:5], "little"), 5


def _count_header(n: int) -> bytes:
    return bytes([n]) if n < ESCAPE else bytes([ESCAPE]) + n.to_bytes(4, "little")


_table: list[NDArray[np.uint8]] = []


def _shape_table() -> NDArray[np.uint8]:
    """Return the counts of each code, made once."""
    import numpy as np

    if not _table:
        rows = [*_SHAPES, *[(0, 0, 0, 0)] * (256 - len(_SHAPES))]
        _table.append(np.array(rows, dtype=np.uint8))
    return _table[0]
