"""What a question would send to a model, worked out without sending anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.llm.calls import ModelCalls
from analysis.llm.configured import FINAL_OUTPUT
from analysis.modes.job import Job
from analysis.modes.mode_spec import ExpectedCall
from analysis.modes.prompt_budget import prompt_tokens
from analysis.modes.registry import MODES
from analysis.tools.prompt_code import PromptCode, merged

if TYPE_CHECKING:
    from analysis.modes.scoped_request import ScopedRequest


@dataclass(frozen=True, slots=True)
class PreviewFile:
    """What of one file would be in the first request."""

    path: str
    ranges: tuple[tuple[int, int], ...]
    """First and last lines that are shown as they are."""
    is_outlined: bool
    """Whether its definitions are listed without their bodies."""
    redacted: tuple[str, ...]
    """Kinds of secrets that are struck out of it."""


@dataclass(frozen=True, slots=True)
class PreviewPhase:
    """One request, with its estimate."""

    name: str
    tokens_in: int
    tokens_out: int
    """At most."""
    cost_usd: float | None
    """At most; None if the price is not known."""
    is_exact: bool
    """False where the model's own answers decide what is sent; the numbers are upper limits."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be sent, how much of it, to whom, and what it would cost."""

    mode: str
    model: str
    host: str
    files: tuple[PreviewFile, ...] = ()
    phases: tuple[PreviewPhase, ...] = ()
    scopes: tuple[str, ...] = ()
    """The kinds of context that would be sent."""
    withheld: tuple[str, ...] = ()
    """The kinds that are there and not allowed."""
    notes: tuple[str, ...] = ()


def nothing_sent(mode: str, why: str) -> Preview:
    """Return the preview of a question that asks no model."""
    return Preview(mode, "none", "none", notes=(why,))


def preview(scoped: ScopedRequest, job: Job) -> Preview:
    """Return what a question would send in its mode; blocking.

    Args:
        scoped: The question as it is sent, with what is withheld.
        job: The same question on its way to a model that is not asked.
    """
    request, facts = job.request, job.model.model.facts
    found = MODES[request.mode].expected(job)
    reason = (request.mode_reason,) if request.mode_reason else ()
    if not found.calls:
        notes = (*reason, found.note)
        return Preview(request.mode, "none", "none", withheld=scoped.withheld, notes=notes)
    last = prompt_tokens(job.model, FINAL_OUTPUT, final=True)
    phases = tuple(
        PreviewPhase(
            call.name,
            call.tokens_in,
            call.tokens_out,
            facts.cost(call.tokens_in, call.tokens_out),
            call.is_exact,
        )
        for call in (*found.calls, ExpectedCall("synthesis", last, FINAL_OUTPUT))
    )
    notes = (*reason, *([found.note] if found.note else []), *_limits(job.model))
    return Preview(
        request.mode,
        facts.name,
        facts.host,
        _files(job.code),
        phases,
        scoped.sent,
        scoped.withheld,
        notes,
    )


def _files(code: PromptCode) -> tuple[PreviewFile, ...]:
    return tuple(
        PreviewFile(
            path,
            tuple(merged(code.shown[path].ranges)),
            code.shown[path].is_outlined,
            tuple(sorted(code.shown[path].kinds)),
        )
        for path in code.sent_files()
    )


def _limits(calls: ModelCalls) -> list[str]:
    limits = calls.budget.limits
    money = f" and ${limits.usd:.2f}" if limits.usd is not None else ""
    notes = [f"No more than {limits.tokens:,} tokens{money} are spent on the question."]
    if not calls.budget.money_cap_holds:
        notes.append("The price of the model is not known: only the cap on tokens holds.")
    return notes
