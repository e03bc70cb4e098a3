"""What parsing a handful of files yields, in the form in which it is cheap to pass on and store.

A batch is filled where files are parsed, which may be a worker process, and taken apart where
segments are built; between the two travel long byte strings, not millions of small objects.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.index.packing import CHUNK_ROW, CODES, kind_code, pack_postings
from analysis.index.symbols import SymbolRecord, symbol_records
from analysis.models import FileOutline

if TYPE_CHECKING:
    from analysis.parsing.parse import ParsedFile

_MAX_LENGTH = 0xFFFF


@dataclass(slots=True)
class FileRecord:
    """One file of the scan with what was found in it."""

    path: str
    size: int
    mtime_ns: int
    hash: bytes
    skipped: str | None = None
    """Why the file is left out, known only once it was read."""
    unchanged: bool = False
    """The content is the stored one; only the time differed."""
    language: str = ""
    line_count: int = 0
    n_chunks: int = 0
    symbols: list[SymbolRecord] = field(default_factory=list)
    details: bytes = b""
    facts: bytes = b""


@dataclass(slots=True)
class TermPiece:
    """Postings of one term in one batch, as columns."""

    chunks: array[int] = field(default_factory=lambda: array("H"))
    codes: bytearray = field(default_factory=bytearray)
    escapes: bytearray = field(default_factory=bytearray)

    def packed(self) -> bytes:
        """Return the postings in the form of a stored row."""
        return pack_postings([self.chunks.tobytes()], [bytes(self.codes)], [bytes(self.escapes)])


@dataclass(slots=True)
class Batch:
    """Parsed files; chunk and file numbers count from the start of the batch."""

    records: list[FileRecord] = field(default_factory=list)
    chunk_rows: bytearray = field(default_factory=bytearray)
    n_chunks: int = 0
    n_files: int = 0
    """Files that have chunks or identifiers, hence a number in the segment."""
    terms: dict[str, TermPiece] = field(default_factory=dict)
    identifiers: dict[str, array[int]] = field(default_factory=dict)
    source_bytes: int = 0

    def add_parsed(self, record: FileRecord, parsed: ParsedFile) -> None:
        """Add a file that is to be searched."""
        outline = parsed.outline
        record.language = outline.language
        record.line_count = outline.line_count
        record.n_chunks = len(parsed.chunks)
        record.symbols = symbol_records(outline.symbols)
        record.details = pack_details(parsed)
        record.facts = parsed.facts
        file = self.n_files
        for chunk in parsed.chunks:
            lengths = [min(length, _MAX_LENGTH) for length in chunk.lengths]
            kind = kind_code(chunk.kind)
            row = CHUNK_ROW.pack(file, chunk.line_start, chunk.line_end, kind, *lengths)
            self.chunk_rows += row
            self._add_terms(chunk.terms.items())
            self.n_chunks += 1
        for name in parsed.identifiers:
            self.identifiers.setdefault(name, array("H")).append(file)
        self.n_files += 1
        self.add(record)

    def add(self, record: FileRecord) -> None:
        """Add what is known of a file that is not searched."""
        self.records.append(record)
        self.source_bytes += record.size

    def _add_terms(self, terms: Iterable[tuple[str, tuple[int, int, int, int]]]) -> None:
        chunk, codes = self.n_chunks, CODES
        for term, counts in terms:
            piece = self.terms.get(term)
            if piece is None:
                piece = self.terms[term] = TermPiece()
            code = codes.get(counts, 255)
            piece.chunks.append(chunk)
            piece.codes.append(code)
            if code == 255:
                piece.escapes += bytes(counts)


def pack_details(parsed: ParsedFile) -> bytes:
    """Return what the outline has beside its symbols, and the symbol of each chunk."""
    outline: FileOutline = parsed.outline
    data = {
        "imports": [[i.text, i.module, i.names, i.line] for i in outline.imports],
        "docstring": outline.docstring,
        "problems": outline.problems,
        "chunks": [[chunk.symbol, chunk.kind] for chunk in parsed.chunks],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)
