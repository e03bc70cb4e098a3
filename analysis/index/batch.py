"""What parsing a handful of files yields, in the form in which it is cheap to pass on and store.

A batch is filled where files are parsed, which may be a worker process, and taken apart where
segments are written; between the two travel long arrays, not millions of small objects.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.index.packing import CHUNK_ROW, CODES, ESCAPE, kind_code
from analysis.index.symbols import SymbolRecord, symbol_records

if TYPE_CHECKING:
    from analysis.parsing.parse import ParsedFile

_MAX_LENGTH = 0xFFFF


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
    facts: bytes = b""

    @property
    def is_parsed(self) -> bool:
        """Whether the file goes into a segment."""
        return self.skipped is None and not self.unchanged


class Numbering(dict[str, int]):
    """Numbers words from 0 in the order in which they come."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


@dataclass(slots=True)
class Occurrences:
    """Which words stand in which groups: terms in chunks, identifiers in files."""

    words: Numbering = field(default_factory=Numbering)
    ids: array[int] = field(default_factory=lambda: array("I"))
    """Numbers of the words, group after group."""
    group_sizes: array[int] = field(default_factory=lambda: array("I"))

    def add_group(self, words: Iterable[str], size: int) -> None:
        """Add the words of the next group."""
        self.ids.extend(map(self.words.__getitem__, words))
        self.group_sizes.append(size)


@dataclass(slots=True)
class Batch:
    """Parsed files; chunks and files are numbered from the start of the batch."""

    records: list[FileRecord] = field(default_factory=list)
    chunk_rows: bytearray = field(default_factory=bytearray)
    terms: Occurrences = field(default_factory=Occurrences)
    codes: bytearray = field(default_factory=bytearray)
    """One for each term of each chunk: how often it stands in each field."""
    escapes: bytearray = field(default_factory=bytearray)
    """The counts of those that have no code."""
    identifiers: Occurrences = field(default_factory=Occurrences)

    @property
    def n_chunks(self) -> int:
        """Number of chunks."""
        return len(self.terms.group_sizes)

    @property
    def n_files(self) -> int:
        """Number of parsed files; others have no number."""
        return len(self.identifiers.group_sizes)

    @property
    def n_bytes(self) -> int:
        """About how much memory the batch takes."""
        symbols = sum(len(record.symbols) for record in self.records)
        packed = sum(len(record.details) + len(record.facts) for record in self.records)
        words = len(self.terms.words) + len(self.identifiers.words)
        ids = len(self.terms.ids) + len(self.identifiers.ids)
        return 5 * ids + 120 * words + 800 * symbols + packed + len(self.chunk_rows)

    def add_parsed(self, record: FileRecord, parsed: ParsedFile) -> None:
        """Add a file that is to be searched."""
        record.language = parsed.outline.language
        record.line_count = parsed.outline.line_count
        record.symbols = symbol_records(parsed.outline.symbols)
        record.details = _packed_details(parsed)
        record.facts = parsed.facts
        self.records.append(record)
        file = self.n_files
        for chunk in parsed.chunks:
            lengths = [min(length, _MAX_LENGTH) for length in chunk.lengths]
            self.chunk_rows += CHUNK_ROW.pack(
                file, chunk.line_start, chunk.line_end, kind_code(chunk.kind), *lengths
            )
            self.terms.add_group(chunk.terms, len(chunk.terms))
            codes = bytes(map(CODES.__getitem__, chunk.terms.values()))
            self.codes += codes
            if ESCAPE in codes:
                for code, counts in zip(codes, chunk.terms.values(), strict=True):
                    if code == ESCAPE:
                        self.escapes += bytes(counts)
        self.identifiers.add_group(parsed.identifiers, len(parsed.identifiers))

    def add_unparsed(self, record: FileRecord) -> None:
        """Add what is known of a file that is left out or as it was."""
        self.records.append(record)


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
