"""What is said to a model and what it says: plain data, the same for every provider."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from analysis.errors import ModelError
from analysis.events import Notice

Role = Literal["system", "user", "assistant", "tool"]
Priority = Literal["high", "medium", "low"]
ToolChoice = Literal["auto", "required", "none"]
"""Whether the model may call tools, has to, or must answer in words."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model wants to make."""

    id: str
    name: str
    arguments: str
    """What the model wrote, as it wrote it; see ``arguments.tool_arguments``."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """What a model thought before it called tools, which its provider wants back with the calls."""

    text: str = ""
    """In the form of providers that sign nothing."""
    blocks: tuple[Mapping[str, Any], ...] = ()
    """In the form of those that sign it; only as it came is it of use."""

    @property
    def n_chars(self) -> int:
        """How much of it is sent back (characters)."""
        if not self.blocks:
            return len(self.text)
        return sum(len(value) for block in self.blocks for value in map(str, block.values()))


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """For the assistant: what it called."""
    tool_call_id: str | None = None
    """For a tool's result: the call that it answers."""
    priority: Priority = "high"
    """What is given up first when a conversation has to be shortened: ``low``."""
    summary: str | None = None
    """What stands for the content when it has to be shortened."""
    thinking: Thinking | None = None
    """For the assistant: what it thought before its calls."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON schema of the arguments, an object."""


@dataclass(frozen=True, slots=True)
class ResponseSchema:
    """The JSON that an answer has to be."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call of a model."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    schema: ResponseSchema | None = None
    max_output_tokens: int = 4_000
    """Of the answer that is read."""
    tool_choice: ToolChoice = "auto"
    thinking_tokens: int = 0
    """Room beside it for what a model thinks before it answers."""
    temperature: float | None = None
    """The model's own default if None; some models refuse any other."""

    @property
    def room(self) -> int:
        """All tokens that the model may write, thinking included."""
        return self.max_output_tokens + self.thinking_tokens


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one call."""

    tokens_in: int
    tokens_out: int
    estimated: bool = False
    """True if the provider did not say, as after a cut, and it was counted here."""
    tokens_cached: int = 0
    """How many of those read came out of the provider's cache, which is cheaper."""
    tokens_stored: int = 0
    """How many of those read were put into that cache, which some providers charge for."""

    @property
    def total(self) -> int:
        """All tokens, read and written."""
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a call came to, also where it was cut."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    """None if the provider did not say."""
    finish_reason: str = "stop"
    """``stop``, ``tool_calls``, ``length``, ``content_filter``, ``cancelled`` or ``failed``."""
    failure: ModelError | None = None
    """Why the answer ended early; what had arrived by then is kept."""
    was_read: bool = True
    """False if the request certainly reached no model, so that it costs nothing."""
    thinking: Thinking | None = None
    """What to send back with its calls; None if there is nothing."""
    n_thinking: int = 0
    """Characters of reasoning, which is no part of the answer."""
    n_received: int = 0
    """Our own count of the tokens that arrived, thinking included; 0 if nobody counted."""
    is_endless: bool = False
    """Whether the model wrote on beyond its limit, so that it was ended here."""
    waited_s: float = 0.0
    """How long a full or troubled server was waited for (seconds)."""

    @property
    def is_cut(self) -> bool:
        """Whether the answer, or the thinking before it, was ended by a limit of its length."""
        return self.failure is None and self.finish_reason == "length"


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A further piece of the model's answer."""

    text: str


@dataclass(frozen=True, slots=True)
class TextTakenBack:
    """What was streamed so far turned out to be reasoning; the answer starts after this."""


Words = TextPiece | TextTakenBack
"""What comes of an answer while the model writes it."""
OnWords = Callable[[Words], Coroutine[Any, Any, None]]
"""Takes the answer piece by piece; the model goes on when it has returned."""
OnPiece = Callable[[Words | Notice], Coroutine[Any, Any, None]]
"""As ``OnWords``; it also takes what a watcher must know of the call, such as a second try."""
