"""What parsing a handful of files yields, in the form in which it is cheap to pass on and store.

A batch is filled where files are parsed, which may be a worker process, and taken apart where
segments are written; between the two travel long arrays, not millions of small objects.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.index.counting import Occurrences, TermCounts, count_terms, find_identifiers
from analysis.index.packing import chunk_dtype, kind_code
from analysis.index.symbols import SymbolRecord, symbol_records
from analysis.parsing.chunks import FIELDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.vocabulary import Vocabulary
    from analysis.parsing.chunks import Chunk
    from analysis.parsing.parse import ParsedFile

_FARTHEST = 0xFFFF


@dataclass(slots=True)
class FileRecord:
    """One file of the scan with what was found in it."""

    path: str
    size: int
    mtime_ns: int
    hash: bytes = b""
    skipped: str | None = None
    """Why the file is left out, known only once it was read."""
    unchanged: bool = False
    """The content is the stored one; only the time differed."""
    language: str = ""
    line_count: int = 0
    symbols: list[SymbolRecord] = field(default_factory=list)
    details: bytes = b""
    facts: bytes | None = b""
    """None if they are made when somebody asks for them."""

    @property
    def is_parsed(self) -> bool:
        """Whether the file goes into a segment."""
        return self.skipped is None and not self.unchanged


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Parsed files; chunks and files are numbered from the start of the batch."""

    records: list[FileRecord]
    chunks: NDArray[np.void]
    """The rows of the chunk table, see packing.py."""
    counts: TermCounts
    identifiers: Occurrences
    n_files: int
    """Number of parsed files; others have no number."""

    @property
    def n_chunks(self) -> int:
        """Number of chunks."""
        return len(self.chunks)

    @property
    def n_bytes(self) -> int:
        """About how much memory the batch takes."""
        symbols = sum(len(record.symbols) for record in self.records)
        packed = sum(len(record.details) + len(record.facts or b"") for record in self.records)
        words = len(self.counts.terms.words) + len(self.identifiers.words)
        groups = len(self.counts.terms.groups) + len(self.identifiers.groups)
        return 3 * groups + 70 * words + 800 * symbols + packed + self.chunks.nbytes


class BatchBuilder:
    """Gathers files for a batch.

    Args:
        vocabulary: The words that are known already; it grows.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._records: list[FileRecord] = []
        self._words: list[NDArray[np.uint32]] = []
        self._fields: list[NDArray[np.uint32]] = []
        self._sizes = array("I")
        self._chunks: list[tuple[int, ...]] = []
        self._chunks_by_file: list[int] = []

    def add_parsed(self, record: FileRecord, parsed: ParsedFile) -> None:
        """Add a file that is to be searched."""
        import numpy as np

        record.language = parsed.outline.language
        record.line_count = parsed.outline.line_count
        record.symbols = symbol_records(parsed.outline.symbols)
        record.details = _packed_details(parsed)
        record.facts = parsed.facts
        self._records.append(record)
        words = parsed.words
        numbers = np.array(list(map(self._vocabulary.__getitem__, words.words)), np.uint32)
        self._words.append(numbers[np.frombuffer(words.numbers, np.uint32)])
        fields = np.frombuffer(words.fields, np.uint32)
        self._fields.append(fields + np.uint32(len(self._chunks) * len(FIELDS)))
        self._sizes.extend(words.sizes)
        file = len(self._chunks_by_file)
        self._chunks.extend(
            (file, chunk.line_start, chunk.line_end, kind_code(chunk.kind), *before)
            for chunk, before in zip(parsed.chunks, _distances(parsed.chunks), strict=True)
        )
        self._chunks_by_file.append(len(parsed.chunks))

    def add_unparsed(self, record: FileRecord) -> None:
        """Add what is known of a file that is left out or as it was."""
        self._records.append(record)

    def finish(self) -> Batch:
        """Return the batch; the builder is used up."""
        import numpy as np

        words = np.concatenate([np.empty(0, np.uint32), *self._words])
        runs = np.concatenate([np.empty(0, np.uint32), *self._fields])
        fields = np.repeat(runs, np.frombuffer(self._sizes, np.uint32))
        by_file = np.array(self._chunks_by_file, np.uint32)
        counts = count_terms(self._vocabulary, words, fields, len(self._chunks))
        identifiers = find_identifiers(self._vocabulary, words, fields, by_file)
        chunks = np.zeros(len(self._chunks), chunk_dtype())
        columns = ("file", "start", "end", "kind", "to_head", "to_owner")
        places = np.array(self._chunks, np.uint32).reshape(-1, len(columns))
        for column, name in enumerate(columns):
            chunks[name] = places[:, column]
        chunks["lengths"] = counts.lengths
        chunks["own_words"] = counts.own_words
        return Batch(self._records, chunks, counts, identifiers, len(by_file))


def _distances(chunks: Sequence[Chunk]) -> Iterator[tuple[int, int]]:
    """Yield for each chunk how many chunks before it its definition and its owner begin."""
    heads: dict[str, int] = {}
    for number, chunk in enumerate(chunks):
        if chunk.symbol is None or chunk.kind == "block":
            yield 0, 0
            continue
        head = heads.setdefault(chunk.symbol, number)
        owner = heads.get(chunk.symbol.rpartition(".")[0], number)
        yield min(number - head, _FARTHEST), min(number - owner, _FARTHEST)


def _packed_details(parsed: ParsedFile) -> bytes:
    """Return what the outline has beside its symbols, and the symbol of each chunk."""
    outline = parsed.outline
    data = {
        "imports": [[i.text, i.module, i.names, i.line] for i in outline.imports],
        "docstring": outline.docstring,
        "problems": outline.problems,
        "chunks": [[chunk.symbol, chunk.kind] for chunk in parsed.chunks],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)
