"""Ctrl-C ends the work in order: what was found is kept, temporary files go."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from analysis.stopping import StopFlag


@contextmanager
def stopped_by_signals() -> Iterator[StopFlag]:
    """Give a flag that the first Ctrl-C or request to terminate sets; the second one kills."""
    stop = StopFlag()

    def on_signal(number: int, frame: FrameType | None) -> None:
        del number, frame
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    # SIGTERM is what a supervisor sends; where a platform lacks it, setting it does no harm.
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
