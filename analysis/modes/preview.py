"""What a question would send to a model, worked out without sending anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analysis.llm.calls import ModelCalls
from analysis.llm.messages import ModelRequest
from analysis.llm.structured import schema_of
from analysis.llm.tokens import request_tokens
from analysis.modes.agent.run import TURN_OUTPUT, AgentRun
from analysis.modes.explored import ScopeExplorationOutput
from analysis.modes.iterative.rounds import FirstRoundOutput
from analysis.modes.iterative.run import MAX_SEARCH_CALLS, ROUND_OUTPUT, IterativeRun
from analysis.modes.job import Job
from analysis.modes.pipeline.run import EXPLORATION_OUTPUT, PipelineRun
from analysis.modes.prompt_budget import prompt_tokens
from analysis.modes.synthesis import FINAL_OUTPUT
from analysis.tools.prompt_code import PromptCode, merged

if TYPE_CHECKING:
    from pydantic import BaseModel

    from analysis.modes.scoped_request import ScopedRequest


_CHOSEN_LATER = (
    "What is sent after that is chosen by the model; secrets and ignored files never are."
)


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
    ways = {"pipeline": _pipeline, "agent": _agent, "plan": _plan, "iterative": _iterative}
    found = ways[job.request.mode](job)
    reason = (job.request.mode_reason,) if job.request.mode_reason else ()
    notes = (*reason, *found.notes)
    sent = scoped.sent if found.phases else ()
    return replace(found, scopes=sent, withheld=scoped.withheld, notes=notes)


def _pipeline(job: Job) -> Preview:
    run = PipelineRun(job)
    first = run.first_request()
    if first is None:
        return nothing_sent("pipeline", "Nothing in the code matches: no model is asked.")
    exact = _exact(first, ScopeExplorationOutput)
    later = prompt_tokens(job.calls, EXPLORATION_OUTPUT)
    phases = (
        ("exploration, first round", exact, EXPLORATION_OUTPUT, True),
        ("exploration, second round", later, EXPLORATION_OUTPUT, False),
    )
    return _made(job, phases, run.code)


def _agent(job: Job) -> Preview:
    run = AgentRun(job)
    exact = request_tokens(run.next_request())
    later = prompt_tokens(job.calls, TURN_OUTPUT)
    each = f"each further turn, at most {job.settings.agent.turns - 1}"
    phases = (("first turn", exact, TURN_OUTPUT, True), (each, later, TURN_OUTPUT, False))
    return _made(job, phases, run.code, _CHOSEN_LATER)


def _plan(job: Job) -> Preview:
    from analysis.modes.plan.nodes import PLAN_OUTPUT
    from analysis.modes.plan.prompts import Plan
    from analysis.modes.plan.run import PlanRun

    run = PlanRun(job)
    exact = _exact(run.first_request(), Plan)
    later = prompt_tokens(job.calls, TURN_OUTPUT)
    phases = (
        ("first plan", exact, PLAN_OUTPUT, True),
        ("each call of a step, refinery or further plan", later, TURN_OUTPUT, False),
    )
    return _made(job, phases, run.code, _CHOSEN_LATER)


def _iterative(job: Job) -> Preview:
    run = IterativeRun(job)
    exact = _exact(run.first_request(), FirstRoundOutput)
    later = prompt_tokens(job.calls, ROUND_OUTPUT)
    each = f"each further round, at most {MAX_SEARCH_CALLS - 1}"
    phases = (("first round", exact, ROUND_OUTPUT, True), (each, later, ROUND_OUTPUT, False))
    return _made(job, phases, run.code, _CHOSEN_LATER)


def _exact(first: ModelRequest, answer: type[BaseModel]) -> int:
    """Return the tokens of a request and of the schema that goes along with it."""
    return request_tokens(first) + request_tokens(ModelRequest((), schema=schema_of(answer)))


def _made(
    job: Job, phases: Sequence[tuple[str, int, int, bool]], code: PromptCode, *notes: str
) -> Preview:
    """Return a preview with the request for the document at its end."""
    calls = job.calls
    facts = calls.model.facts
    last = ("synthesis", prompt_tokens(calls, FINAL_OUTPUT, final=True), FINAL_OUTPUT, False)
    return Preview(
        job.request.mode,
        facts.name,
        facts.host,
        _files(code),
        tuple(
            PreviewPhase(name, tokens, output, facts.cost(tokens, output), is_exact)
            for name, tokens, output, is_exact in (*phases, last)
        ),
        notes=(*notes, *_notes(calls)),
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


def _notes(calls: ModelCalls) -> list[str]:
    limits = calls.budget.limits
    money = f" and ${limits.usd:.2f}" if limits.usd is not None else ""
    notes = [f"No more than {limits.tokens:,} tokens{money} are spent on the question."]
    if not calls.budget.money_cap_holds:
        notes.append("The price of the model is not known: only the cap on tokens holds.")
    return notes
