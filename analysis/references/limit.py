"""What ends a search early: its time, or whoever asked for it."""

from __future__ import annotations

import time
from typing import Literal

from analysis.stopping import StopFlag

StopReason = Literal["time", "size", "cancelled"]


class SearchStopped(Exception):
    """The search ended early; what was found so far stands.

    Args:
        reason: What ended it.
    """

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason = reason


class Limit:
    """A deadline and a flag.

    Args:
        time_limit_s: From now on; none if None.
        stop: Ends the search when set.
    """

    def __init__(self, time_limit_s: float | None = None, stop: StopFlag | None = None) -> None:
        self._deadline = None if time_limit_s is None else time.monotonic() + time_limit_s
        self._stop = stop

    def check(self) -> None:
        """Raise if the search has to end.

        Raises:
            SearchStopped: It has.
        """
        if self._stop is not None and self._stop.is_set():
            raise SearchStopped("cancelled")
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise SearchStopped("time")
