"""Traces of runs: ``ask --trace`` writes each event as a line of JSON, ``replay`` reads them.

First comes what was asked (``"type": "run"``), then each event with the seconds since the start. A
trace holds what the model said, so that it can stand for the model later.
"""

from __future__ import annotations

import dataclasses
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TextIO, cast, get_args

from analysis.answer_path import Fit, PathEntry, RunStats
from analysis.errors import BadInput, OutputUnwritable
from analysis.events import CandidatesFound, Event, ModelReplied, RunFinished
from analysis.json_output import plain
from analysis.models import Answer, AskRequest, Candidate, CodeReference, RefState
from analysis.workspace.safe_open import read_named

_LARGEST = 500_000_000  # bytes of a trace
_OPENING = b'{"type": "run"'


@dataclass(frozen=True, slots=True)
class TracedEvent:
    """An event, and when it came."""

    at_s: float
    """Seconds since the start."""
    event: Event


@dataclass(frozen=True, slots=True)
class Trace:
    """One run as it went."""

    question: str
    """Empty if the trace does not say."""
    mode: str
    events: tuple[TracedEvent, ...]

    @property
    def finished(self) -> RunFinished | None:
        """The end of the run; None if it was killed before."""
        last = self.events[-1].event if self.events else None
        return last if isinstance(last, RunFinished) else None


class TraceFile:
    """Where a run is written down; without a stream nothing is."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._started = time.perf_counter()

    def begin(self, request: AskRequest) -> None:
        """Write down what is asked."""
        self._write({"type": "run"}, request)

    def note(self, event: Event) -> None:
        """Write down an event, with the seconds since the start."""
        at_s = round(time.perf_counter() - self._started, 4)
        self._write({"at_s": at_s}, event)

    def _write(self, head: dict[str, object], data: AskRequest | Event) -> None:
        if self._stream is not None:
            self._stream.write(json.dumps({**head, **plain(data)}) + "\n")


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
        stream = open(path, "w", encoding="utf-8", buffering=1, opener=_not_waiting)  # noqa: SIM115 (closed below)
    except OSError as error:
        raise OutputUnwritable(
            f"The trace {str(path)!r} cannot be written: {error.strerror}.",
            "Choose another place for it.",
        ) from error
    with stream:
        yield TraceFile(stream)


def _not_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe that nobody reads is an error, and not waited for."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)
    if hasattr(os, "set_blocking"):
        os.set_blocking(descriptor, True)
    return descriptor


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


def read_trace(path: Path) -> Trace:
    """Return a trace; a last line that was cut off, as by a kill, is left out.

    Raises:
        BadInput: It cannot be read, or it is no trace.
    """
    try:
        text = read_named(path, _LARGEST).decode("utf-8", "replace")
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        message = f"The trace {str(path)!r} cannot be read: {reason}."
        raise BadInput(message, "Name a file that 'scope ask --trace' has written.") from error
    rows = list(_rows(text, path))
    asked = rows.pop(0) if rows and rows[0].get("type") == "run" else {}
    try:
        events = tuple(
            TracedEvent(float(row["at_s"]), _event(row))
            for row in rows
            if row.get("type") in _kinds()
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _no_trace(path, f"an event lacks something ({error})") from error
    if rows and not events:
        raise _no_trace(path, "it holds no event")
    return Trace(str(asked.get("question", "")), str(asked.get("mode", "")), events)


def _rows(text: str, path: Path) -> Iterator[dict[str, Any]]:
    """Yield each line as the object that it is."""
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == len(lines) and number > 1:
                return
            raise _no_trace(path, f"line {number} is not JSON") from error
        if not isinstance(row, dict):
            raise _no_trace(path, f"line {number} is not an object")
        yield row


def _no_trace(path: Path, why: str) -> BadInput:
    return BadInput(
        f"{str(path)!r} is not a trace: {why}.", "Give a file that 'scope ask --trace' wrote."
    )


def _event(row: Mapping[str, Any]) -> Event:
    """Return the event of a line; fields that this version does not know are left out."""
    kind = _kinds()[row["type"]]
    values = _known(kind, row)
    if kind is CandidatesFound:
        candidates = [
            Candidate(**{**_known(Candidate, item), "reasons": tuple(item["reasons"])})
            for item in row["candidates"]
        ]
        values["candidates"] = tuple(candidates)
    elif kind is ModelReplied:
        values["tool_calls"] = tuple(row["tool_calls"])
    elif kind is RunFinished:
        values["answer"] = _answer(row["answer"])
    return cast("Event", kind(**values))  # _kinds() holds the members of Event.


def _answer(data: Mapping[str, Any]) -> Answer:
    references = tuple(
        CodeReference(**{**_known(CodeReference, item), "state": RefState(item["state"])})
        for item in data["references"]
    )
    values = _known(Answer, data)
    values |= {
        "references": references,
        "stats": RunStats(**_known(RunStats, data["stats"])),
        "notices": tuple(data.get("notices", ())),
        "path": tuple(PathEntry(**_known(PathEntry, item)) for item in data.get("path", ())),
        "fit": Fit(**_known(Fit, data["fit"])) if data.get("fit") else None,
    }
    # Older traces know one guess only.
    guesses = data.get("guesses") or filter(None, [data.get("second_guess")])
    values["guesses"] = tuple(PathEntry(**_known(PathEntry, item)) for item in guesses)
    return Answer(**values)


def _known(kind: type[Any], row: Mapping[str, Any]) -> dict[str, Any]:
    names = {field.name for field in dataclasses.fields(kind)}
    return {name: value for name, value in row.items() if name in names}


@cache
def _kinds() -> Mapping[str, type[Any]]:
    """Return each kind of event by the word for it."""
    return {kind.__dataclass_fields__["type"].default: kind for kind in get_args(Event)}
