"""What ends work early: a flag that somebody sets, and the time that it may take."""

from __future__ import annotations

import math
import threading
import time
from typing import Literal

from analysis.errors import Cancelled

StopReason = Literal["time", "size", "cancelled"]
"""What can end a search before all was looked at."""


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
