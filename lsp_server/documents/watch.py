"""Holds the context documents of the workspace, and follows each edit of them and of their code.

What changes is only noted at first. It is worked in a moment after the last keystroke, or at once
when somebody asks, so that every answer is about the text that the user sees.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.errors import BadInput, Cancelled, ScopeError
from analysis.models import RefState
from analysis.user_folders import expanded
from analysis.workspace.paths import path_from_uri, uri_from_path
from lsp_server.documents.report import DocumentReport

if TYPE_CHECKING:
    from lsp_server.code_base import EditorCodeBase
    from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)

DEBOUNCE_S = 0.15
"""Seconds without a further edit after which states are looked at again."""
_LATEST_S = 0.6
"""Seconds after an edit at which states are looked at even if more edits follow."""
_AT_ONCE = 20
"""Documents that are read in one go at the start, before others may ask."""
_SUFFIXES = (".md", ".markdown")
_LOST = frozenset({RefState.GONE, RefState.AMBIGUOUS, RefState.CHANGED})

Reports = Mapping[Path, DocumentReport | None]
"""Reports that are new or others, by document; None for one that is not held any more."""


@dataclass
class _Noted:
    """What changed since the states were looked at last."""

    code: set[str] = field(default_factory=set)
    documents: dict[Path, str | None] = field(default_factory=dict)
    """Text by document; None for what is on the disk."""

    def __bool__(self) -> bool:
        return bool(self.code or self.documents)


class DocumentWatch:
    """The documents of the workspace with a report on each; lives on the event loop."""

    def __init__(self, server: ScopeServer) -> None:
        self.reports: dict[Path, DocumentReport] = {}
        """What was found when each document was looked at last."""
        self._server = server
        self._codebase: EditorCodeBase | None = None
        self._noted = _Noted()
        self._since: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._listeners: list[Callable[[Reports], None]] = []

    def follow(self, listener: Callable[[Reports], None]) -> None:
        """Call ``listener`` with all reports that are new or others, whenever there are some."""
        self._listeners.append(listener)

    def note(self, uri: str) -> None:
        """Take note that a file was opened, edited, saved, closed, made or deleted."""
        codebase = self._current()
        try:
            path = path_from_uri(uri)
        except BadInput:
            return
        if codebase is None:
            return
        text = self._server.texts.get(uri)
        if path in self.reports or _may_be_document(path, text):
            self._noted.documents[path] = text
        if text is None:  # It may be a folder that was deleted.
            gone = [held for held in self.reports if held.is_relative_to(path)]
            self._noted.documents |= dict.fromkeys(gone)
        if (inside := codebase.path_of(uri)) is not None:
            self._noted.code.add(inside)
            if text is None:  # It may be a folder that was deleted.
                below = f"{inside}/"
                cited = (cited_paths(report) for report in self.reports.values())
                self._noted.code |= {p for paths in cited for p in paths if p.startswith(below)}
        self._schedule()

    async def report(self, uri: str) -> DocumentReport | None:
        """Return what became of a document, as of now; None if it is none that is held."""
        await self.settle()
        return self.known(uri)

    def known(self, uri: str) -> DocumentReport | None:
        """Return what was found for a document when it was looked at last."""
        try:
            return self.reports.get(path_from_uri(uri))
        except BadInput:
            return None

    def cites(self, path: str) -> bool:
        """Return whether a document cites a file of the code base, as far as was looked."""
        return any(
            place.path == path
            for report in self.reports.values()
            for item in report.check.references
            if (place := report.place(item)) is not None
        )

    async def settle(self) -> None:
        """Work in all that was noted; returns when the reports are about the present text.

        By then the client has told its settings, too.
        """
        await self._server.settled_codebase()
        self._current()
        while self._noted or self._task is not None:
            self._start()
            if self._task is None:
                return  # The server is ending: nothing is looked at any more.
            await asyncio.shield(self._task)

    async def look_at(self, uri: str) -> DocumentReport:
        """Look at a document and at all files that it cites once more, and return the report.

        Raises:
            BadInput: It is no document about the open code.
        """
        codebase = await self._server.require_codebase()
        path = path_from_uri(uri)
        self.note(uri)
        self._noted.documents[path] = self._server.texts.get(uri)
        await self.settle()
        if path not in self.reports:
            states, text = codebase.engine.documents, self._server.texts.get(uri)
            await asyncio.to_thread(states.put, path, text)  # It says why it is not held.
            self._noted.documents[path] = text
        else:
            codebase.engine.documents.distrust_index()
            self._noted.code |= cited_paths(self.reports[path])
        await self.settle()
        return self.reports[path]

    async def look_at_all(self) -> list[DocumentReport]:
        """Look for all documents and at all of their code once more, and return the reports."""
        await self.find(await self._server.require_codebase())
        for report in self.reports.values():
            self._noted.code |= cited_paths(report)
        await self.settle()
        return [self.reports[path] for path in sorted(self.reports)]

    async def find(self, codebase: EditorCodeBase) -> None:
        """Find and hold every document of the workspace; those that are gone are let go."""
        if codebase is not self._current():
            return
        started = time.monotonic()
        codebase.engine.documents.distrust_index()
        found = await asyncio.to_thread(lambda: list(_documents_of(codebase)))
        opened = self._opened()
        wanted = list(dict.fromkeys([*opened, *found, *self.reports]))
        for first in range(0, len(wanted), _AT_ONCE):
            paths = wanted[first : first + _AT_ONCE]
            if codebase is not self._current() or codebase.stop.is_set():
                return
            opened, texts = self._opened(), self._server.texts
            self._noted.documents |= {
                path: texts[opened[path]] if path in opened else None for path in paths
            }
            await self.settle()
        logger.info(
            "Found %d context documents in %.2f s", len(self.reports), time.monotonic() - started
        )

    def _opened(self) -> dict[Path, str]:
        """Return the editor's own URI of each open document."""
        return {
            path: uri
            for uri, text in self._server.texts.items()
            if (path := _path_or_none(uri)) is not None and _may_be_document(path, text)
        }

    def _current(self) -> EditorCodeBase | None:
        """Return the open code base; what is known of another one is forgotten."""
        codebase = self._server.codebase
        if codebase is not self._codebase:
            self._codebase = codebase
            self._noted = _Noted()
            gone, self.reports = self.reports, {}
            self._tell(dict.fromkeys(gone))
        return codebase

    def _schedule(self) -> None:
        """Look at the states in a moment, but not too late while somebody goes on typing."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._since = now if self._since is None else self._since
        if self._timer is not None:
            self._timer.cancel()
        due = min(now + DEBOUNCE_S, max(now, self._since + _LATEST_S))
        self._timer = loop.call_at(due, self._start)

    def _start(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._task is None and self._noted and not self._server.shutting_down:
            self._task = self._server.start_task(self._work(), "look at context documents")

    async def _work(self) -> None:
        await self._server.settled_codebase()
        codebase = self._current()
        noted, self._noted, self._since = self._noted, _Noted(), None
        look = _Look(
            held=frozenset(self.reports),
            opened=self._opened(),
            is_lost=any(map(_is_lost, self.reports.values())),
        )
        try:
            if codebase is not None:
                found = await asyncio.to_thread(look.at, codebase, noted)
                if codebase is self._current():
                    self._take(found)
        except Cancelled:
            pass  # The folders were closed.
        except ScopeError as error:
            logger.warning("Context documents were not looked at: %s", error)
        finally:
            self._task = None
            if self._noted and self._timer is None and not self._server.shutting_down:
                self._schedule()

    def _take(self, found: Reports) -> None:
        """Keep the reports, and tell of those that are others than before."""
        news = {path: report for path, report in found.items() if self.reports.get(path) != report}
        for path, report in news.items():
            if report is None:
                self.reports.pop(path, None)
            else:
                self.reports[path] = report
        self._tell(news)

    def _tell(self, news: Reports) -> None:
        if news and not self._server.shutting_down:
            for listener in self._listeners:
                listener(news)


def cited_paths(report: DocumentReport) -> set[str]:
    """Return the files that a document's references lead to, before and now."""
    references = report.check.references
    old = {report.prefix + item.reference.path for item in references}
    return old | {report.prefix + item.new_path for item in references if item.new_path}


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at what was noted, away from the event loop."""

    held: frozenset[Path]
    opened: Mapping[Path, str]
    """The editor's own URI of each open document."""
    is_lost: bool
    """Whether code is looked for that is not where it was."""

    def at(self, codebase: EditorCodeBase, noted: _Noted) -> dict[Path, DocumentReport | None]:
        """Return the reports on all documents that what was noted can have changed; blocks."""
        states = codebase.engine.documents
        touched: dict[Path, None] = {}
        found: dict[Path, DocumentReport | None] = {}
        for path, text in noted.documents.items():
            if _is_held(codebase, path, text):
                touched[path] = None
            else:
                states.remove(path)
                found[path] = None
        if noted.code:
            if self.is_lost:
                # What was cut out of one file may have been pasted into this one.
                codebase.engine.refresh_paths(sorted(noted.code))
            touched |= dict.fromkeys(states.changed(noted.code))
        found |= {path: self._report(codebase, path) for path in touched}
        return {path: report for path, report in found.items() if report or path in self.held}

    def _report(self, codebase: EditorCodeBase, path: Path) -> DocumentReport:
        states = codebase.engine.documents
        document = states.document(path)
        return DocumentReport(
            path=path,
            uri=self.opened.get(path) or uri_from_path(path),
            text=document.text,
            question=document.front.question,
            mode=document.front.mode,
            prefix=states.prefix(path),
            check=states.check(path, codebase.stop),
            links=states.links(path),
            is_open=path in self.opened,
        )


def _is_lost(report: DocumentReport) -> bool:
    return any(item.reference.state in _LOST for item in report.stale)


def _is_held(codebase: EditorCodeBase, path: Path, text: str | None) -> bool:
    """Hold a document as it is now; return whether it is one."""
    if text is None and not any(path.is_relative_to(folder) for folder in _folders(codebase)):
        return False  # It lies elsewhere, and counts only while it is open.
    try:
        codebase.engine.documents.put(path, text)
    except BadInput:
        return False
    return True


def _documents_of(codebase: EditorCodeBase) -> Iterator[Path]:
    from analysis.documents.find_documents import documents_below

    for folder in _folders(codebase):
        for path in documents_below(folder):
            codebase.stop.check()
            yield path


def _folders(codebase: EditorCodeBase) -> Iterable[Path]:
    """Return where documents of a code base lie: in its folders, and where the settings say."""
    yield from codebase.folders.values()
    chosen = codebase.engine.settings.answer.output_dir
    if chosen:
        yield expanded(chosen).absolute()


def _may_be_document(path: Path, text: str | None) -> bool:
    return path.suffix.lower() in _SUFFIXES or (text or "").startswith(("---", "\ufeff---"))


def _path_or_none(uri: str) -> Path | None:
    try:
        return path_from_uri(uri)
    except BadInput:
        return None
