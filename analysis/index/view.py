"""Reading an index: every method of one view sees the same state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Protocol

from analysis.errors import NotFound
from analysis.index.lookups import imports_from
from analysis.index.packing import counts_of, unpack_columns
from analysis.index.symbols import SymbolRow, symbol_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.lookups import StoredRows
    from analysis.index.overlay import Tables
    from analysis.index.tables import ChunkTable, FileTable
    from analysis.models import FileOutline, ImportInfo
    from analysis.workspace.files import Loaded

# What a term takes beside its postings, counted in postings.
_FIXED = 64


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Where a term stands: parallel arrays, in order of chunk."""

    chunk_idx: NDArray[np.int32]
    counts: NDArray[np.uint8]
    """How often, in body, name, path, and comments with docstrings; shape (n, 4).

    For a name 1, or 2 if it is the name of what the chunk defines.
    """

    def __len__(self) -> int:
        return len(self.chunk_idx)


def _joined(stored: Postings, opened: Postings) -> Postings:
    """Return the postings of a term on the disk and in open files."""
    import numpy as np

    return Postings(
        np.concatenate([stored.chunk_idx, opened.chunk_idx]),
        np.concatenate([stored.counts, opened.counts]),
    )


class Loads(Protocol):
    """Whatever reads the files of a code base; see ``LocalFileBackend.load``."""

    def load(self, path: str) -> Loaded:
        """Return a file's text, or why it has none."""
        ...


class IndexView:
    """One state of the index: a stored generation under the buffers open at that time.

    Valid until the ``with`` block that made it ends.
    """

    def __init__(self, rows: StoredRows, tables: Tables, backend: Loads) -> None:
        self._rows = rows
        self._tables = tables
        self._backend = backend
        self._last_details: tuple[str, dict[str, Any]] = ("", {})

    @property
    def generation(self) -> object:
        """The same object as long as the tables are the same: a key for caches."""
        return self._tables

    def file_table(self) -> FileTable:
        """Return the searchable files."""
        return self._tables.files

    def all_paths(self) -> Sequence[str]:
        """Return the searchable files by path."""
        return self._tables.files.paths

    def chunk_table(self) -> ChunkTable:
        """Return the chunks of all searchable files."""
        return self._tables.chunks

    def postings(self, term: str) -> Postings:
        """Return the chunks that hold a term (a stem)."""
        return self.postings_of([term])[term]

    def postings_of(self, terms: Sequence[str]) -> dict[str, Postings]:
        """Return the chunks that hold each of many terms, read together."""
        import numpy as np

        tables = self._tables
        known = {term: found for term in terms if (found := tables.postings.get(term)) is not None}
        wanted = [term for term in dict.fromkeys(terms) if term not in known]
        stored = sorted(self._rows.term_rows(wanted), key=itemgetter(1))
        unpacked = self._unpacked(stored) if stored else {}
        for term in wanted:
            postings = unpacked.get(term)
            if postings is None:
                postings = Postings(np.empty(0, np.int32), np.empty((0, 4), np.uint8))
            if tables.overlay:
                postings = _joined(postings, Postings(*tables.open_postings(term)))
            known[term] = postings
            tables.postings.keep(term, postings, len(postings) + _FIXED)
        return known

    def _unpacked(self, stored: Sequence[tuple[int, str, bytes]]) -> dict[str, Postings]:
        """Return the postings of rows, which stand by term and segment."""
        import numpy as np

        tables = self._tables
        totals, ids, codes, escapes = unpack_columns([data for _, _, data in stored])
        first_rows = [tables.stored.segments[segment].first_row for segment, _, _ in stored]
        rows = ids.astype(np.int32) + np.repeat(np.array(first_rows, np.int32), totals)
        counts = counts_of(codes, escapes.tobytes())
        ends = {term: end for (_, term, _), end in zip(stored, np.cumsum(totals), strict=True)}
        found: dict[str, Postings] = {}
        start = 0
        for term, end in ends.items():
            chunk_idx, its_counts = rows[start:end], counts[start:end]
            if tables.chunk_of_row is not None:
                chunk_idx = tables.chunk_of_row[chunk_idx]
                alive = chunk_idx >= 0
                found[term] = Postings(chunk_idx[alive], its_counts[alive])
            else:  # Copies: what is kept of a term does not keep all the others.
                found[term] = Postings(chunk_idx.copy(), its_counts.copy())
            start = end
        return found

    def document_frequency(self, term: str) -> int:
        """Return in how many chunks a term stands."""
        return len(self.postings(term))

    def terms_with_prefix(self, prefix: str, limit: int = 50) -> list[str]:
        """Return terms that start with ``prefix``, the most frequent first."""
        kept = self._tables.beginnings
        known = kept.get((prefix, limit))
        if known is None:
            known = self._most_frequent(prefix)[:limit]
            kept.keep((prefix, limit), known, len(known) + 1)
        return list(known)

    def _most_frequent(self, prefix: str) -> list[str]:
        totals = self._rows.count_prefixed(self._tables.stored.segments, prefix)
        for term in self._tables.open_terms():
            if term.startswith(prefix):
                totals[term] = totals.get(term, 0) + len(self._tables.open_postings(term)[0])
        return sorted(totals, key=lambda term: (-totals[term], term))

    def expect(self, file_idx: Iterable[int]) -> None:
        """Take note of files whose chunks are asked for next, to read what is needed together."""
        tables = self._tables
        self._rows.expect(
            int(tables.stored.file_ids[stored])
            for path in dict.fromkeys(tables.files.paths[i] for i in file_idx)
            if path not in tables.overlay
            and (stored := tables.stored.files.index_of.get(path)) is not None
        )

    def chunk_symbol(self, chunk_idx: int) -> tuple[str | None, str]:
        """Return the qualified symbol name, if any, and the kind of a chunk."""
        chunks = self._tables.chunks
        file_idx = int(chunks.file_idx[chunk_idx])
        number = chunk_idx - int(chunks.first_chunk[file_idx])
        path = self._tables.files.paths[file_idx]
        parsed = self._tables.overlay.get(path)
        if parsed is not None:
            return parsed.chunks[number].symbol, parsed.chunks[number].kind
        names = self._tables.stored.names.get(path)
        if names is None:
            names = [(symbol, kind) for symbol, kind in self._details(path)["chunks"]]
            self._tables.stored.names.keep(path, names, len(names) + 1)
        return names[number]

    def symbols_named(self, name: str) -> list[SymbolRow]:
        """Return the definitions with a plain name (exact case), in order of path and place."""
        overlay, hidden = self._tables.overlay, self._tables.hidden
        found = [row for row in self._rows.symbols_named(name) if row.path not in hidden]
        for path, parsed in overlay.items():
            rows = symbol_rows(path, parsed.outline.symbols)
            found += [row for row in rows if row.info.name == name]
        if overlay:
            found.sort(key=lambda row: row.path)
        return found

    def signature(self, path: str, qualified_name: str) -> str:
        """Return the signature of a definition in a file; empty if there is none of that name."""
        parsed = self._tables.overlay.get(path)
        if parsed is not None:
            rows = symbol_rows(path, parsed.outline.symbols)
            found = (row.info for row in rows if row.info.qualified_name == qualified_name)
            return next((info.signature for info in found), "")
        return self._rows.signature(self._file_id(path), qualified_name)

    def symbols_in(self, path: str) -> list[SymbolRow]:
        """Return all definitions in a file, in order of the text."""
        return symbol_rows(path, self.outline(path).symbols)

    def symbol_names(self) -> list[str]:
        """Return every defined name once, in order."""
        names = self._rows.symbol_names()
        rows = [symbol_rows(p, f.outline.symbols) for p, f in self._tables.overlay.items()]
        new = {row.info.name for part in rows for row in part}
        return sorted(new.union(names)) if new else names

    def outline(self, path: str) -> FileOutline:
        """Return imports and definitions of a file.

        Raises:
            NotFound: The file is not in the index.
        """
        parsed = self._tables.overlay.get(path)
        if parsed is not None:
            return parsed.outline
        return self._rows.outline(path) or self._fail(path)

    def content_hash(self, path: str) -> bytes | None:
        """Return the hash of the text that the index has of a file; None for open and unknown."""
        if path in self._tables.hidden:
            return None
        return self._rows.content_hash(path)

    def imports(self, path: str) -> tuple[ImportInfo, ...]:
        """Return the imports of a file, which must be in the index."""
        parsed = self._tables.overlay.get(path)
        return parsed.outline.imports if parsed else imports_from(self._details(path))

    def facts(self, path: str) -> bytes:
        """Return a file's facts for the resolution of references; it must be in the index."""
        parsed = self._tables.overlay.get(path)
        if parsed is not None:
            return parsed.facts or b""
        return self._rows.facts(self._file_id(path))

    def files_with_identifier(self, name: str) -> list[str]:
        """Return the files in which an identifier stands (exact case), in order of path."""
        import numpy as np

        tables = self._tables
        found: set[str] = set()
        for segment, data in self._rows.identifier_rows(name):
            file_idx = tables.stored.segments[segment].file_idx[np.frombuffer(data, "<u2")]
            found.update(tables.files.paths[i] for i in file_idx[file_idx >= 0].tolist())
        found.difference_update(tables.hidden)
        found.update(tables.open_files_with(name))
        return sorted(found)

    def occurrences(
        self, name: str, within: Iterable[str] | None = None
    ) -> Iterator[tuple[str, int, int]]:
        """Yield (path, line, column) of each use of a name, in strings and comments too.

        The files are read as they are now. A file that cannot be read any more is passed over.

        Args:
            name: The identifier, in exact case.
            within: Paths to look in, instead of all.
        """
        return occurrences_in(self._backend, name, self.files_with_identifier(name), within)

    def _details(self, path: str) -> dict[str, Any]:
        if self._last_details[0] != path:  # several chunks of one file are asked for in a row
            self._last_details = (path, self._rows.details(self._file_id(path)))
        return self._last_details[1]

    def _file_id(self, path: str) -> int:
        tables = self._tables
        file_idx = tables.stored.files.index_of.get(path)
        return self._fail(path) if file_idx is None else int(tables.stored.file_ids[file_idx])

    def _fail(self, path: str) -> Any:
        raise NotFound(
            f"The file {path!r} is not in the code index.", "Check the path, or refresh the index."
        )


def occurrences_in(
    backend: Loads, name: str, paths: Iterable[str], within: Iterable[str] | None
) -> Iterator[tuple[str, int, int]]:
    """Yield (path, line, column) of each use of a name in the files, or in those ``within``."""
    wanted = None if within is None else set(within)
    for path in paths:
        if wanted is not None and path not in wanted:
            continue
        source = backend.load(path).source
        if source is not None:
            for line, column in positions(source.text, name):
                yield path, line, column


def positions(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Yield line (1-based) and column of each place where an identifier stands in a text.

    >>> list(positions("a = aa.a", "a")), list(positions("a", ""))
    ([(1, 0), (1, 7)], [])
    """
    if not name:
        return  # It would be found at each place, without end.
    # Several times faster than a pattern, which cannot search for its literal part first.
    line, line_start = 1, 0
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if not (_in_name(text[start - 1 : start]) or _in_name(text[end : end + 1])):
            line += text.count("\n", line_start, start)
            line_start = text.rfind("\n", 0, start) + 1
            yield line, start - line_start
        start = text.find(name, end)


def _in_name(character: str) -> bool:
    """Return whether an identifier goes on with a character; "" is the end of the text."""
    return character.isalnum() or character in ("_", "$")
