"""Open editor buffers, parsed and laid over the stored files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.index.kept import Kept
from analysis.index.packing import counts_of
from analysis.index.tables import ChunkTable, FileTable, StoredTables, chunk_table

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.batch import Batch
    from analysis.index.counting import Occurrences
    from analysis.index.view import Postings
    from analysis.parsing.parse import ParsedFile
    from analysis.workspace.buffers import OpenBuffer
    from analysis.workspace.files import LocalFileBackend

# Words come up in one question after the other: a posting takes 8 bytes, so these are 4 MB.
_POSTINGS_KEPT = 500_000
_BEGINNINGS_KEPT = 20_000


class BufferCache:
    """Parses each version of a buffer once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[OpenBuffer, ParsedFile | None]] = {}

    def update(self, files: LocalFileBackend, is_left_out: Callable[[str], bool]) -> bool:
        """Parse what was opened or edited since last time; return whether anything changed."""
        buffers = files.buffers.snapshot()
        closed = [path for path in self._known if path not in buffers]
        for path in closed:
            del self._known[path]
        changed = bool(closed)
        for path, buffer in buffers.items():
            known = self._known.get(path)
            if known is None or known[0] != buffer:
                parsed = None if is_left_out(path) else _parse(files, path)
                self._known[path] = (buffer, parsed)
                changed = True
        return changed

    def parsed(self) -> dict[str, ParsedFile | None]:
        """Return the parse of every open buffer by path; None for one that is not searched."""
        return {path: self._known[path][1] for path in sorted(self._known)}


def _parse(files: LocalFileBackend, path: str) -> ParsedFile | None:
    from analysis.parsing.parse import parse_source

    source = files.load(path).source
    return None if source is None else parse_source(source)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Tables:
    """What a reader sees: one generation of the stored index under the open buffers."""

    stored: StoredTables
    files: FileTable
    chunks: ChunkTable
    overlay: Mapping[str, ParsedFile]
    """The open files that are searched."""
    hidden: frozenset[str]
    """Files whose stored rows do not count: the open ones."""
    batch: Batch | None
    """The overlay's postings; its chunks follow the stored ones. None if no file is open."""
    chunk_of_row: NDArray[np.int32] | None
    """As in ``StoredTables``, with the chunks of overlaid files dead."""
    first_overlay_chunk: int
    overlay_files: tuple[int, ...]
    """File index of each overlaid file by its number in the batch."""
    postings: Kept[str, Postings] = field(default_factory=lambda: Kept(_POSTINGS_KEPT))
    """Of the terms asked for last."""
    beginnings: Kept[tuple[str, int], Sequence[str]] = field(
        default_factory=lambda: Kept(_BEGINNINGS_KEPT)
    )
    """The most frequent terms that begin so, and how many were wanted."""

    def open_postings(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Return the chunks of open files that hold a term, and how often by field."""
        import numpy as np

        if self.batch is None:
            return np.empty(0, np.int32), np.empty((0, 4), np.uint8)
        terms, counts = self.batch.counts.terms, self.batch.counts
        found = _range(terms, term)
        chunks = terms.groups[found].astype(np.int32) + np.int32(self.first_overlay_chunk)
        return chunks, counts_of(counts.codes, counts.escapes.tobytes())[found]

    def open_terms(self) -> Sequence[str]:
        """Return the terms of open files."""
        return () if self.batch is None else self.batch.counts.terms.words

    def open_files_with(self, name: str) -> list[str]:
        """Return the open files in which an identifier stands."""
        if self.batch is None:
            return []
        found = self.batch.identifiers.groups[_range(self.batch.identifiers, name)].tolist()
        return [self.files.paths[self.overlay_files[number]] for number in found]


def _range(occurrences: Occurrences, word: str) -> slice:
    """Return where a word's groups are."""
    if word not in occurrences.words:
        return slice(0, 0)
    number = occurrences.words.index(word)
    start = int(occurrences.sizes[:number].sum())
    return slice(start, start + int(occurrences.sizes[number]))


def lay_over(stored: StoredTables, buffers: Mapping[str, ParsedFile | None]) -> Tables:
    """Return the tables in which open files stand as their buffers have them.

    Args:
        stored: What lies on the disk.
        buffers: The parse of each open file; None for one that is not to be searched.
    """
    import numpy as np

    overlay = {path: parsed for path, parsed in buffers.items() if parsed is not None}
    hidden = frozenset(buffers)
    if not overlay and hidden.isdisjoint(stored.files.index_of):
        n = len(stored.chunks)
        return Tables(
            stored, stored.files, stored.chunks, {}, hidden, None, stored.chunk_of_row, n, ()
        )
    batch = _batch(overlay)
    files, numbers = _files_with(stored.files, overlay)
    known = stored.files.index_of
    gone = np.array([known[path] for path in hidden if path in known], np.int32)
    keep = ~np.isin(stored.chunks.file_idx, gone)
    new_of_old = np.where(keep, np.cumsum(keep) - 1, -1).astype(np.int32)
    if stored.chunk_of_row is None:
        chunk_of_row = new_of_old
    else:
        old = stored.chunk_of_row
        chunk_of_row = np.where(old >= 0, new_of_old[old], -1).astype(np.int32)
    chunks = _chunks_with(stored.chunks, keep, batch, numbers, len(files))
    return Tables(
        stored, files, chunks, overlay, hidden, batch, chunk_of_row, int(keep.sum()), tuple(numbers)
    )


def _batch(overlay: Mapping[str, ParsedFile]) -> Batch:
    from analysis.index.batch import BatchBuilder, FileRecord
    from analysis.index.vocabulary import Vocabulary

    builder = BatchBuilder(Vocabulary())
    for path, parsed in overlay.items():
        builder.add_parsed(FileRecord(path, 0, 0), parsed)
    return builder.finish()


def _files_with(files: FileTable, overlay: Mapping[str, ParsedFile]) -> tuple[FileTable, list[int]]:
    """Return the file table with open files in it, and the file index of each."""
    import numpy as np

    new = [path for path in overlay if path not in files.index_of]
    paths, languages = [*files.paths, *new], [*files.languages, *[""] * len(new)]
    index_of = {**files.index_of, **{path: len(files) + i for i, path in enumerate(new)}}
    line_counts = np.concatenate([files.line_counts, np.zeros(len(new), np.int32)])
    for path, parsed in overlay.items():
        languages[index_of[path]] = parsed.outline.language
        line_counts[index_of[path]] = parsed.outline.line_count
    table = FileTable(paths, languages, line_counts, index_of)
    return table, [index_of[path] for path in overlay]


def _chunks_with(
    chunks: ChunkTable, keep: NDArray[np.bool_], batch: Batch, numbers: list[int], n_files: int
) -> ChunkTable:
    """Return the chunk table without the stored chunks of open files and with their own."""
    import numpy as np

    rows = batch.chunks
    number = np.arange(len(chunks), dtype=np.int32)
    to_owner = np.where(chunks.owner >= 0, number - chunks.owner, 0)
    columns: dict[str, NDArray[np.generic]] = {
        "owner": np.concatenate([chunks.file_idx[keep], np.array(numbers, np.int32)[rows["file"]]]),
        "start": np.concatenate([chunks.line_start[keep], rows["start"].astype(np.int32)]),
        "end": np.concatenate([chunks.line_end[keep], rows["end"].astype(np.int32)]),
        "kind": np.concatenate([chunks.kind[keep], rows["kind"]]),
        "lengths": np.concatenate([chunks.lengths[keep], rows["lengths"]]),
        "own_words": np.concatenate([chunks.own_words[keep], rows["own_words"]]),
        "to_head": np.concatenate([(number - chunks.head)[keep], rows["to_head"]]),
        "to_owner": np.concatenate([to_owner[keep], rows["to_owner"]]),
    }
    return chunk_table(columns, n_files)
