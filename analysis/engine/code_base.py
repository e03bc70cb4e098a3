"""A code base, its index, kept up to date, and the ways to look into it."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.errors import IndexUnavailable
from analysis.events import IndexProgress, PhaseStarted
from analysis.settings import Settings
from analysis.stopping import Deadline

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.documents import CodeView
    from analysis.events import Event
    from analysis.index.code_index import CodeIndex
    from analysis.index.difference import OnProgress, Order, RefreshReport
    from analysis.index.status import IndexStatus
    from analysis.stopping import StopFlag
    from analysis.workspace.files import LocalFileBackend
    from analysis.workspace.folder_watch import FolderWatch


_TURN_CHECK_S = 0.05
"""Seconds between two looks at the stop flag while another refresh is under way."""
_MANY_FILES = 20_000
"""To look at so many files takes about as long as a question may."""
_GOOD_FOR_S = 30.0
"""So long the last look at many files will do; an editor tells of what changes meanwhile."""
_WATCH_FOR_S = 600.0
"""So long no file is looked at of which the system says nothing: a change through a memory map of
a file that was closed before is none to the system, and nor is one by a name that a file was given
outside the code base after the last look."""
_ANY_QUESTION = "Where does the program begin?"
"""What has to be made for it is made for all."""


class CodeBase:
    """Files, settings and the index over them; safe to use from several threads.

    Nothing is parsed and the index is not touched before it is needed.
    """

    def __init__(self, files: LocalFileBackend, settings: Settings) -> None:
        self.files = files
        self.settings = settings
        self._lock = threading.RLock()
        self._refreshing = threading.Lock()
        self._index: CodeIndex | None = None
        self._access: SmartFileAccess | None = None
        self._closed = False
        self._watch: FolderWatch | None = None
        """Tells what has changed since all files were last looked at, where the system can."""
        self._looked_with = settings
        self._last: tuple[float, RefreshReport] | None = None
        """When all files were last looked at, and what is known since."""
        self._ready: frozenset[str] = frozenset()
        """Of which folders the refresh under way has read the files that questions are about: the
        labels of those, and an empty one if that is all."""
        self._read = (0, 0)
        """Of how many files how many the refresh under way has in the index."""
        self._gap: RefreshReport | None = None
        """Of the last refresh, if somebody went on before its end."""

    @property
    def root(self) -> Path:
        """The folder of the code base."""
        return self.files.root

    @property
    def index(self) -> CodeIndex:
        """The code index, opened when it is first needed."""
        with self._lock:
            if self._closed:
                raise IndexUnavailable("The code base was closed.", "Open it again.")
            if self._index is None:
                from analysis.index.code_index import CodeIndex

                self._index = CodeIndex.open(self.files, self.settings.index)
            return self._index

    @property
    def access(self) -> SmartFileAccess:
        """Files, outlines, definitions and references, from the best backend that can answer."""
        with self._lock:
            if self._access is None:
                from analysis.backends.access import SmartFileAccess
                from analysis.backends.ast_backend import AstBackend
                from analysis.backends.enhanced import enhanced_backend

                syntax = AstBackend(self.files, lambda: self.index)
                enhanced = enhanced_backend(self.files, syntax, self.settings.backends)
                self._access = SmartFileAccess(self.files, syntax, enhanced, self.gap)
            return self._access

    def gap(self) -> str:
        """Return what is missing in the index while files are read; empty if nothing is."""
        return "" if self._gap is None else self._gap.gap

    def view(self, stop: StopFlag | None = None, on_progress: OnProgress | None = None) -> CodeView:
        """Return the code as documents see it; the index is asked only for what has moved.

        It is brought up to date once, before it is asked for the first time.
        """
        from analysis.documents import lazily_indexed_code

        is_fresh = False

        def index() -> CodeIndex:
            nonlocal is_fresh
            if not is_fresh:
                self.refresh(on_progress, stop)
                is_fresh = True
            return self.index

        return lazily_indexed_code(index, self.files.read)

    def refresh(
        self,
        on_progress: OnProgress | None = None,
        stop: StopFlag | None = None,
        patience_s: float | None = None,
        *,
        leave_rest: bool = False,
        in_background: bool = False,
        near: str | None = None,
    ) -> RefreshReport:
        """Bring the index up to date and return what that took; only changed files are read.

        One refresh runs at a time; a second caller waits, and then finds little to do.

        Args:
            on_progress: Told how many of the files are in the index, whoever reads them.
            stop: Ends the work early when set; the report then is not complete.
            patience_s: How long to wait for a refresh that is under way (seconds); after that the
                report is about the files that were read so far, and not complete. None waits on.
            leave_rest: Of a large code base read, and wait for, only the files that questions are
                about; the report is not complete then.
            in_background: Leave the machine to everybody else.
            near: With ``leave_rest`` only the folder of this file is waited for, of several.
        """
        wanted = self._ready_for(near) if leave_rest else None
        if not self._take_turn(on_progress, stop, patience_s, wanted):
            return self._so_far()

        def told(done: int, total: int) -> None:
            self._read = (done, total)
            if on_progress is not None:
                on_progress(done, total)

        try:
            from analysis.index.difference import Order

            order = Order(leave_rest, self._is_ready, self.files.buffers.snapshot, in_background)
            report = self._caught_up(stop) or self._looked_at_all(told, stop, order)
            self._gap = None if report.complete else report
            return report
        finally:
            self._ready = frozenset()
            self._read = (0, 0)
            self._refreshing.release()

    def _caught_up(self, stop: StopFlag | None) -> RefreshReport | None:
        """Take in what the system says has changed; None if all files have to be looked at."""
        last, watch = self._last, self._watch
        if last is None or watch is None or self._looked_with is not self.settings:
            return None
        if time.monotonic() - last[0] > _WATCH_FOR_S:
            return None
        changed = watch.changes()
        if changed is None:
            return None
        self.index.distrust(changed)
        report = self.index.refresh_paths(changed, stop)
        if report.complete:
            watch.settle(changed)
        return report

    def _looked_at_all(
        self, on_progress: OnProgress | None, stop: StopFlag | None, order: Order
    ) -> RefreshReport:
        """Look at all files; from the second time on, watch them from then on."""
        self._unwatch()
        self._looked_with = self.settings
        known = self._folders_left_out()
        watch = None
        if known is not None and not self.settings.workspace.include_ignored:
            from analysis.workspace.folder_watch import watched

            watch = watched(self.files.folders(), known)
        try:
            report = self._refreshed(on_progress, stop, order)
            self._last = (time.monotonic(), report) if report.complete else None
            if report.complete and self._folders_left_out() == known:
                self._watch, watch = watch, None
            return report
        finally:
            if watch is not None:
                watch.close()

    def _folders_left_out(self) -> frozenset[str] | None:
        """Return the folders that the last look left out; None if there was none."""
        scan = self.index.last_scan
        if scan is None:
            return None
        return frozenset(
            path for paths in scan.skipped.values() for path in paths if path.endswith("/")
        )

    def _unwatch(self) -> None:
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.close()

    def _refreshed(
        self, on_progress: OnProgress | None, stop: StopFlag | None, order: Order
    ) -> RefreshReport:
        """Refresh the index that is asked afterwards: settings may move it meanwhile."""
        while True:
            index = self.index
            try:
                report = index.refresh(on_progress, stop, order)
            except Exception:
                if index is self.index:
                    raise
                continue  # It was closed under the work.
            if index is self.index:
                return report

    def _take_turn(
        self,
        on_progress: OnProgress | None,
        stop: StopFlag | None,
        patience_s: float | None,
        wanted: frozenset[str] | None,
    ) -> bool:
        """Become the one who refreshes; False if another one is at it and is not waited for.

        Args:
            on_progress: Told how far the other one is.
            stop: Ends the waiting.
            patience_s: How long to wait.
            wanted: Labels of which one is enough to be ready; None if all is to be read.
        """
        patience = Deadline(patience_s)
        seen = (0, 0)
        while not self._refreshing.acquire(timeout=_TURN_CHECK_S):
            if stop is not None:
                stop.check()
            if patience.is_over or (wanted is not None and wanted & self._ready):
                return False
            if on_progress is not None and self._read != seen:
                seen = self._read
                on_progress(*seen)
        return True

    def _is_ready(self, label: str) -> None:
        """Note that questions about a folder, or all of them, need no longer wait."""
        self._ready |= {label}

    def _ready_for(self, near: str | None) -> frozenset[str]:
        """Return the labels of which one has to be ready for a question asked at a file."""
        return frozenset(("", near.partition("/")[0] if near else ""))

    def _so_far(self) -> RefreshReport:
        """Return the report of a refresh that was not waited for."""
        from analysis.index.difference import RefreshReport

        status = self.status()
        unread = status.total - status.files
        self._gap = RefreshReport(
            status.searched, 0, 0, 0.0, {}, complete=False, unread=unread if unread > 0 else None
        )
        return self._gap

    def prepare(
        self,
        emit: Callable[[Event], None] | None = None,
        stop: StopFlag | None = None,
        patience_s: float | None = None,
        question: str | None = None,
        near: str | None = None,
    ) -> RefreshReport:
        """Bring the index up to date for a question, and make sure that there is what to ask.

        Of a large code base the files that questions are about are read; the others only if they
        are needed, and then why is told. In a very large one whose files were all looked at a
        moment ago, only what ``refresh_paths`` was told since is taken in.

        Args:
            emit: Told what is being read, and how far that is.
            stop: As for ``refresh``.
            patience_s: As for ``refresh``.
            question: What is asked, if it says which files are needed. None needs all.
            near: The file that the asker looks at, which has to be among those that are read.

        Raises:
            NothingToSearch: No file is left; the message names the rule that emptied it.
        """

        def on_progress(done: int, total: int) -> None:
            if emit is not None:
                emit(IndexProgress(done, total))

        recent = self._recent() if self._watch is None else None
        report = recent or self.refresh(on_progress, stop, patience_s, leave_rest=True, near=near)
        is_stopped = stop is not None and stop.is_set()
        may_wait = report.is_left or self._ready_for(near) & self._ready
        if may_wait and not is_stopped:
            from analysis.engine.unread_rest import reason_to_read, rest_in_words

            if why := reason_to_read(self.index, question, near):
                if emit is not None:
                    emit(PhaseStarted("indexing", rest_in_words(report.unread, why)))
                report = self.refresh(on_progress, stop, patience_s)
        if report.complete and not report.total:
            from analysis.workspace.empty import nothing_to_search

            scan = self.files.scan(stop)
            by_content = Counter(report.skipped)
            by_content.subtract(scan.counts)
            raise nothing_to_search(self.root, scan, by_content)
        return report

    def refresh_paths(self, paths: Iterable[str]) -> RefreshReport:
        """Bring the index up to date with files that are known to have changed."""
        with self._refreshing:
            report = self.index.refresh_paths(paths)
            if self._last is not None:
                self._last = (self._last[0], report) if report.complete else None
            return report

    def _recent(self) -> RefreshReport | None:
        """Return what is known of very many files that were all looked at a moment ago."""
        last = self._last
        if last is None or last[1].total < _MANY_FILES or self.index.damaged:
            return None
        if self.index.has_distrusted:
            return None
        if time.monotonic() - last[0] > _GOOD_FOR_S:
            return None
        return replace(last[1], parsed=0, removed=0, unchanged=0, elapsed_s=0.0)

    def rebuild(
        self,
        on_progress: OnProgress | None = None,
        stop: StopFlag | None = None,
    ) -> RefreshReport:
        """Read every file again."""
        with self._refreshing:
            self._last = None
            self._unwatch()
            return self.index.rebuild(on_progress, stop)

    def make_facts(self, stop: StopFlag | None = None, *, in_background: bool = False) -> None:
        """See ``CodeIndex.make_facts``."""
        self.index.make_facts(stop, in_background=in_background)

    def get_ready(self) -> None:
        """Make what every question needs of the index as it is now, so that none waits for it."""
        from analysis.retrieval.search import SearchOptions, search

        search(self.index, _ANY_QUESTION, SearchOptions(top_k=1, only_places=True))

    def use_settings(self, settings: Settings) -> None:
        """Work with other settings from now on; the next refresh obeys them."""
        with self._lock:
            moved = settings.index.cache_dir != self.settings.index.cache_dir
            self.settings = settings
            self._last = None
            self.files.use_settings(settings.workspace)
            if moved and self._index is not None:
                self._index.close()
                self._index = None

    def status(self) -> IndexStatus:
        """Return what the index holds, without reading any file."""
        return self.index.status()

    def close(self) -> None:
        """Close the index and end helper processes."""
        with self._lock:
            self._closed = True
            self._unwatch()
            if self._access is not None:
                self._access.close()
            if self._index is not None:
                self._index.close()
