"""The time that a search may take, held also while a model or a tool is waited for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable
from typing import TypeVar

from analysis.modes.synthesis import SearchEnded

_Piece = TypeVar("_Piece")


class Deadline:
    """Ends a search that takes longer than it may; waits are cut, nothing else is."""

    def __init__(self, time_s: float) -> None:
        self._time_s = time_s
        self._end = time.monotonic() + time_s

    def check(self) -> None:
        """Raise ``SearchEnded`` if the time is over."""
        if time.monotonic() >= self._end:
            raise self._ended()

    async def result(self, work: Awaitable[_Piece]) -> _Piece:
        """Return what the work comes to.

        Raises:
            SearchEnded: It took too long; it was cancelled.
        """
        try:
            async with asyncio.timeout(max(self._end - time.monotonic(), 0)) as limit:
                return await work
        except TimeoutError as error:
            if limit.expired():
                raise self._ended() from error
            raise

    async def pieces(self, stream: AsyncGenerator[_Piece]) -> AsyncGenerator[_Piece]:
        """Yield what a stream yields.

        Raises:
            SearchEnded: It took too long; close the stream then.
        """
        while True:
            try:
                piece = await self.result(anext(stream))
            except StopAsyncIteration:
                return
            yield piece

    def _ended(self) -> SearchEnded:
        return SearchEnded("time", f"The search took {self._time_s:g} s, which is the most.")
