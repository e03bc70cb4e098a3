"""Puts an answer together from the chunks of a stream, whatever a server makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from analysis.llm.messages import (
    ModelReply,
    ModelRequest,
    TextPiece,
    TextTakenBack,
    ToolCall,
    Usage,
    Words,
)
from analysis.llm.thinking import ThinkFilter

# What a sane call never needs; the rest of the junk is dropped, and the call will not be run.
_MAX_ARGUMENTS = 100_000
# No tokenizer makes tokens of more characters, as a mean over an answer.
_MOST_CHARS_PER_TOKEN = 8
_SLACK_CHARS = 2_000


@dataclass(slots=True)
class _CallDraft:
    id: str = ""
    name: str = ""
    arguments: str = ""


class Assembler:
    """Takes chunks in the form of OpenAI's API, as objects, and keeps what arrived."""

    def __init__(self) -> None:
        self._filter = ThinkFilter()
        self._text: list[str] = []
        self._calls: dict[int, _CallDraft] = {}
        self._usage: Usage | None = None
        self._finish_reason = ""
        self._n_reasoning = 0
        self._n_arrived = self._n_foreign = self._n_chunks = 0

    def is_too_long(self, request: ModelRequest) -> bool:
        """Return whether more has arrived than was asked for, by our own count.

        A server may not heed the limit that it was given, and say of its usage what it likes.
        Everything counts: text, reasoning and calls, kept or not.
        """
        n_tokens = self._n_arrived // 3 + 2 * self._n_foreign
        if request.cut_at_tokens is not None and n_tokens > request.cut_at_tokens:
            return True
        most = request.max_output_tokens * _MOST_CHARS_PER_TOKEN + _SLACK_CHARS
        return self._n_arrived + self._n_foreign + self._n_chunks > most

    def _count(self, text: str) -> None:
        n_ascii = len(text.encode("ascii", "ignore"))
        self._n_arrived += n_ascii
        self._n_foreign += len(text) - n_ascii

    @property
    def has_begun(self) -> bool:
        """Whether anything arrived that a second try would repeat."""
        return bool(self._text or self._calls or self._n_reasoning or self._filter.n_thinking)

    def add(self, chunk: Any) -> Iterator[Words]:
        """Take a chunk and yield what it adds to the answer."""
        self._n_chunks += 1
        self._note_usage(getattr(chunk, "usage", None))
        for choice in getattr(chunk, "choices", None) or ():
            self._finish_reason = getattr(choice, "finish_reason", None) or self._finish_reason
            delta = getattr(choice, "delta", None)
            if delta is None:
                continue
            reasoning = _text_of(delta, "reasoning_content")
            self._n_reasoning += len(reasoning)
            self._count(reasoning)
            for call in getattr(delta, "tool_calls", None) or ():
                self._add_call(call)
            yield from self.add_text(_text_of(delta, "content"))

    def add_text(self, text: str) -> Iterator[Words]:
        """Take a piece of text and yield what it adds to the answer."""
        self._count(text)
        yield from self._given(self._filter.feed(text))

    def end(self) -> Iterator[Words]:
        """Yield what had been held back."""
        yield from self._given(self._filter.finish())

    def reply(self) -> ModelReply:
        """Return the answer as far as it came."""
        calls = tuple(
            ToolCall(draft.id or f"call_{idx}", draft.name, draft.arguments)
            for idx, draft in sorted(self._calls.items())
            if draft.name
        )
        return ModelReply(
            text="".join(self._text),
            tool_calls=calls,
            usage=self._usage,
            finish_reason=self._finish_reason or ("tool_calls" if calls else "stop"),
            n_thinking=self._n_reasoning + self._filter.n_thinking,
        )

    def _given(self, text: str) -> Iterator[Words]:
        if self._filter.taken_back:
            self._filter.taken_back = False
            self._text.clear()
            yield TextTakenBack()
        if text:
            self._text.append(text)
            yield TextPiece(text)

    def _note_usage(self, usage: Any) -> None:
        tokens_in = getattr(usage, "prompt_tokens", None)
        tokens_out = getattr(usage, "completion_tokens", None)
        if isinstance(tokens_in, int) and isinstance(tokens_out, int) and tokens_in + tokens_out:
            self._usage = Usage(tokens_in, tokens_out)

    def _add_call(self, call: Any) -> None:
        """Add a piece of a tool call; servers disagree on what each piece repeats."""
        idx = getattr(call, "index", None)
        idx = idx if isinstance(idx, int) else len(self._calls)
        draft = self._calls.setdefault(idx, _CallDraft())
        draft.id = draft.id or str(getattr(call, "id", None) or "")
        function = getattr(call, "function", None)
        name = getattr(function, "name", None) or ""
        if name != draft.name:
            draft.name += name
        arguments = str(getattr(function, "arguments", None) or "")
        self._count(name + arguments)
        if len(draft.arguments) <= _MAX_ARGUMENTS:
            draft.arguments += arguments


def _text_of(delta: Any, name: str) -> str:
    value = getattr(delta, name, None)
    return value if isinstance(value, str) else ""
