"""The typed events of a run: the one source for progress, notifications, traces and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from analysis.models import Answer, Candidate


@dataclass(frozen=True, slots=True)
class PhaseStarted:
    """A run entered a phase."""

    phase: Literal["indexing", "discovery", "exploration", "synthesis", "verification", "writing"]
    detail: str = ""
    type: Literal["phase"] = "phase"


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """The index has read ``done`` of ``total`` files."""

    done: int
    total: int
    type: Literal["index"] = "index"


@dataclass(frozen=True, slots=True)
class CandidatesFound:
    """The places that ranking proposes, best first."""

    candidates: tuple[Candidate, ...]
    type: Literal["candidates"] = "candidates"


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """A tool was called with these arguments."""

    call_id: str
    tool: str
    arguments: dict[str, Any]
    type: Literal["tool_call"] = "tool_call"


@dataclass(frozen=True, slots=True)
class ToolReturned:
    """A tool answered."""

    call_id: str
    tool: str
    size: int
    """Characters of the result."""
    elapsed_s: float
    ok: bool
    summary: str = ""
    type: Literal["tool_result"] = "tool_result"


@dataclass(frozen=True, slots=True)
class Decided:
    """The run chose a way on, for this reason."""

    decision: str
    reason: str
    type: Literal["decision"] = "decision"


@dataclass(frozen=True, slots=True)
class UsageReported:
    """Running totals after a model call."""

    llm_calls: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    limit_tokens: int | None = None
    """What the question may take; None if nobody set a limit."""
    limit_usd: float | None = None
    type: Literal["usage"] = "usage"


@dataclass(frozen=True, slots=True)
class ModelReplied:
    """What the model said in one call; for traces, which can stand for the model later."""

    purpose: str
    """What the call was for."""
    text: str
    tool_calls: tuple[Mapping[str, str], ...] = ()
    """What it called: id, name, and the arguments as it wrote them."""
    tokens_in: int = 0
    tokens_out: int = 0
    finish_reason: str = "stop"
    failure: str = ""
    """Why the answer ended early, if it did."""
    type: Literal["reply"] = "reply"


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A further piece of the document's markdown."""

    text: str
    type: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user must know: a rebuilt index, a partial search, a wait."""

    message: str
    type: Literal["notice"] = "notice"


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The run ended; always the last event, and always with a document."""

    answer: Answer
    stop_reason: str = field(default="done")
    type: Literal["finished"] = "finished"


Event = (
    PhaseStarted
    | IndexProgress
    | CandidatesFound
    | ToolCalled
    | ToolReturned
    | Decided
    | UsageReported
    | ModelReplied
    | TextDelta
    | Notice
    | RunFinished
)

Emit = Callable[[Event], None]
"""Takes each event of a run as it happens; safe to call from any thread."""


def unwatched(event: Event) -> None:
    """Take an event of a run that nobody watches."""
