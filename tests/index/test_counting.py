"""Counting: terms by chunk and field, names by file, and how counts are packed."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.index.batch import Batch, BatchBuilder, FileRecord
from analysis.index.packing import (
    ESCAPE,
    codes_of,
    counts_of,
    packed_columns,
    unpack_columns,
    unpack_postings,
)
from analysis.index.vocabulary import Vocabulary
from analysis.models import SourceText
from analysis.parsing.parse import parse_source

GO = "// Starts listening.\nfunc Run() {\n\tlisten(port)\n}\n"


def batch_of(**files: str) -> Batch:
    builder = BatchBuilder(Vocabulary())
    for name, text in files.items():
        path = f"web/{name}.go"
        builder.add_parsed(FileRecord(path, 0, 0), parse_source(SourceText(path, text, "utf-8")))
    return builder.finish()


def counts_by_chunk(batch: Batch, term: str) -> dict[int, tuple[int, ...]]:
    terms = batch.counts.terms
    number = terms.words.index(term)
    start = int(terms.sizes[:number].sum())
    found = slice(start, start + int(terms.sizes[number]))
    counts = counts_of(batch.counts.codes, batch.counts.escapes.tobytes())[found]
    return dict(zip(terms.groups[found].tolist(), map(tuple, counts.tolist()), strict=True))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("listen", {0: (1, 0, 0, 1), 1: (0, 0, 0, 1)}),
        ("run", {0: (1, 2, 0, 0)}),
        ("server", {0: (0, 0, 1, 0)}),
        ("web", {0: (0, 0, 1, 0), 1: (255, 0, 1, 0)}),
        ("go", {0: (0, 0, 1, 0), 1: (0, 0, 1, 0)}),
    ],
)
def test_terms_are_counted_by_chunk_and_field(term, expected):
    batch = batch_of(server=GO, other="web " * 300 + "\n// listen\n")
    assert counts_by_chunk(batch, term) == expected


def test_lengths_and_places():
    batch = batch_of(server=GO, other="\n")
    assert batch.chunks["lengths"].tolist() == [[4, 1, 3, 2], [0, 0, 2, 0]]
    places = batch.chunks[["file", "start", "end", "kind"]].tolist()
    assert places == [(0, 1, 4, 1), (1, 1, 1, 0)]


def test_names_are_found_by_file_but_not_in_paths():
    batch = batch_of(server=GO, other="Run $1 1st server\n", empty="")
    found = batch.identifiers
    ends = np.cumsum(found.sizes).tolist()
    by_name = {
        name: found.groups[end - size : end].tolist()
        for name, size, end in zip(found.words, found.sizes.tolist(), ends, strict=True)
    }
    assert by_name["Run"] == [0, 1]
    assert by_name["server"] == [1]
    assert by_name["$1"] == [1]
    assert not {"1st", "web", "go"} & set(by_name)


def test_codes_hold_all_counts():
    numbers = [0, 1, 2, 5, 6, 9, 10, 254, 255]
    counts = np.array(np.meshgrid(*[numbers] * 4), np.uint8).reshape(4, -1).T
    codes, escapes = codes_of(counts)
    assert (counts_of(codes, escapes.tobytes()) == counts).all()
    assert len(escapes) < len(counts)


def test_many_rows_are_unpacked_as_each_alone():
    rng = np.random.default_rng(7)
    totals = np.array([1, 300, 254, 255, 2, 70])
    chunks = rng.integers(0, 0xFFFF, totals.sum()).astype(np.uint16)
    counts = rng.integers(0, 9, (len(chunks), 4)).astype(np.uint8)
    codes, escapes = codes_of(counts)
    words = [f"w{number}" for number in range(len(totals))]
    rows = [row for _, row in packed_columns(words, totals, chunks, codes, escapes)]
    found = unpack_columns(rows)
    assert found[0].tolist() == totals.tolist()
    assert found[1].tolist() == chunks.tolist()
    assert counts_of(found[2], found[3].tobytes()).tolist() == counts.tolist()
    assert (found[2] == ESCAPE).any()
    alone = [unpack_postings(row)[0].tolist() for row in rows]
    assert [len(ids) for ids in alone] == totals.tolist()
    assert [one for ids in alone for one in ids] == chunks.tolist()
