"""The nodes of plan mode's inner loop: steps as delegates that reason and act.

Each running step is a delegate: it sees its instruction, the question and the findings that were
there when it began, and its own conversation; nothing else is let in, so nothing has to be taken
out. Independent steps are instances of the same call, a few at a time.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from pydantic import TypeAdapter

from analysis.calls import Call, ContextMessage, Delegate, Executor, SubRequest
from analysis.errors import Cancelled, NotApproved
from analysis.events import ToolCalled, ToolReturned
from analysis.llm.arguments import json_object_in, prompted_calls
from analysis.llm.budget import BudgetExceededError
from analysis.llm.messages import Message, ModelReply, ModelRequest, ToolCall
from analysis.llm.window import own_ids
from analysis.modes.plan.evidence import cut
from analysis.modes.plan.nodes import Move, NodeContext, PlanDeps
from analysis.modes.plan.prompts import EXECUTOR, LAST_TURN
from analysis.modes.plan.state import PlanState, SeenLines, StepConversation
from analysis.modes.synthesis import raise_if_ended

_OWN = "step"
"""The instruction of a step, and its conversation: its own, whatever else may be seen."""
_SCOPES = (_OWN, "input", "findings")
"""What a step may see of the run."""
STEP_OUTPUT = 2_000
"""Most tokens that a step writes at a time."""
_DELEGATE = "researcher"
_TOOL = "carry_out_step"
# Findings of earlier steps are a help, the step's own work needs the room.
_FINDING_CHARS = 3_000
_MAX_SUMMARY = 200

_TURN = TypeAdapter(Message)


async def setup_executor(ctx: NodeContext) -> Move:
    """Begin the next step, or the independent ones that follow, each with an empty conversation."""
    state = ctx.state
    state.messages = {str(index): StepConversation() for index in state.batch()}
    state.executor_call_count = 0
    if not state.messages:
        return Move("executor_llm", "no more steps to execute")
    steps = "; ".join(state.plan[int(index)].description for index in state.messages)
    return Move("executor_llm", f"begins: {steps}")


async def executor_llm(ctx: NodeContext) -> Move:
    """Let each running step think once more, and say whether tools have to run."""
    state, deps = ctx.state, ctx.deps
    running = [index for index, buffer in state.messages.items() if not buffer.is_answered]
    if not running:
        return Move("aggregate", "nothing is left to do")
    state.executor_call_count += 1
    replies = await _replies(state, deps, running)
    for index, reply in replies.items():
        state.messages[index].messages.append(_turn(reply, state, deps))
    return route_executor(state, deps.settings.max_executor_steps)


def _turn(reply: ModelReply, state: PlanState, deps: PlanDeps) -> Message:
    """Return a reply as a turn, also of a model that writes its calls as text."""
    # A run that was taken up again has calls of its own already.
    for buffer in state.messages.values():
        deps.call_ids.update(c.id for message in buffer.messages for c in message.tool_calls)
    names = {spec.name for spec in deps.toolbox.specs}
    calls = reply.tool_calls or prompted_calls(reply, names)
    thinking = reply.thinking if calls else None
    return Message("assistant", reply.text, own_ids(calls, deps.call_ids), thinking=thinking)


def route_executor(state: PlanState, max_calls: int) -> Move:
    """Return the way after the model: to the tools that it wants, or on."""
    n_calls = sum(
        len(buffer.last.tool_calls)
        for buffer in state.messages.values()
        if buffer.last is not None and buffer.wants_tools
    )
    if not n_calls:
        done = "the step is" if len(state.messages) == 1 else f"{len(state.messages)} steps are"
        return Move("aggregate", f"{done} answered")
    if state.executor_call_count >= max_calls:
        return Move("aggregate", f"{max_calls} calls a step are the most")
    return Move("tool_node", f"{n_calls} tool call{'s' if n_calls > 1 else ''}")


async def tool_node(ctx: NodeContext) -> Move:
    """Run the tools that the steps asked for; a failure is a result that the model reads."""
    n_calls = 0
    for buffer in ctx.state.messages.values():
        if buffer.wants_tools and buffer.last is not None:
            for call in buffer.last.tool_calls:
                n_calls += 1
                await _run_tool(call, buffer, ctx.deps)
    return Move("executor_llm", f"{n_calls} result{'' if n_calls == 1 else 's'}")


async def _run_tool(call: ToolCall, buffer: StepConversation, deps: PlanDeps) -> None:
    """Run one call and add its result to the conversation."""
    deps.job.emit(ToolCalled(call.id, call.name, json_object_in(call.arguments) or {}))
    started = time.perf_counter()
    result = await deps.toolbox.run(call)
    elapsed = round(time.perf_counter() - started, 3)
    summary = result.summary or cut(result.text.partition("\n")[0], _MAX_SUMMARY)
    deps.job.emit(ToolReturned(call.id, call.name, len(result.text), elapsed, result.ok, summary))
    buffer.messages.append(
        Message(
            "tool",
            result.text,
            tool_call_id=call.id,
            priority=result.priority,
            summary=result.summary,
        )
    )
    buffer.shown += [
        SeenLines(place.path, place.line_start, place.line_end, place.symbol)
        for place in result.shown
    ]


async def _replies(
    state: PlanState, deps: PlanDeps, running: Sequence[str]
) -> dict[str, ModelReply]:
    """Return the model's reply to each running step; one that fails does not sink the others.

    Raises:
        BudgetExceededError, Cancelled, NotApproved: They end the run.
        ModelError: No step got a reply.
    """

    async def carry_out(request: SubRequest) -> ModelReply:
        return await _thought(request, deps, is_last=_is_last(state, deps))

    own = (ContextMessage("system", EXECUTOR.format(rule=deps.synthesis.fences.rule)),)
    executor = Executor(
        delegates=[Delegate(_DELEGATE, carry_out, own)],
        allowed=None if deps.job.request.scopes is None else (*deps.job.request.scopes, _OWN),
        concurrency=deps.settings.parallel_steps,
        ending=(Cancelled, BudgetExceededError, NotApproved),
    )
    calls = [Call(_TOOL, scopes=_SCOPES, delegate=_DELEGATE, instance=index) for index in running]
    results = await executor.run(calls, context_of_run(state))
    failures = [result for result in results if not result.is_ok]
    if len(failures) == len(results) and failures[0].error is not None:
        raise failures[0].error
    return {
        index: result.value if result.is_ok else ModelReply(f"The step failed: {result.problem}")
        for index, result in zip(running, results, strict=True)
    }


def context_of_run(state: PlanState) -> list[ContextMessage]:
    """Return all that a run knows as a context, from which calls get what is scoped to them."""
    context = [ContextMessage("input", state.input)]
    context += [
        ContextMessage("history", {"role": turn.role, "text": turn.content})
        for turn in state.chat_history
    ]
    for key, finding in state.findings.items():
        text = cut(finding.summary or finding.text, _FINDING_CHARS)
        context.append(ContextMessage("findings", {"step": key, "text": text}))
    for index, buffer in state.messages.items():
        step = state.plan[int(index)].description
        context.append(ContextMessage(_OWN, {"step": step}, index))
        for turn in buffer.messages:
            data = {"turn": _TURN.dump_python(turn, mode="json")}
            context.append(ContextMessage(_OWN, data, index))
    return context


def messages_of(request: SubRequest, deps: PlanDeps) -> tuple[Message, ...]:
    """Return a delegate's context as the conversation that a model gets."""
    fences = deps.synthesis.fences
    system: list[str] = []
    first: list[str] = []
    turns: list[Message] = []
    for message in request.context:
        data = message.plain()
        if message.type == "system":
            system.append(data["message"])
        elif message.type == "input":
            first.append(f"The question behind it: {data['message']}")
        elif message.type == "findings":
            first.append(fences.quoted(f"found before, {data['step']}", data["text"]))
        elif "step" in data:
            first.append(f"Your step: {data['step']}")
        else:
            turns.append(_TURN.validate_python(data["turn"]))
    head = (Message("system", "\n\n".join(system)), Message("user", "\n\n".join(first)))
    return (*head, *turns)


async def _thought(request: SubRequest, deps: PlanDeps, *, is_last: bool) -> ModelReply:
    """Make one call of the model for a step."""
    messages = messages_of(request, deps)
    if is_last:
        messages = (*messages, Message("user", LAST_TURN))
    asked = ModelRequest(
        messages,
        deps.toolbox.specs,
        max_output_tokens=STEP_OUTPUT,
        tool_choice="none" if is_last else "auto",
    )
    files = deps.job.code.sent_files()
    reply = await deps.job.model.complete(asked, purpose="step of the plan", files=files)
    raise_if_ended(reply)
    return reply


def _is_last(state: PlanState, deps: PlanDeps) -> bool:
    """Return whether the step gets no further call, and has seen tools before."""
    n_calls = state.executor_call_count
    return n_calls >= deps.settings.max_executor_steps and n_calls > 1
