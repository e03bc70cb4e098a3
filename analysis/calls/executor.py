"""Carries out the calls of a solution: settle, filter, approve, execute.

What a call may see is decided here and nowhere else. Explicit and delegated calls, and calls of an
instance, cannot reach anything else: they get copies of what is in scope.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from analysis.calls.approval import Approval, ApprovalRequest
from analysis.calls.call import Call, InvalidCall, calls_of
from analysis.calls.call_tool import CallTool, Refused
from analysis.calls.callees import (
    Activities,
    Activity,
    Delegate,
    LatentModel,
    LatentRequest,
    SubRequest,
    result_of,
)
from analysis.calls.messages import Context, ContextMessage, ScopedContext, context_of
from analysis.calls.plain_data import thawed
from analysis.calls.results import CallResult
from analysis.calls.scope_filter import delegated_context, in_scope
from analysis.errors import Cancelled

_CHARS_PER_TOKEN = 4
DEFAULT_CONCURRENCY = 4


@dataclass(frozen=True, slots=True)
class _Step:
    """A call with who does it and what he may see."""

    call: Call
    callee: Activity | Delegate | LatentModel
    seen: Context
    """What is in scope."""
    background: Context = ()
    """For a model: what it sees out of focus."""


class Executor:
    """Carries out calls for one set of tools, activities and delegates."""

    def __init__(
        self,
        *,
        tools: Iterable[CallTool] | None = None,
        activities: Activities | None = None,
        delegates: Iterable[Delegate] = (),
        model: LatentModel | None = None,
        approval: Approval | None = None,
        allowed: Collection[str] | None = None,
        concurrency: int = DEFAULT_CONCURRENCY,
        ending: tuple[type[Exception], ...] = (Cancelled,),
    ) -> None:
        """Make an executor.

        Args:
            tools: The tools that calls may name, with their schemas; any, unchecked, if None.
            activities: Functions that do calls.
            delegates: Who can be called in isolation.
            model: Who does the calls that nobody else does.
            approval: Who has to agree; nobody if None.
            allowed: The scopes that may be used at all; all if None.
            concurrency: How many calls run at once.
            ending: Errors that end all calls and are raised, instead of being one call's result.
        """
        self._tools = None if tools is None else {tool.name: tool for tool in tools}
        self._activities = activities or Activities()
        self._delegates = {delegate.name: delegate for delegate in delegates}
        self._model = model
        self._approval = approval
        self._allowed = None if allowed is None else frozenset(allowed)
        self._concurrency = concurrency
        self._ending = ending

    async def run(
        self,
        solution: Mapping[str, Any] | Iterable[Call],
        context: Iterable[Mapping[str, Any] | ContextMessage],
    ) -> tuple[CallResult, ...]:
        """Carry out all calls at once, and return their results in the order of the calls.

        Args:
            solution: ``{"calls": [...]}`` as a model writes it, or calls.
            context: The messages that there are.
        """
        calls = solution if isinstance(solution, Mapping) else {"calls": list(solution)}
        messages = context_of(context)
        turns = asyncio.Semaphore(self._concurrency)
        tasks = [
            asyncio.create_task(self._in_turn(turns, call, messages)) for call in calls_of(calls)
        ]
        try:
            return tuple(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _in_turn(
        self, turns: asyncio.Semaphore, call: Call | InvalidCall, context: Context
    ) -> CallResult:
        if isinstance(call, InvalidCall):
            return CallResult(None, "refused", problem=str(call))
        async with turns:
            return await self._result(call, context)

    async def _result(self, call: Call, context: Context) -> CallResult:
        try:
            step = self._step(call, context)
        except Refused as refusal:
            return CallResult(call, "refused", problem=str(refusal))
        try:
            if self._approval is not None:
                denial = await self._approval.denial(_asked(step))
                if denial is not None:
                    return CallResult(step.call, "denied", problem=denial)
            return CallResult(step.call, "ok", await _executed(step))
        except self._ending:
            raise
        except Exception as error:
            problem = f"The call of {call.tool!r} failed: {str(error) or type(error).__name__}"
            return CallResult(step.call, "failed", problem=problem, error=error)

    def _step(self, call: Call, context: Context) -> _Step:
        """Return what is to be done.

        Raises:
            Refused: Nobody can do it, or it may not see what it needs.
        """
        call = self._settled(call)
        self._check_allowed(call)
        _check_instance(call, context)
        callee = self._callee(call)
        if not isinstance(callee, LatentModel):
            return _Step(call, callee, in_scope(context, call.scopes or (), call.instance))
        seen = in_scope(context, self._focus(call), call.instance)
        reachable = in_scope(context, self._allowed, call.instance)
        return _Step(call, callee, seen, tuple(m for m in reachable if m not in seen))

    def _settled(self, call: Call) -> Call:
        """Return the call after its tool had its say."""
        if self._tools is None:
            return call
        tool = self._tools.get(call.tool)
        if tool is None:
            raise Refused(f"There is no tool {call.tool!r}.{_near(call.tool, self._tools)}")
        return tool.settled(call)

    def _check_allowed(self, call: Call) -> None:
        if self._allowed is None:
            return
        for scope in call.scopes or ():
            if scope not in self._allowed:
                raise Refused(
                    f"{call.tool!r} needs the scope {scope!r}, which the user does not allow in "
                    "this run. Go on without it."
                )

    def _focus(self, call: Call) -> Collection[str] | None:
        """Return the types that a model is to attend to: all, if the call does not say."""
        if call.scopes is not None:
            return call.scopes
        tool = (self._tools or {}).get(call.tool)
        choices = tool.choices if tool else None
        if choices is None:
            return self._allowed
        return frozenset(choices) if self._allowed is None else self._allowed & set(choices)

    def _callee(self, call: Call) -> Activity | Delegate | LatentModel:
        if call.activity is not None and call.delegate is not None:
            raise Refused(f"The call of {call.tool!r} names an activity and a delegate: name one.")
        if call.delegate is not None:
            delegate = self._delegates.get(call.delegate)
            if delegate is None:
                near = _near(call.delegate, self._delegates)
                raise Refused(f"There is no delegate {call.delegate!r}.{near}")
            return delegate
        activity = self._activities.find(call.activity or call.tool)
        if activity is not None:
            return activity
        if call.activity is not None:
            near = _near(call.activity, self._activities.names)
            raise Refused(f"There is no activity {call.activity!r}.{near}")
        if self._model is None:
            raise Refused(f"Nobody does {call.tool!r}: it has no activity, delegate or model.")
        return self._model


async def _executed(step: _Step) -> Any:
    """Return what the callee returns; he gets copies of what he may see."""
    call, callee = step.call, step.callee
    if isinstance(callee, Activity):
        return await result_of(callee.function, thawed(call.params), ScopedContext(step.seen))
    if isinstance(callee, Delegate):
        messages = delegated_context(callee.context, step.seen, call.scopes, call.instance)
        return await result_of(callee.run, SubRequest(call.tool, thawed(call.params), messages))
    return await result_of(callee.run, LatentRequest(call, step.seen, step.background))


def _check_instance(call: Call, context: Context) -> None:
    known = {message.instance for message in context if message.instance is not None}
    if call.instance is not None and known and call.instance not in known:
        raise Refused(f"There is no instance {call.instance!r}.{_near(call.instance, known)}")


def _asked(step: _Step) -> ApprovalRequest:
    """Return what somebody would have to agree to."""
    callee = step.callee
    model = callee.name if isinstance(callee, LatentModel) else getattr(callee, "model", "")
    messages = (*step.seen, *step.background)
    size = sum(len(json.dumps(message.plain(), ensure_ascii=False)) for message in messages)
    return ApprovalRequest(
        step.call.tool,
        tuple(dict.fromkeys(message.type for message in messages)),
        -(-size // _CHARS_PER_TOKEN),
        files_named_in(messages),
        callee.host,
        model,
    )


def files_named_in(messages: Iterable[ContextMessage]) -> tuple[str, ...]:
    """Return the files that messages name as their ``path`` or ``files``, each once."""
    names: list[str] = []
    for message in messages:
        listed = message.content.get("files", ())
        found = (message.content.get("path"), *(listed if isinstance(listed, tuple) else ()))
        names += [name for name in found if isinstance(name, str)]
    return tuple(dict.fromkeys(names))


def _near(name: str, known: Collection[str]) -> str:
    close = get_close_matches(name, list(known), 1)
    if close:
        return f" Did you mean {close[0]!r}?"
    return f" There are: {', '.join(sorted(known))}." if known else ""
