"""The index of one code base: kept on disk, shared by processes, read through views."""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from analysis.errors import BadInput, IndexUnavailable
from analysis.index.difference import WHOLE
from analysis.index.late_facts import LateFacts, make_all
from analysis.index.lookups import SqliteRows, without_facts
from analysis.index.opening import UNREADABLE, is_out_of_reach, is_to_blame
from analysis.index.overlay import BufferCache, Tables, lay_over
from analysis.index.schema import meta_value
from analysis.index.status import read_status
from analysis.index.store import FileStore
from analysis.index.tables import StoredTables, load_tables
from analysis.index.updating import Updater
from analysis.index.view import IndexView, occurrences_in

if TYPE_CHECKING:
    from analysis.index.difference import LateJob, OnProgress, Order, RefreshReport
    from analysis.index.status import IndexStatus
    from analysis.index.symbols import SymbolRow
    from analysis.index.tables import FileTable
    from analysis.models import FileOutline
    from analysis.settings import IndexSettings
    from analysis.stopping import StopFlag
    from analysis.workspace.files import LocalFileBackend
    from analysis.workspace.scan import Scan


class CodeIndex:
    """The index of a code base; safe to use from several threads.

    A question reads it through one ``view()``, so that all it sees is of one state. The reading
    methods of this class open a view for a single call.
    """

    def __init__(self, files: LocalFileBackend, updater: Updater) -> None:
        self._files = files
        self._updater = updater
        self._late_facts = LateFacts(files)
        self._buffers = BufferCache()
        self._lock = threading.Lock()
        self._stored: StoredTables | None = None
        self._tables: Tables | None = None

    @classmethod
    def open(cls, files: LocalFileBackend, settings: IndexSettings) -> CodeIndex:
        """Return the index of a code base as it is stored; reads none of its files.

        A damaged or outdated index file is replaced by an empty one; where no file can be kept the
        index is in memory. Both are said in ``notices``.
        """
        return cls(files, Updater(files, settings))

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should know about the index, in whole sentences."""
        return tuple(self._updater.notices)

    @property
    def damaged(self) -> bool:
        """Whether the index file was found to be damaged; the next refresh mends it."""
        return self._updater.damaged

    @property
    def last_scan(self) -> Scan | None:
        """Which files there were when all were last looked at; None before that."""
        return self._updater.last_scan

    def refresh(
        self,
        on_progress: OnProgress | None = None,
        stop: StopFlag | None = None,
        order: Order = WHOLE,
    ) -> RefreshReport:
        """Read what changed on the disk; blocks until that is done or ``stop`` is set.

        Args:
            on_progress: Told how many of the files are in the index.
            stop: Ends the work early when set; what was read is kept.
            order: What is to happen when the files are in that questions are about.
        """
        self._late_facts.store(self._updater)
        return self._updater.refresh(on_progress, stop, order)

    def refresh_paths(self, paths: Iterable[str], stop: StopFlag | None = None) -> RefreshReport:
        """Read the named files if they changed, as after a watcher's event."""
        return self._updater.refresh_paths(list(paths), stop)

    def rebuild(
        self, on_progress: OnProgress | None = None, stop: StopFlag | None = None
    ) -> RefreshReport:
        """Forget everything and read every file again."""
        return self._updater.rebuild(on_progress, stop)

    def make_facts(self, stop: StopFlag | None = None, *, in_background: bool = False) -> bool:
        """Make what the resolution of references needs of the files that were read without it.

        Without this it is made of each file when it is asked for. Returns whether none is left.

        Args:
            stop: Ends the work early when set; what was made is kept.
            in_background: Leave the machine, and the index, to everybody else.
        """
        self._late_facts.store(self._updater)
        jobs = self._without_facts()
        if jobs:
            settings, files = self._updater.settings, self._files.on_disk()
            make_all(jobs, self._updater, files, settings, stop, in_background=in_background)
        return not (jobs and self._without_facts())

    def _without_facts(self) -> list[LateJob]:
        with self.reading() as conn:
            return without_facts(conn)

    def distrust(self, paths: Iterable[str]) -> None:
        """Have files read again by the next refresh, whatever their size and time say."""
        self._updater.distrust(paths)

    @property
    def has_distrusted(self) -> bool:
        """Whether a file is known to differ from what is stored of it."""
        return bool(self._updater.distrusted)

    def refresh_distrusted(self, stop: StopFlag | None = None) -> bool:
        """Read such files again now; return whether there were any."""
        paths = sorted(self._updater.distrusted)
        if paths:
            self._updater.refresh_paths(paths, stop)
        return bool(paths)

    def status(self) -> IndexStatus:
        """Return what the index holds now."""
        store = self._updater.store
        path = str(store.path) if isinstance(store, FileStore) else None
        with self.reading() as conn:
            return read_status(conn, path, store.size_bytes(), self.notices)

    def close(self) -> None:
        """Let go of the index; nothing is lost."""
        self._late_facts.store(self._updater)
        self._updater.store.close()

    @contextmanager
    def view(self) -> Iterator[IndexView]:
        """Return one state of the index to read from.

        Raises:
            IndexUnavailable: The index file was found to be damaged; the next refresh mends it.
        """
        with self.reading() as conn:
            rows = SqliteRows(conn, self._late_facts)
            yield IndexView(rows, self._tables_for(conn), self._files)

    def file_table(self) -> FileTable:
        """See ``IndexView.file_table``."""
        with self.view() as view:
            return view.file_table()

    def document_frequency(self, term: str) -> int:
        """See ``IndexView.document_frequency``."""
        with self.view() as view:
            return view.document_frequency(term)

    def symbols_named(self, name: str) -> list[SymbolRow]:
        """See ``IndexView.symbols_named``."""
        with self.view() as view:
            return view.symbols_named(name)

    def symbol_names(self) -> list[str]:
        """See ``IndexView.symbol_names``."""
        with self.view() as view:
            return view.symbol_names()

    def outline(self, path: str) -> FileOutline:
        """See ``IndexView.outline``."""
        with self.view() as view:
            return view.outline(path)

    def files_with_identifier(self, name: str) -> list[str]:
        """See ``IndexView.files_with_identifier``."""
        with self.view() as view:
            return view.files_with_identifier(name)

    def occurrences(
        self, name: str, within: Iterable[str] | None = None
    ) -> Iterator[tuple[str, int, int]]:
        """See ``IndexView.occurrences``."""
        return occurrences_in(self._files, name, self.files_with_identifier(name), within)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Return a reading transaction; damage that shows is remembered and said."""
        try:
            with self._updater.store.reading() as conn:
                yield conn
        except UnicodeEncodeError as error:
            # It is what was asked for, and says nothing of the file.
            raise BadInput(
                f"{error.object[:80]!a} is no text: it holds half of a character.",
                "Write it anew.",
            ) from error
        except (sqlite3.Error, zlib.error, *UNREADABLE) as error:
            if is_to_blame(self._updater.store, error):
                self._updater.damaged = True
                reason = ""
            elif is_out_of_reach(error):
                reason = f" ({error})"
            else:
                raise
            raise IndexUnavailable(
                f"The code index cannot be read{reason}.",
                "It is mended with the next question: ask again.",
            ) from error

    def _tables_for(self, conn: sqlite3.Connection) -> Tables:
        """Return the tables of the state that a transaction sees, made only when it is new."""
        generation = meta_value(conn, "generation")
        with self._lock:
            if self._stored is None or self._stored.generation != generation:
                self._stored, self._tables = load_tables(conn), None
            if self._buffers.update(self._files, self._updater.is_left_out) or not self._tables:
                self._tables = lay_over(self._stored, self._buffers.parsed())
            return self._tables
