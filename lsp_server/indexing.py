"""Keeps the index fresh in the background, and tells the client how far it is."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from analysis.errors import Cancelled, ScopeError
from lsp_server.code_base import EditorCodeBase
from lsp_server.protocol import StatusParams
from lsp_server.server import ScopeServer

if TYPE_CHECKING:
    from analysis.index.difference import RefreshReport

logger = logging.getLogger(__name__)

_REPORT_EVERY_S = 0.15
"""Seconds between two progress reports: often enough to move, too rare to flood the client."""


async def index_codebase(
    server: ScopeServer, codebase: EditorCodeBase, *, rebuild: bool = False
) -> int:
    """Bring the workspace's index up to date; returns how many files it holds."""
    progress = _Progress(server, asyncio.get_running_loop(), f"Indexing {codebase.label}")
    server.report(StatusParams(state="indexing", message=progress.doing))
    started = time.monotonic()
    try:
        if rebuild:
            await asyncio.to_thread(codebase.engine.rebuild, progress.update, codebase.stop)
        report = await _read(codebase, progress)
    except Cancelled:
        return 0
    except ScopeError as error:
        logger.warning("Indexing %s failed: %s", codebase.label, error)
        server.report(StatusParams(state="problem", message=str(error)))
        return 0
    logger.info(
        "Indexed %s: %d files, %d read, %.2f s",
        codebase.label,
        report.total,
        report.parsed,
        time.monotonic() - started,
    )
    server.report(
        StatusParams(
            state="ready",
            message=f"{codebase.label}: {report.total} files",
            done=report.total,
            total=report.total,
        ),
    )
    server.start_task(_get_ready(codebase), f"what questions of {codebase.label} need")
    return report.total


async def _read(codebase: EditorCodeBase, progress: _Progress) -> RefreshReport:
    """Read the files that questions are about, and the others behind everybody else's work."""
    refresh, stop = codebase.engine.refresh, codebase.stop
    report = await asyncio.to_thread(refresh, progress.update, stop, leave_rest=True)
    if not report.is_left or stop.is_set():
        return report
    progress.begin(
        f"Reading the other {report.unread:,} files of {codebase.label}: tests, vendored code, "
        "data and the like. Questions that do not need them are answered meanwhile"
    )
    return await asyncio.to_thread(refresh, progress.update, stop, in_background=True)


async def _get_ready(codebase: EditorCodeBase) -> None:
    """Make in the background what questions would have to wait for."""
    try:
        await asyncio.to_thread(codebase.engine.get_ready)
        await asyncio.to_thread(codebase.engine.make_facts, codebase.stop, in_background=True)
    except ScopeError as error:
        logger.warning("Not all that questions of %s need was made: %s", codebase.label, error)


async def reindex_paths(codebase: EditorCodeBase, paths: Iterable[str]) -> None:
    """Read the files again that changed on disk; the others are left alone."""
    try:
        await asyncio.to_thread(codebase.engine.refresh_paths, list(paths))
    except ScopeError as error:
        logger.warning("Re-reading changed files of %s failed: %s", codebase.label, error)


class _Progress:
    """Carries progress from the indexing thread to the event loop, not more often than useful."""

    def __init__(self, server: ScopeServer, loop: asyncio.AbstractEventLoop, doing: str) -> None:
        self._server = server
        self._loop = loop
        self.begin(doing)

    def begin(self, doing: str) -> None:
        """Tell from now on that something else is being done."""
        self.doing = doing
        self._last = 0.0

    def update(self, done: int, total: int) -> None:
        """Report ``done`` of ``total`` files; called from any thread."""
        now = time.monotonic()
        if now - self._last < _REPORT_EVERY_S:
            return
        self._last = now
        status = StatusParams(state="indexing", message=self.doing, done=done, total=total)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._server.report, status)
