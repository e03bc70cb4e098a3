"""What a question would send to a model, worked out without sending anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.events import StopFlag
from analysis.llm.calls import ModelCalls
from analysis.llm.structured import schema_of
from analysis.llm.tokens import request_tokens
from analysis.strategies.explored import ScopeExplorationOutput
from analysis.strategies.modes import RunOptions
from analysis.strategies.pipeline_run import EXPLORATION_OUTPUT, PipelineRun
from analysis.strategies.room import prompt_tokens
from analysis.strategies.synthesis import FINAL_OUTPUT
from analysis.tools.prompt_code import PromptCode, merged

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex
    from analysis.settings import Settings
    from analysis.strategies.scoped_request import ScopedRequest


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


def preview(
    scoped: ScopedRequest,
    access: SmartFileAccess,
    index: CodeIndex,
    calls: ModelCalls,
    settings: Settings,
) -> Preview:
    """Return what the pipeline would send for a question; blocking."""
    job = PipelineRun(scoped.request, access, index, calls, RunOptions(settings), StopFlag())
    first = job.first_request()
    facts = calls.model.facts
    if first is None:
        return nothing_sent("pipeline", "Nothing in the code matches: no model is asked.")
    schema = schema_of(ScopeExplorationOutput)
    exact = request_tokens(first) + request_tokens(type(first)((), schema=schema))
    second = prompt_tokens(calls, EXPLORATION_OUTPUT)
    last = prompt_tokens(calls, FINAL_OUTPUT, final=True)
    phases = (
        ("exploration, first round", exact, EXPLORATION_OUTPUT, True),
        ("exploration, second round", second, EXPLORATION_OUTPUT, False),
        ("synthesis", last, FINAL_OUTPUT, False),
    )
    return Preview(
        "pipeline",
        facts.name,
        facts.host,
        _files(job.code),
        tuple(
            PreviewPhase(name, tokens, output, facts.cost(tokens, output), is_exact)
            for name, tokens, output, is_exact in phases
        ),
        scoped.sent,
        scoped.withheld,
        tuple(_notes(calls)),
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
