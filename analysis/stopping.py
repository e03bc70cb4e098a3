"""What ends work early: a flag that somebody sets, and the time that it may take."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Awaitable
from typing import Literal, TypeVar

from analysis.errors import Cancelled

StopReason = Literal["time", "size", "cancelled"]
"""What can end a search before all was looked at."""

_Result = TypeVar("_Result")

# A stop flag is set from any thread and only polled: this bounds how late it is seen.
_POLL_S = 0.1
# A library that swallows the cancellation must not hold anybody up.
_CLOSING_S = 0.5


class StopFlag:
    """Tells running work to stop; set from any thread, polled by the work.

    Args:
        parent: A flag of the work around it; when that one is set, so is this one.

    >>> flag = StopFlag()
    >>> flag.is_set()
    False
    """

    def __init__(self, parent: StopFlag | None = None) -> None:
        self._event = threading.Event()
        self._parent = parent

    def set(self) -> None:
        """Ask the work to stop."""
        self._event.set()

    def is_set(self) -> bool:
        """Return whether the work was asked to stop."""
        return self._event.is_set() or (self._parent is not None and self._parent.is_set())

    def check(self) -> None:
        """Raise ``Cancelled`` if the work was asked to stop."""
        if self.is_set():
            raise Cancelled("The work was stopped on request.")

    def seconds_left(self) -> float:
        """Return how much time is left (seconds): infinite for a flag that has no end."""
        return math.inf


class Deadline(StopFlag):
    """A stop flag that sets itself when the time of the work is over.

    Args:
        seconds: From now on; no end if None.
        parent: The flag of the work around it.
    """

    def __init__(self, seconds: float | None, parent: StopFlag | None = None) -> None:
        super().__init__(parent)
        self.around = parent or StopFlag()
        """The flag of the work around it."""
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is over; the flag itself may be set for another reason."""
        return self.seconds_left() <= 0

    @property
    def reason(self) -> StopReason | None:
        """What set the flag, None if nothing did; a wish to stop counts before the time."""
        if self.around.is_set():
            return "cancelled"
        if self.is_over:
            return "time"
        return "cancelled" if super().is_set() else None

    def is_set(self) -> bool:
        """Return whether the time is over or the work was asked to stop."""
        return super().is_set() or self.is_over

    def seconds_left(self) -> float:
        """Return how much time is left (seconds): never less than 0, infinite without an end."""
        return math.inf if self._end is None else max(self._end - time.monotonic(), 0.0)

    def extend(self, seconds: float) -> None:
        """Give the work so much more time."""
        if self._end is not None:
            self._end += seconds


async def until_stopped(work: Awaitable[_Result], stop: StopFlag) -> _Result:
    """Return what is awaited, or cancel it as soon as ``stop`` is set.

    Raises:
        Cancelled: ``stop`` was set; a ``Deadline`` tells whether its time was over.
    """
    import asyncio

    task = asyncio.ensure_future(work)
    try:
        while True:
            wait_s = min(_POLL_S, stop.seconds_left())
            if (await asyncio.wait({task}, timeout=wait_s))[0]:
                return task.result()
            stop.check()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=_CLOSING_S)


async def pause(seconds: float, stop: StopFlag) -> None:
    """Sleep, unless told to stop.

    Raises:
        Cancelled: ``stop`` was set.
    """
    import asyncio

    end = Deadline(seconds)
    while not end.is_over:
        stop.check()
        await asyncio.sleep(min(_POLL_S, end.seconds_left()))
