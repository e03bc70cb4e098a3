"""Traces of runs, as ``scope ask --trace`` writes them, read back: events, and a model's words.

A trace is JSON lines: first what was asked (``"type": "run"``), then each event with the seconds
since the start. It holds what the model said, so that it can stand for the model in a test.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from analysis.errors import BadInput, ModelUnavailable
from analysis.events import CandidatesFound, Event, ModelReplied, RunFinished
from analysis.llm.messages import ModelReply, ToolCall, Usage
from analysis.models import Answer, Candidate, CodeReference, RefState, RunStats

_KINDS: Mapping[str, type[Any]] = {
    dataclass_type.__dataclass_fields__["type"].default: dataclass_type
    for dataclass_type in get_args(Event)
}


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

    def replies(self) -> tuple[ModelReply, ...]:
        """Return what the model said, call by call."""
        return tuple(
            _reply(item.event) for item in self.events if isinstance(item.event, ModelReplied)
        )


def read_trace(path: Path) -> Trace:
    """Return a trace; a last line that was cut off, as by a kill, is left out.

    Raises:
        BadInput: It cannot be read, or it is no trace.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
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
            if row.get("type") in _KINDS
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
    kind = _KINDS[row["type"]]
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
    return cast("Event", kind(**values))  # _KINDS holds the members of Event.


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
    }
    return Answer(**values)


def _known(kind: type[Any], row: Mapping[str, Any]) -> dict[str, Any]:
    names = {field.name for field in dataclasses.fields(kind)}
    return {name: value for name, value in row.items() if name in names}


def _reply(event: ModelReplied) -> ModelReply:
    calls = tuple(
        ToolCall(call["id"], call["name"], call["arguments"]) for call in event.tool_calls
    )
    usage = Usage(event.tokens_in, event.tokens_out) if event.tokens_in else None
    failure = ModelUnavailable(event.failure) if event.failure else None
    return ModelReply(event.text, calls, usage, event.finish_reason, failure)
