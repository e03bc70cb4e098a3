"""One code base behind the tools: indexed on the first use, in the background if need be."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from analysis.errors import Cancelled, IndexUnavailable
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.engine import Engine
    from analysis.mcp.tool import Tool

logger = logging.getLogger(__name__)

OnProgress = Callable[[int, int], Awaitable[None]]
"""Told how many files were read, of how many."""

# Some clients give up on a call after a minute; they get an answer before.
_PATIENCE_S = 45.0
_PROGRESS_S = 1.0


class CodeBase:
    """Runs tools in threads, over an index that is read in full once."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._stop = StopFlag()
        self._reading: asyncio.Task[object] | None = None
        self._read = (0, 0)

    async def call(
        self, tool: Tool[Any], arguments: dict[str, Any], on_progress: OnProgress
    ) -> dict[str, Any]:
        """Return what a tool says; a cancelled call stops its work.

        Raises:
            ScopeError: The tool cannot answer; the agent can do something about it.
        """
        tool.checked(arguments)
        if tool.needs_index:
            await self._indexed(on_progress)
        stop = StopFlag()
        try:
            return await asyncio.to_thread(tool.call, self._engine, arguments, stop)
        finally:
            stop.set()

    def close(self) -> None:
        """Stop what still runs, and let go of the index."""
        self._stop.set()
        self._engine.close()

    async def _indexed(self, on_progress: OnProgress) -> None:
        """Wait for the first reading of the files, which goes on whoever stops waiting for it.

        Raises:
            IndexUnavailable: It takes longer than a client may wait.
        """
        if self._reading is None or _failed(self._reading):
            self._reading = asyncio.create_task(asyncio.to_thread(self._prepare))
        waited = 0.0
        while not self._reading.done():
            if waited >= _PATIENCE_S:
                done, total = self._read
                raise IndexUnavailable(
                    f"The code base is still being read: {done} of {total} files.",
                    "Call again in a minute; reading goes on. tree, outline and read_lines work.",
                )
            await asyncio.wait([self._reading], timeout=_PROGRESS_S)
            waited += _PROGRESS_S
            if not self._reading.done():
                await on_progress(*self._read)
        self._reading.result()

    def _prepare(self) -> object:
        """Read all files once; later calls read only what has changed."""

        def on_progress(done: int, total: int) -> None:
            self._read = (done, total)

        try:
            return self._engine.prepare(on_progress, self._stop)
        except Cancelled:
            logger.info("Reading was stopped at %d of %d files", *self._read)
            return None


def _failed(task: asyncio.Task[object]) -> bool:
    """Return whether a finished reading is to be tried again: an empty folder may have filled."""
    return task.done() and (task.cancelled() or task.exception() is not None)
