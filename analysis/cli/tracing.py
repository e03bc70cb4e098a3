"""``--trace FILE``: every event of a run as one line of JSON, to see afterwards what it did."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from analysis.errors import OutputUnwritable
from analysis.events import Event
from analysis.shapes import plain


@contextmanager
def traced(path: Path | None) -> Iterator[Callable[[Event], None]]:
    """Give a function that notes an event; without a path it does nothing.

    Raises:
        OutputUnwritable: The file cannot be made.
    """
    if path is None:
        yield lambda event: None
        return
    started = time.perf_counter()
    try:
        stream = path.open("w", encoding="utf-8", buffering=1)
    except OSError as error:
        raise OutputUnwritable(
            f"The trace {str(path)!r} cannot be written: {error.strerror}.",
            "Choose another place for it.",
        ) from error

    def note(event: Event) -> None:
        elapsed_s = round(time.perf_counter() - started, 4)
        stream.write(json.dumps({"elapsed_s": elapsed_s, **plain(event)}) + "\n")

    with stream:
        yield note
