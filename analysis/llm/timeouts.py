"""Awaits something for so long and no longer, and never past a stop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import TypeVar

from analysis.errors import Cancelled
from analysis.stopping import StopFlag

_Result = TypeVar("_Result")

# A stop flag is set from any thread and only polled: this bounds how late it is seen.
_POLL_S = 0.1


class TookTooLong(Exception):
    """Nothing came in time; ``overall`` tells whether the whole call or one piece was late."""

    def __init__(self, seconds: float, *, overall: bool) -> None:
        super().__init__(f"nothing came within {seconds:g} s")
        self.seconds = seconds
        self.overall = overall


class Deadline:
    """The time limits of one call: for the next piece, and for all of it."""

    def __init__(self, piece_s: float, overall_s: float) -> None:
        self._piece_s = piece_s
        self._overall_s = overall_s
        self._end = time.monotonic() + overall_s

    async def result_of(self, awaitable: Awaitable[_Result], stop: StopFlag) -> _Result:
        """Return the result; what is awaited is cancelled if it is late or not wanted any more.

        Raises:
            TookTooLong: The next piece or the whole call took too long.
            Cancelled: ``stop`` was set.
        """
        task = asyncio.ensure_future(awaitable)
        piece_end = time.monotonic() + self._piece_s
        try:
            while True:
                left = min(piece_end, self._end) - time.monotonic()
                done, _ = await asyncio.wait({task}, timeout=max(0.0, min(_POLL_S, left)))
                if done:
                    return task.result()
                stop.check()
                if time.monotonic() >= self._end:
                    raise TookTooLong(self._overall_s, overall=True)
                if time.monotonic() >= piece_end:
                    raise TookTooLong(self._piece_s, overall=False)
        finally:
            if not task.done():
                task.cancel()
                # A library that swallows the cancellation must not hold us up.
                await asyncio.wait({task}, timeout=0.5)


async def pause(seconds: float, stop: StopFlag) -> None:
    """Sleep, unless told to stop.

    Raises:
        Cancelled: ``stop`` was set.
    """
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if stop.is_set():
            raise Cancelled("The wait was stopped on request.")
        await asyncio.sleep(min(_POLL_S, left))
