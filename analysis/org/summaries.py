"""What a repository says of itself before it is asked: its terms, and the names that it defines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from analysis.index.packing import unpack_postings
from analysis.parsing.chunks import FIELDS

if TYPE_CHECKING:
    from analysis.models import SourceText

_NAME = FIELDS.index("name")
_OWN = 2
"""What a name counts as that is the name of what the chunk defines."""


def term_counts(rows: Iterable[tuple[str, bytes]]) -> dict[str, tuple[int, int]]:
    """Return for each term in how many chunks it stands, and in how many as their own name."""
    found: dict[str, tuple[int, int]] = {}
    for term, data in rows:
        chunks, counts = unpack_postings(data)
        found[term] = len(chunks), int((counts[:, _NAME] == _OWN).sum())
    return found


def texts_counted(texts: Iterable[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """Return what files would add to the summary of a repository, by path and text."""
    from analysis.index.batch import BatchBuilder, FileRecord
    from analysis.index.segments import SegmentBuilder
    from analysis.index.store import MemoryStore
    from analysis.index.vocabulary import Vocabulary
    from analysis.parsing.parse import parse_source

    builder = BatchBuilder(Vocabulary())
    n_files = 0
    for path, text in texts:
        builder.add_parsed(FileRecord(path, 0, 0), parse_source(_source(path, text)))
        n_files += 1
    if not n_files:
        return {}
    store = MemoryStore("")
    segment = SegmentBuilder()
    segment.add(builder.finish())
    with store.writing() as conn:
        segment.write(conn)
        found = term_counts(conn.execute("SELECT term, data FROM postings"))
    store.close()
    return found


def _source(path: str, text: str) -> SourceText:
    from analysis.models import SourceText

    return SourceText(path, text, "utf-8")
