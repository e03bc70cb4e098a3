"""The early end of a search: by its time, its size, or whoever asked for it."""

from __future__ import annotations

from analysis.stopping import Deadline, StopReason


class SearchStopped(Exception):
    """The search ended early; what was found so far stands.

    Args:
        reason: What ended it.
    """

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason = reason


def check_search(deadline: Deadline) -> None:
    """Raise if a search has to end.

    Raises:
        SearchStopped: It has.
    """
    reason = deadline.reason
    if reason is not None:
        raise SearchStopped(reason)
