"""A stop flag that sets itself after some time."""

from __future__ import annotations

import time

from analysis.stopping import StopFlag


class Deadline(StopFlag):
    """Ends work that polls it when its time is over, or when the work around it is stopped.

    Args:
        seconds: From now on.
        parent: The flag of the work around it.
    """

    def __init__(self, seconds: float, parent: StopFlag) -> None:
        super().__init__(parent)
        self._around = parent
        self._end = time.monotonic() + seconds

    def is_set(self) -> bool:
        """Return whether the time is over or the work was asked to stop."""
        return super().is_set() or self.seconds_left() <= 0

    def seconds_left(self) -> float:
        """Return how much time is left; negative when it is over."""
        return self._end - time.monotonic()

    def reason(self, stopped_by: str | None) -> str | None:
        """Return what ended a search that names this flag's work as what stopped it.

        Raises:
            Cancelled: The work around it was stopped.
        """
        self._around.check()
        return "time" if stopped_by == "cancelled" else stopped_by
