"""The conversation of a loop with tools, kept small and always valid for every provider."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.llm.messages import Message, ModelRequest, Priority, Thinking, ToolCall, ToolSpec
from analysis.llm.tokens import request_tokens
from analysis.llm.truncation import parts_of, shortened

# A provider refuses a turn of the model without any words or calls.
_SILENCE = "(no words)"
_NO_RESULT = "(no result)"
_NO_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_MAX_NAME = 64
# What is left of a conversation that was shortened, as a share of the limit: more would have to be
# shortened again soon, and each time a cache has to read all of it anew.
_TARGET = 0.6


@dataclass(frozen=True, slots=True)
class Result:
    """What a call came to, as the model reads it."""

    text: str
    priority: Priority = "high"
    summary: str | None = None
    """What stands for the text later, when it has to be shortened."""


class Window:
    """What the model sees of a search: system, question, and the turns so far, within a limit.

    What was sent once is sent again as it was, so that a provider's cache can serve it. Only when
    the limit is reached the conversation is shortened, in one step and by much: full reads of more
    than ``full_turns`` turns ago become their summaries, then older results go, as ``truncation``
    says.
    """

    def __init__(self, system: str, question: str, *, full_turns: int = 3) -> None:
        self._head = (Message("system", system), Message("user", question))
        self._turns: list[list[Message]] = []
        self._n_turns = 0
        self._full_turns = full_turns
        self._ids: set[str] = set()
        self._left_out: frozenset[str] = frozenset()

    @property
    def n_turns(self) -> int:
        """How often the model has spoken."""
        return self._n_turns

    @property
    def n_left_out(self) -> int:
        """How many results are not shown any more, or not as they were."""
        return len(self._left_out)

    def ends_without_call(self) -> bool:
        """Return whether the model called nothing in its last turn."""
        return bool(self._turns) and not self._turns[-1][0].tool_calls

    def with_own_ids(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        """Return calls with ids that are new to this conversation, which not all servers give."""
        return own_ids(calls, self._ids)

    def add_turn(
        self,
        text: str,
        calls: Sequence[ToolCall] = (),
        results: Sequence[Result] = (),
        thinking: Thinking | None = None,
    ) -> None:
        """Take note of what the model said, what it called, and what each call came to.

        Args:
            text: Its words.
            calls: From ``with_own_ids``.
            results: One for each call, in the same order.
            thinking: What it thought before the calls.
        """
        words = text.strip() or ("" if calls else _SILENCE)
        clean = tuple(_sendable(call) for call in calls)
        turn = [Message("assistant", words, clean, thinking=thinking if clean else None)]
        for call, result in zip(calls, results, strict=True):
            turn.append(
                Message(
                    "tool",
                    result.text.strip() or _NO_RESULT,
                    tool_call_id=call.id,
                    priority=result.priority,
                    summary=(result.summary or "").strip() or None,
                )
            )
        self._turns.append(turn)
        self._n_turns += 1

    def say(self, text: str) -> None:
        """Say something to the model after its last turn."""
        last = self._turns[-1]
        if last[-1].role == "user":
            last[-1] = replace(last[-1], content=f"{last[-1].content}\n\n{text}")
        else:
            last.append(Message("user", text))

    def shows(self, call_id: str) -> bool:
        """Return whether the model still sees the result of a call as it was."""
        if call_id in self._left_out:
            return False
        return any(m.tool_call_id == call_id for turn in self._turns for m in turn)

    def request(
        self, tools: tuple[ToolSpec, ...], *, max_output_tokens: int, max_tokens: int
    ) -> ModelRequest:
        """Return the next request.

        Args:
            tools: What the model may call.
            max_output_tokens: The most that it may write.
            max_tokens: The most that may be sent, tools included.

        Raises:
            ContextTooLong: It does not fit, even shortened.
        """
        whole = self._request(self._turns, tools, max_output_tokens)
        if request_tokens(whole) <= max_tokens:
            return whole
        aged = self._aged()
        changed = {
            now.tool_call_id
            for now, then in zip(_all(aged), _all(self._turns), strict=True)
            if now.tool_call_id and now.content != then.content
        }
        fit = shortened(
            self._request(aged, tools, max_output_tokens), max_tokens, int(max_tokens * _TARGET)
        )
        head, self._turns = parts_of(fit.request.messages)
        self._head = (head[0], head[1])
        self._left_out |= fit.left_out | changed
        return fit.request

    def _request(
        self, turns: Sequence[list[Message]], tools: tuple[ToolSpec, ...], max_output_tokens: int
    ) -> ModelRequest:
        messages = (*self._head, *_all(turns))
        return ModelRequest(messages, tools, max_output_tokens=max_output_tokens)

    def _aged(self) -> list[list[Message]]:
        """Return the turns with full reads of some turns ago replaced by their summaries."""
        n_old = max(len(self._turns) - self._full_turns, 0)
        old = [[_summarized(message) for message in turn] for turn in self._turns[:n_old]]
        return [*old, *self._turns[n_old:]]


def _all(turns: Sequence[list[Message]]) -> list[Message]:
    return [message for turn in turns for message in turn]


def _summarized(message: Message) -> Message:
    """Return a full read as its summary, where that is shorter; any other message as it is."""
    is_read = message.role == "tool" and message.priority == "low"
    if is_read and message.summary and len(message.summary) < len(message.content):
        return replace(message, content=message.summary)
    return message


def _sendable(call: ToolCall) -> ToolCall:
    """Return a call as every provider takes it back, whatever the model made of it."""
    name = _NO_NAME.sub("_", call.name)[:_MAX_NAME] or "unknown"
    try:
        is_object = isinstance(json.loads(call.arguments), dict)
    except (ValueError, RecursionError):
        is_object = False
    return replace(call, name=name, arguments=call.arguments if is_object else "{}")


def own_ids(calls: Sequence[ToolCall], taken: set[str]) -> tuple[ToolCall, ...]:
    """Return calls with ids that are not taken yet, which not all servers give; they are then."""
    unique = []
    for call in calls:
        number = len(taken) + 1
        new_id = call.id if call.id and call.id not in taken else f"call_{number}"
        while new_id in taken:
            number += 1
            new_id = f"call_{number}"
        taken.add(new_id)
        unique.append(replace(call, id=new_id))
    return tuple(unique)
