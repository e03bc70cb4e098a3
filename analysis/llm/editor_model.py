"""The editor's own model as a ``ChatModel``: it gets its words through a channel to the editor.

The channel is whatever the server's side makes of ``scope/complete``; nothing here knows of it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from analysis.errors import (
    Cancelled,
    ContextTooLong,
    EmptyAnswer,
    ModelError,
    ModelNotConfigured,
    ModelRefused,
    ModelUnavailable,
)
from analysis.llm.arguments import prompted_calls, words_before_call
from analysis.llm.assemble import Assembler
from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import (
    Message,
    ModelReply,
    ModelRequest,
    OnPiece,
    ToolCall,
    ToolSpec,
)
from analysis.llm.request_format import (
    says_no_tools,
    schema_instruction,
    tools_instruction,
    with_instruction,
    without_tool_turns,
)
from analysis.llm.timeouts import CallTimeouts, TookTooLong, closing_soon
from analysis.stopping import StopFlag
from analysis.tokens import text_tokens

EditorFault = Literal["no_model", "no_consent", "quota", "blocked", "too_long", "other"]
_NEVER_SENT: frozenset[EditorFault] = frozenset(("no_model", "no_consent"))


class EditorModelError(Exception):
    """What the editor says when its model does not answer."""

    def __init__(self, fault: EditorFault, message: str = "") -> None:
        super().__init__(message or fault)
        self.fault: EditorFault = fault


@dataclass(frozen=True, slots=True)
class EditorTurn:
    """One turn in the two roles that editors know; there is none for the system."""

    role: Literal["user", "assistant"]
    text: str
    calls: tuple[ToolCall, ...] = ()
    """For the assistant: what it called."""
    results: tuple[tuple[str, str], ...] = ()
    """For the user: the id of each call that is answered, and its result; they come before the
    text."""


@dataclass(frozen=True, slots=True)
class EditorCompletion:
    """What the editor's model is asked."""

    turns: tuple[EditorTurn, ...]
    max_output_tokens: int
    tools: tuple[ToolSpec, ...] = ()
    """What it may call through the editor's own interface."""
    model: str = ""
    """Which of the editor's models is asked."""


class EditorChannel(Protocol):
    """The way to the editor's model."""

    @property
    def takes_tools(self) -> bool:
        """Whether tools can be handed over, and calls come back."""
        ...

    def complete(self, completion: EditorCompletion) -> AsyncGenerator[str | ToolCall]:
        """Yield the model's words and calls as they come.

        Closing the generator must cancel the request in the editor.

        Raises:
            EditorModelError: The editor's model does not answer, for this reason.
        """
        ...


class EditorModel:
    """A ``ChatModel`` behind an editor.

    Tools go through the editor's interface where its client has one. Nothing there says whether a
    model calls them: one that refuses them, or answers its first request with them by words alone,
    is asked for calls in words from then on, as every model is for schemas.
    """

    def __init__(
        self,
        channel: EditorChannel,
        name: str,
        *,
        context_tokens: int | None = None,
        piece_timeout_s: float = 60.0,
        timeout_s: float = 600.0,
    ) -> None:
        self._channel = channel
        self._limits_s = (piece_timeout_s, timeout_s)
        # What the editor's vendor charges for it is between the user and the vendor.
        self._facts = ModelFacts(name, "the editor's model", context_tokens)
        self._has_called = False
        self._calls_in_words = not channel.takes_tools

    @property
    def facts(self) -> ModelFacts:
        """What is known of the model beforehand."""
        return self._facts

    def warm_up(self) -> None:
        """Do nothing: there is nothing to load."""

    async def complete(
        self, request: ModelRequest, stop: StopFlag, on_piece: OnPiece
    ) -> ModelReply:
        """Return the answer, after handing on each piece of it as it came."""
        has_tools = bool(request.tools) and request.tool_choice != "none"
        is_native = has_tools and not self._calls_in_words
        reply = await self._answered(request, stop, on_piece, is_native=is_native)
        if not is_native:
            return reply
        if reply.tool_calls and not _written(reply):
            self._has_called = True
        elif not self._has_called and reply.finish_reason != "cancelled":
            complaint = str(reply.failure or "")
            self._calls_in_words = not complaint or says_no_tools(complaint)
            if complaint and self._calls_in_words and not reply.text:
                return await self._answered(request, stop, on_piece, is_native=False)
        return reply

    async def _answered(
        self, request: ModelRequest, stop: StopFlag, on_piece: OnPiece, *, is_native: bool
    ) -> ModelReply:
        """Return the answer to one request, with tools by the editor's interface or in words."""
        arrived, calls = Assembler(), list[ToolCall]()
        failure: ModelError | None = None
        reason, was_read = "stop", True
        completion = replace(completion_of(request, is_native=is_native), model=self._facts.name)
        words = self._channel.complete(completion)
        try:
            async with closing_soon(words):
                reason = await self._listen(words, request, stop, arrived, calls, on_piece)
        except Cancelled:
            reason = "cancelled"
        except TookTooLong as late:
            failure = _late(self._facts.name, late)
        except EditorModelError as error:
            failure = _failure(self._facts.name, error)
            was_read = error.fault not in _NEVER_SENT
        reply = replace(arrived.reply(), finish_reason=reason, was_read=was_read)
        if failure is not None:
            return replace(reply, finish_reason="failed", failure=failure)
        if calls:
            done = "tool_calls" if reason == "stop" else reason
            return replace(reply, tool_calls=tuple(calls), finish_reason=done)
        return _complete(request, reply)

    async def _listen(
        self,
        words: AsyncGenerator[str | ToolCall],
        request: ModelRequest,
        stop: StopFlag,
        arrived: Assembler,
        calls: list[ToolCall],
        on_piece: OnPiece,
    ) -> str:
        """Take all words, as many as are allowed, and return why they ended."""
        timeouts = CallTimeouts(*self._limits_s, stop)
        n_tokens = 0  # Editors take no limit; the channel is closed when it is reached.
        while n_tokens < request.room:
            try:
                word = await timeouts.result_of(anext(words))
            except StopAsyncIteration:
                for piece in arrived.end():
                    await on_piece(piece)
                return "stop"
            if isinstance(word, ToolCall):
                calls.append(word)
                n_tokens += text_tokens(word.name + word.arguments)
                continue
            for piece in arrived.add_text(word):
                await on_piece(piece)
            n_tokens += text_tokens(word)
        return "length"


def completion_of(request: ModelRequest, *, is_native: bool = False) -> EditorCompletion:
    """Return a request in the two roles that editors know.

    Args:
        request: What to say.
        is_native: Whether tools go through the editor's interface; else they are text.
    """
    words = []
    if request.tools and not is_native:
        words.append(tools_instruction(request.tools))
    if request.schema is not None:
        words.append(schema_instruction(request.schema))
    messages = with_instruction(request.messages, "\n\n".join(words))
    turns: list[EditorTurn] = []
    for message in messages if is_native else without_tool_turns(messages):
        turn = _turn(message)
        if turns and turns[-1].role == turn.role:
            turns[-1] = _joined(turns[-1], turn)
        else:
            turns.append(turn)
    tools = request.tools if is_native else ()
    return EditorCompletion(tuple(turns), request.room, tools)


def _turn(message: Message) -> EditorTurn:
    if message.role == "tool":
        return EditorTurn("user", "", results=((message.tool_call_id or "", message.content),))
    return EditorTurn(_role(message), message.content, message.tool_calls)


def _joined(first: EditorTurn, second: EditorTurn) -> EditorTurn:
    """Return two turns of one side as one."""
    text = "\n\n".join(part for part in (first.text, second.text) if part)
    return EditorTurn(first.role, text, first.calls + second.calls, first.results + second.results)


def _written(reply: ModelReply) -> bool:
    """Return whether the calls of a reply were written as text."""
    return any(call.id.startswith("call_text") for call in reply.tool_calls)


def _role(message: Message) -> Literal["user", "assistant"]:
    return "assistant" if message.role == "assistant" else "user"


def _complete(request: ModelRequest, reply: ModelReply) -> ModelReply:
    """Return the reply with the calls that the model wrote as text."""
    calls = prompted_calls(reply, {tool.name for tool in request.tools})
    if calls:
        text = words_before_call(reply.text)
        return replace(reply, text=text, tool_calls=calls, finish_reason="tool_calls")
    if reply.finish_reason in ("stop", "length") and not reply.text.strip():
        error = EmptyAnswer("The editor's model ended without an answer.", "Try again.")
        return replace(reply, failure=error)
    return reply


def _late(name: str, late: TookTooLong) -> ModelUnavailable:
    what = "took too long" if late.overall else "sent nothing"
    return ModelUnavailable(
        f"The editor's model {name!r} {what} for {late.seconds:g} s.", "Try again."
    )


def _failure(name: str, error: EditorModelError) -> ModelError:
    """Return what an editor's refusal means for the user."""
    who = f"The editor's model {name!r}"
    if error.fault == "no_model":
        hint = "Sign in to it in the editor, or choose another model."
        return ModelNotConfigured(f"{who} is not there now.", hint)
    if error.fault == "no_consent":
        return ModelUnavailable(f"{who} may not be used: you did not allow it.", "Ask again.")
    if error.fault == "quota":
        hint = "Wait, or choose another model."
        return ModelUnavailable(f"{who} says that the quota is used up.", hint)
    if error.fault == "blocked":
        return ModelRefused(f"{who} declined to answer: {error}.")
    if error.fault == "too_long":
        return ContextTooLong(f"{who} takes no request this long.", "Set 'model.context_tokens'.")
    return ModelUnavailable(f"{who} could not be used: {error}", "Try again.")
