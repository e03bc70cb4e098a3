"""The time limits of one call of a model, and the end of what it opened."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable
from typing import Protocol, TypeVar

from analysis.errors import Cancelled
from analysis.stopping import Deadline, StopFlag, until_stopped

_Result = TypeVar("_Result")
_CLOSING_S = 0.5

logger = logging.getLogger(__name__)


class TookTooLong(Exception):
    """Nothing came in time; ``overall`` tells whether the whole call or one piece was late."""

    def __init__(self, seconds: float, *, overall: bool) -> None:
        super().__init__(f"nothing came within {seconds:g} s")
        self.seconds = seconds
        self.overall = overall


class CallTimeouts:
    """The time limits of one call: for the next piece, and for all of it (seconds)."""

    def __init__(self, piece_s: float, overall_s: float, stop: StopFlag) -> None:
        self.piece_s = piece_s
        """The longest wait for the next piece; it may change while the call goes on."""
        self._overall_s = overall_s
        self._stop = stop
        self._overall = Deadline(overall_s, stop)

    async def result_of(self, work: Awaitable[_Result]) -> _Result:
        """Return the result; what is awaited is cancelled if it is late or not wanted any more.

        Raises:
            TookTooLong: The next piece or the whole call took too long.
            Cancelled: The call is not wanted any more.
        """
        piece = Deadline(min(self.piece_s, self._overall.seconds_left()), self._overall)
        try:
            return await until_stopped(work, piece)
        except Cancelled:
            if self._stop.is_set():
                raise
            if self._overall.is_over:
                raise TookTooLong(self._overall_s, overall=True) from None
            if piece.is_over:
                raise TookTooLong(self.piece_s, overall=False) from None
            raise


class Closable(Protocol):
    """What a provider gives a piece at a time."""

    def aclose(self) -> Awaitable[object]:
        """End it, and with it its connection."""
        ...


@contextlib.asynccontextmanager
async def closing_soon(stream: Closable) -> AsyncIterator[None]:
    """Close a stream in the end, and do not wait long for that."""
    try:
        yield
    finally:
        try:
            await asyncio.wait_for(stream.aclose(), _CLOSING_S)
        except Exception as error:  # The call is over; how the library took it is no news.
            logger.debug("Closing a stream failed: %r", type(error))
