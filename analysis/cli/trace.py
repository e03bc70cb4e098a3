"""``--trace FILE``: every event of a run as one line of JSON, to see afterwards what it did."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from analysis.errors import OutputUnwritable
from analysis.events import Event
from analysis.json_output import plain
from analysis.models import AskRequest

_OPENING = b'{"type": "run"'


class TraceFile:
    """Where a run is written down; without a stream nothing is."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._started = time.perf_counter()

    def begin(self, request: AskRequest) -> None:
        """Write down what is asked."""
        self._write({"type": "run", **plain(request)})

    def note(self, event: Event) -> None:
        """Write down an event, with the seconds since the start."""
        at_s = round(time.perf_counter() - self._started, 4)
        self._write({"at_s": at_s, **plain(event)})

    def _write(self, data: dict[str, object]) -> None:
        if self._stream is not None:
            self._stream.write(json.dumps(data) + "\n")


@contextmanager
def traced(path: Path | None) -> Iterator[TraceFile]:
    """Give the trace of a run; without a path it does nothing.

    Raises:
        OutputUnwritable: The file cannot be made, or holds something else than a trace.
    """
    if path is None:
        yield TraceFile(None)
        return
    if _holds_something_else(path):
        raise OutputUnwritable(
            f"The trace {str(path)!r} was not written: the file holds something else.",
            "Choose another place for it, or delete that file.",
        )
    try:
        stream = path.open("w", encoding="utf-8", buffering=1)
    except OSError as error:
        raise OutputUnwritable(
            f"The trace {str(path)!r} cannot be written: {error.strerror}.",
            "Choose another place for it.",
        ) from error
    with stream:
        yield TraceFile(stream)


def _holds_something_else(path: Path) -> bool:
    """Return whether a trace would take the place of a file that is none."""
    if not path.is_file():
        return False  # A device, such as /dev/stderr, or nothing.
    try:
        with path.open("rb") as file:
            start = file.read(len(_OPENING))
    except OSError:
        return False  # Writing tells why.
    return bool(start) and start != _OPENING
