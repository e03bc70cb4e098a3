"""Keeping an index up to date: who writes, what is mended, and what the user is told."""

from __future__ import annotations

import contextlib
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.errors import Cancelled, IndexUnavailable
from analysis.index import opening, schema
from analysis.index.difference import (
    WHOLE,
    Difference,
    Order,
    RefreshCounts,
    RefreshReport,
    difference,
    difference_in,
)
from analysis.index.location import database_path
from analysis.index.seal import seal_state
from analysis.index.status import skipped_counts, source_left_out
from analysis.index.store import FileStore, Store
from analysis.index.writer_lock import WriterLock
from analysis.workspace.files import LocalFileBackend

if TYPE_CHECKING:
    from analysis.index.difference import OnProgress
    from analysis.index.late_facts import MadeFacts
    from analysis.settings import IndexSettings
    from analysis.stopping import StopFlag
    from analysis.workspace.scan import Scan

_ATTEMPTS = 3
"""A damaged file is replaced, a full disk is left for memory; the third try has to go."""

Compare = Callable[[sqlite3.Connection], Difference | None]


class Updater:
    """Owns the store of an index and is the only one in this process that writes to it."""

    def __init__(self, files: LocalFileBackend, settings: IndexSettings) -> None:
        # Without the editor's buffers: what is stored is what lies on the disk.
        self._files = files
        self._disk = files.on_disk()
        self.settings = settings
        self._root = files.identity
        self._path = database_path(files.identity, settings)
        self.last_scan: Scan | None = None
        """What the last look at all files found."""
        self.distrusted: set[str] = set()
        """Files that somebody read and found to differ; a set can be added to in any thread."""
        self.notices: list[str] = []
        self.damaged = False
        self.store: Store = opening.open_store(files.identity, settings, self.tell)
        self._lock = WriterLock(None if self.store.in_memory else self._path)

    def tell(self, sentence: str) -> None:
        """Keep a sentence for the user."""
        if sentence not in self.notices:
            self.notices.append(sentence)

    def distrust(self, paths: Iterable[str]) -> None:
        """See ``CodeIndex.distrust``."""
        self.distrusted.update(paths)

    def is_left_out(self, path: str) -> bool:
        """Return whether the last scan left a path out, by itself or with its folder."""
        if self.last_scan is None:
            return False
        for left_out in self.last_scan.skipped.values():
            for entry in left_out:
                if path == entry or (entry.endswith("/") and path.startswith(entry)):
                    return True
        return False

    def refresh(
        self, on_progress: OnProgress | None, stop: StopFlag | None, order: Order = WHOLE
    ) -> RefreshReport:
        """See ``CodeIndex.refresh``."""
        run = _RefreshRun(on_progress, stop, order)
        self._disk = self._files.on_disk()  # with the settings as they are now
        try:
            scan = self.last_scan = self._disk.scan(stop)
        except Cancelled:
            return run.report({}, self.notices)
        run.notes.extend(scan.notes)
        distrusted = frozenset(self.distrusted)
        report = self._bring_up(run, lambda conn: difference(conn, scan, distrusted))
        if report.complete:
            self.distrusted -= distrusted
        return report

    def refresh_paths(self, paths: list[str], stop: StopFlag | None) -> RefreshReport:
        """See ``CodeIndex.refresh_paths``."""
        try:
            with self.store.reading() as conn:
                known = difference_in(conn, self._disk, paths) is not None
        except (sqlite3.Error, *opening.UNREADABLE):
            known = False  # A refresh looks into it.
        if self.last_scan is None or not known:
            return self.refresh(None, stop)
        disk = self._disk
        distrusted = self.distrusted.intersection(paths)
        report = self._bring_up(
            _RefreshRun(None, stop), lambda conn: difference_in(conn, disk, paths, distrusted)
        )
        if report.complete:
            self.distrusted -= distrusted
        return report

    def rebuild(self, on_progress: OnProgress | None, stop: StopFlag | None) -> RefreshReport:
        """See ``CodeIndex.rebuild``."""
        run = _RefreshRun(on_progress, stop)
        lock = self._lock  # mending may put another in its place
        if not self._take_lock(run):
            return self.refresh(on_progress, stop)
        try:
            with self.store.writing() as conn:
                schema.create_tables(conn, self._root)
        except sqlite3.DatabaseError as error:
            self._mend(error)
        finally:
            lock.release()
        return self.refresh(on_progress, stop)

    def store_facts(self, made: list[MadeFacts]) -> bool:
        """Keep facts that were made after their files were read; False if that cannot be now."""
        is_held = False
        try:
            is_held = not self.damaged and self._lock.acquire_now()
            if not is_held or not self._is_fit():
                return False  # Somebody else is writing, or the next refresh mends it.
            self._check_unsealed()
            with self.store.writing(is_same_state=True) as conn:
                conn.executemany(
                    "UPDATE details SET facts = ?3 WHERE facts IS NULL AND file_id ="
                    " (SELECT id FROM files WHERE path = ?1 AND hash = ?2)",
                    made,
                )
            self.store.tidy()
        except (sqlite3.Error, OSError):
            return False
        finally:
            if is_held:
                self._lock.release()
        return True

    def _is_fit(self) -> bool:
        """Return whether the store can be added to as it is."""
        store = self.store
        if not isinstance(store, FileStore):
            return True
        return store.is_in_place() and seal_state(self._path) != "broken"

    def _bring_up(self, run: _RefreshRun, compare: Compare) -> RefreshReport:
        """Do what a comparison asks for, mending the store on the way if need be."""
        for attempt in range(_ATTEMPTS):
            try:
                with contextlib.suppress(Cancelled):
                    self._repair_if_damaged(run)
                    run.complete = self._update(run, compare)
                return self._reported(run, compare)
            except opening.UNREADABLE as error:
                if not opening.is_to_blame(self.store, error):
                    raise
                self.damaged = True
            except (sqlite3.Error, zlib.error, OSError) as error:
                if attempt == _ATTEMPTS - 1 or self.store.in_memory:
                    raise IndexUnavailable(
                        f"The code index cannot be written: {opening.reason_of(error)}."
                    ) from error
                self._mend(error)
        raise IndexUnavailable(
            f"The code index cannot be mended: {str(self._path)!r}.", "Remove it."
        )

    def _reported(self, run: _RefreshRun, compare: Compare) -> RefreshReport:
        """Return what a run did, and what it left."""
        with self.store.reading() as conn:
            (run.total,) = conn.execute("SELECT count(segment) FROM files").fetchone()
            skipped = skipped_counts(conn, self.last_scan) if self.last_scan else {}
            run.notes += source_left_out(conn)
            if run.counts.left:
                run.unread = run.counts.left
            elif not run.complete:
                run.unread = _n_unread(compare(conn))
                run.complete = run.unread == 0  # Another writer has done it meanwhile.
        return run.report(skipped, self.notices)

    def _update(self, run: _RefreshRun, compare: Compare) -> bool:
        """Bring the store up; return whether it is complete."""
        with self.store.reading() as conn:
            diff = compare(conn)
        if not diff:
            self._seal_again()
            return True
        if run.order.leave_rest and not diff.removed:
            from analysis.index.reading_order import first_and_rest

            first, rest = first_and_rest(diff)
            if not first:
                run.counts.left = len(rest)
                return False
        if not self._take_lock(run):
            return False
        try:
            with self.store.reading() as conn:
                diff = compare(conn)  # another writer may have done it meanwhile
            if not diff:
                return True
            self._check_unsealed()
            from analysis.index.refresh import Refresh

            run.removed = len(diff.removed)
            refresh = Refresh(
                self.store, self._disk, self.settings, run.counts, run.on_progress, run.stop,
                run.order,
            )  # fmt: skip
            return refresh.run(diff)
        finally:
            self._lock.release()

    def _seal_again(self) -> None:
        """Seal a file whose writer was killed, once it was found to be whole."""
        if not self._is_unsealed() or not self._lock.acquire_now():
            return  # It is sealed, or being written.
        try:
            self._check_unsealed()
            self.store.tidy()
        finally:
            self._lock.release()

    def _check_unsealed(self) -> None:
        """Look through a file that its last writer did not finish; reads all of it.

        Raises:
            DatabaseError: It is damaged.
        """
        store = self.store
        if not isinstance(store, FileStore) or store.is_unfinished or not self._is_unsealed():
            return
        if not store.is_whole():
            raise sqlite3.DatabaseError("the file is not as it was written")

    def _is_unsealed(self) -> bool:
        return not self.store.in_memory and seal_state(self._path) == "none"

    def _take_lock(self, run: _RefreshRun) -> bool:
        """Become the writer; if another one is at work, say so and wait while it gets on."""
        waited = False

        def progress() -> object:
            nonlocal waited
            waited = True
            with self.store.reading() as conn:
                done = conn.execute("SELECT count(*) FROM files").fetchone()[0]
                run.progress(done, schema.meta_value(conn, "n_files"))
                return schema.meta_value(conn, "generation")

        taken = self._lock.acquire(progress, run.stop)
        if not taken:
            run.notes.append(
                "Another program is indexing this code base and does not get on; what it has"
                " stored so far is searched."
            )
        elif waited:
            run.notes.append("Another program was indexing this code base; its work is used.")
        return taken

    def _repair_if_damaged(self, run: _RefreshRun) -> None:
        """Replace a damaged file, or open the one that another process has put in its place."""
        store = self.store
        if not isinstance(store, FileStore):
            return
        if not self.damaged and store.is_in_place() and seal_state(self._path) != "broken":
            return
        if not self._take_lock(_RefreshRun(None, run.stop)):
            raise IndexUnavailable("The code index is damaged and another program holds its lock.")
        try:
            is_damaged = self.damaged or seal_state(self._path) == "broken"
            if not is_damaged and store.is_in_place():
                return  # A writer was at work when it was looked at.
            store.close()
            if store.is_in_place():
                opening.replace_damaged(self._path, self._root, self.tell)
            self.store = FileStore(self._path)
            self.damaged = False
            with self.store.reading() as conn:
                is_ours = schema.is_empty_file(conn) or schema.is_current(conn, self._root)
                if not is_ours:
                    raise OSError("another version of the program keeps its own there")
        finally:
            self._lock.release()

    def _mend(self, error: sqlite3.Error | zlib.error | OSError) -> None:
        """Choose what to do about a store that failed: build it anew, or go on in memory."""
        if opening.is_to_blame(self.store, error):
            self.damaged = True
            return
        old, path = self.store, self._path
        self.store = opening.memory_store(path, self._root, error, self.tell)
        self._lock = WriterLock(None)
        old.close()


@dataclass(slots=True)
class _RefreshRun:
    """One refresh on its way."""

    on_progress: OnProgress | None
    stop: StopFlag | None
    order: Order = WHOLE
    started: float = field(default_factory=time.monotonic)
    counts: RefreshCounts = field(default_factory=RefreshCounts)
    notes: list[str] = field(default_factory=list)
    removed: int = 0
    total: int = 0
    complete: bool = False
    unread: int | None = None

    def progress(self, done: int, total: int) -> None:
        """Pass on how far another writer is."""
        if self.on_progress is not None:
            self.on_progress(done, total)

    def report(self, skipped: dict[str, int], notices: list[str]) -> RefreshReport:
        """Return what was done."""
        return RefreshReport(
            total=self.total,
            parsed=self.counts.parsed,
            removed=self.removed,
            elapsed_s=time.monotonic() - self.started,
            skipped=skipped,
            complete=self.complete,
            notes=(*notices, *self.notes),
            unchanged=self.counts.unchanged,
            unread=0 if self.complete else self.unread,
            is_left=self.counts.left > 0 and not self.complete,
        )


def _n_unread(found: Difference | None) -> int | None:
    """Return how many files a difference says are to be read; None if it cannot be told."""
    return None if found is None else len(found.jobs)
