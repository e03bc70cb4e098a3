"""The nodes of plan mode's outer loop: planner, setup, aggregate, refinery, synthesizer.

A node changes the state and says where it wants to go and why; which ways there are is the graph's
business. What a node cannot do without a model it does in the way that its fallback says.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from analysis.events import PhaseStarted
from analysis.llm.messages import Message, ModelRequest
from analysis.llm.structured import Structured, structured
from analysis.modes.first_look import asked_about
from analysis.modes.plan.evidence import fill, findings_text
from analysis.modes.plan.prompts import PLANNER, REFINERY, Plan, Refinement
from analysis.modes.plan.state import GENERIC_STEP, PlanState, PlanStep
from analysis.modes.prompt_budget import prompt_tokens
from analysis.modes.synthesis import Synthesis, raise_if_ended
from analysis.plain_data import json_data

if TYPE_CHECKING:
    from analysis.models import Candidate
    from analysis.modes.job import Job
    from analysis.settings import PlanSettings
    from analysis.tools.toolbox import Toolbox

_Data = TypeVar("_Data", bound=BaseModel)
PLAN_OUTPUT = 1_500
"""Most tokens of a plan."""
_REFINE_OUTPUT = 500
# What the system's words, the question and the schema take of a request.
_OVERHEAD_TOKENS = 1_500
_CHARS_PER_TOKEN = 3
_MAX_STEPS = 12
_MAX_PLACES = 15
_MAX_STEP_CHARS = 600


@dataclass(frozen=True, slots=True)
class Move:
    """Where a node wants to go, and why."""

    to: str
    reason: str
    is_limit: bool = False
    """Whether a limit decided, so that more could have been found."""


@dataclass(slots=True)
class PlanDeps:
    """What the nodes of a run work with."""

    job: Job
    toolbox: Toolbox
    synthesis: Synthesis
    call_ids: set[str] = field(default_factory=set)
    """Ids of all calls of tools so far."""

    @property
    def settings(self) -> PlanSettings:
        """How far the run goes."""
        return self.job.settings.plan


class NodeContext(Protocol):
    """What the graph hands to a node."""

    @property
    def state(self) -> PlanState:
        """What the run knows; the node changes it."""
        ...

    @property
    def deps(self) -> PlanDeps:
        """What the node works with."""
        ...


async def planner(ctx: NodeContext) -> Move:
    """Make the plan, or make it again: only what is missing, keeping or replacing what is left."""
    state, deps = ctx.state, ctx.deps
    deps.job.emit(PhaseStarted("exploration", f"plan {state.iteration_count + 1}"))
    request = await asyncio.to_thread(plan_request, state, deps)
    found = await _asked(deps, request, Plan, f"plan {state.iteration_count + 1}")
    plan = found.data or _listed(found.reply.text)
    steps = _steps(plan) if plan is not None else []
    left = state.remaining
    if steps or (plan is not None and state.findings):
        state.plan = steps
        reason = f"{_counted(len(state.plan))} planned"
    elif left:
        state.plan, reason = left, f"{_useless('planner', found)}: the steps left are kept"
    else:
        state.plan = [PlanStep(GENERIC_STEP)]
        reason = f"{_useless('planner', found)}: a generic step stands for it"
    state.current_step = 0
    state.iteration_count += 1
    return Move("setup_executor", reason)


def plan_request(state: PlanState, deps: PlanDeps) -> ModelRequest:
    """Return what the planner asks next; blocking."""
    return _request(PLANNER, _plan_prompt(state, deps), PLAN_OUTPUT, deps)


async def aggregate(ctx: NodeContext) -> Move:
    """Keep what the steps have found, in the order of the plan, and clear their conversations."""
    keys = ctx.state.collect()
    return Move("refinery", f"kept {'; '.join(keys)}" if keys else "no step ran")


async def refinery(ctx: NodeContext) -> Move:
    """Decide whether the findings are enough; at the cap without asking."""
    state, deps = ctx.state, ctx.deps
    most = deps.settings.max_iterations
    if not state.plan:
        state.loop_decision = "FINISH"
        return Move("synthesizer", "the planner found nothing missing")
    if state.iteration_count >= most:
        state.loop_decision = "FINISH"
        what = "iteration is" if most == 1 else "iterations are"
        return Move("synthesizer", f"{most} {what} the most", is_limit=True)
    prompt = await asyncio.to_thread(_refine_prompt, state, deps)
    request = _request(REFINERY, prompt, _REFINE_OUTPUT, deps)
    found = await _asked(deps, request, Refinement, f"refinery {state.iteration_count}")
    if found.data is not None:
        state.loop_decision = found.data.decision
        reason = found.data.reason.strip() or "no reason was given"
    else:
        state.loop_decision = "CONTINUE" if state.remaining else "FINISH"
        reason = f"{_useless('refinery', found)}, and {_left(state)}"
    return Move("planner" if state.loop_decision == "CONTINUE" else "synthesizer", reason)


async def synthesizer(ctx: NodeContext) -> Move:
    """Write the document from all findings."""
    state, synthesis = ctx.state, ctx.deps.synthesis
    fill(synthesis.evidence, state)
    await synthesis.write()
    state.response = synthesis.text
    state.chat_history += [Message("user", state.input), Message("assistant", state.response)]
    return Move("__end__", "the answer is written")


async def _asked(
    deps: PlanDeps, request: ModelRequest, model: type[_Data], purpose: str
) -> Structured[_Data]:
    """Ask for data, once."""
    found = await structured(
        deps.job.model,
        request,
        model,
        purpose=purpose,
        files=deps.job.code.sent_files(),
        may_repair=False,
    )
    if found.reply.finish_reason == "cancelled":
        raise_if_ended(found.reply)
    return found


def _request(system: str, prompt: str, max_output: int, deps: PlanDeps) -> ModelRequest:
    words = system.format(rule=deps.synthesis.fences.rule)
    messages = (Message("system", words), Message("user", prompt))
    return ModelRequest(messages, max_output_tokens=max_output)


def _plan_prompt(state: PlanState, deps: PlanDeps) -> str:
    """Return the planner's message: question, history, findings, and steps that did not run."""
    synthesis = deps.synthesis
    parts = [f"Question: {state.input}"]
    parts += asked_about(deps.job, synthesis.fences)
    parts += [
        synthesis.fences.quoted(f"earlier, by the {message.role}", message.content)
        for message in state.chat_history
    ]
    if places := _orientation(synthesis.candidates):
        parts.append(places)
    parts.append(_found(state, deps, PLAN_OUTPUT))
    if state.remaining:
        steps = "\n".join(f"- {step.description}" for step in state.remaining)
        parts.append(f"Steps of the last plan that did not run:\n{steps}")
    return "\n\n".join(parts)


def _orientation(candidates: tuple[Candidate, ...]) -> str:
    """Return ranked places as a hint of where to look; empty if there are none."""
    if not candidates:
        return ""
    places = dict.fromkeys(
        f"- {candidate.path}{f': {candidate.symbol}' if candidate.symbol else ''}"
        for candidate in candidates[:_MAX_PLACES]
    )
    return "Places that words of the question lead to:\n" + "\n".join(places)


def _refine_prompt(state: PlanState, deps: PlanDeps) -> str:
    """Return the refinery's message: question, findings, and how far the plan is done."""
    done = f"Steps of this plan that ran: {state.current_step} of {len(state.plan)}."
    left = "".join(f"\n- {step.description}" for step in state.remaining)
    if left:
        done += f" Not run:{left}"
    return "\n\n".join([f"Question: {state.input}", _found(state, deps, _REFINE_OUTPUT), done])


def _found(state: PlanState, deps: PlanDeps, max_output: int) -> str:
    """Return the findings, as much of each as has room."""
    tokens = prompt_tokens(deps.job.model, max_output) - _OVERHEAD_TOKENS
    return findings_text(state, deps.synthesis.fences, max(tokens, 0) * _CHARS_PER_TOKEN)


def _steps(plan: Plan) -> list[PlanStep]:
    """Return the steps of a plan, each a line of its own, no more than can be of use."""
    found = [
        PlanStep(" ".join(step.description.split())[:_MAX_STEP_CHARS], step.independent)
        for step in plan.steps
    ]
    return [step for step in found if step.description][:_MAX_STEPS]


def _listed(text: str) -> Plan | None:
    """Return the plan that a bare list of steps is; None if there is none."""
    start, end = text.find("["), text.rfind("]")
    try:
        return Plan.model_validate({"steps": json_data(text[start : end + 1])})
    except (ValueError, ValidationError):
        return None


def _useless(node: str, found: Structured[_Data]) -> str:
    """Return why a node has nothing to go by."""
    if found.reply.failure is not None:
        return f"the {node} failed ({found.reply.failure.message.rstrip('.')})"
    return f"the {node} gave no usable answer"


def _left(state: PlanState) -> str:
    n_left = len(state.remaining)
    return f"{_counted(n_left)} left" if n_left else "no steps are left"


def _counted(number: int, what: str = "step") -> str:
    verb = "is" if number == 1 else "are"
    return f"{number} {what}{'' if number == 1 else 's'} {verb}"
