"""Puts an answer together from the chunks of a stream, whatever a server makes of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from analysis.llm.call_drafts import CallDrafts
from analysis.llm.messages import ModelReply, TextPiece, TextTakenBack, Usage, Words
from analysis.llm.thinking import ThinkFilter, ThinkingDraft

_CHARS_PER_TOKEN = 3
_TOKENS_PER_OTHER = 2


class Assembler:
    """Takes chunks in the form of OpenAI's API, as objects, and keeps what arrived.

    A whole answer, which some servers send for a stream, is taken as one chunk.
    """

    def __init__(self) -> None:
        self._filter = ThinkFilter()
        self._text: list[str] = []
        self._calls = CallDrafts()
        self._usage: Usage | None = None
        self._finish_reason = ""
        self._thinking = ThinkingDraft()
        self._n_ascii = self._n_other = 0

    @property
    def has_begun(self) -> bool:
        """Whether anything arrived that a second try would repeat."""
        return bool(
            self._text
            or not self._calls.is_empty
            or not self._thinking.is_empty
            or self._filter.n_thinking
        )

    @property
    def has_content(self) -> bool:
        """Whether a model was there at all: words, calls, thinking, or what they took."""
        return self.has_begun or self.n_received > 0 or self._usage is not None

    @property
    def n_received(self) -> int:
        """How many tokens arrived by our own count, thinking and arguments included."""
        return math.ceil(self._n_ascii / _CHARS_PER_TOKEN) + _TOKENS_PER_OTHER * self._n_other

    def add(self, chunk: Any) -> Iterator[Words]:
        """Take a chunk and yield what it adds to the answer."""
        self._note_usage(getattr(chunk, "usage", None))
        for choice in getattr(chunk, "choices", None) or ():
            self._finish_reason = getattr(choice, "finish_reason", None) or self._finish_reason
            delta = getattr(choice, "delta", None) or getattr(choice, "message", None)
            if delta is None:
                continue
            reasoning = _text_of(delta, "reasoning_content")
            self._thinking.add(reasoning, getattr(delta, "thinking_blocks", None))
            self._count(reasoning)
            for call in getattr(delta, "tool_calls", None) or ():
                self._count(self._calls.add(call))
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
        calls = self._calls.calls()
        return ModelReply(
            text="".join(self._text),
            tool_calls=calls,
            usage=self._usage,
            finish_reason=self._finish_reason or ("tool_calls" if calls else "stop"),
            thinking=self._thinking.thinking() if calls else None,
            n_thinking=self._thinking.n_chars + self._filter.n_thinking,
            n_received=self.n_received,
        )

    def _count(self, text: str) -> None:
        n_ascii = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
        self._n_ascii += n_ascii
        self._n_other += len(text) - n_ascii

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
        if isinstance(tokens_in, int) and isinstance(tokens_out, int) and (tokens_in or tokens_out):
            cached = getattr(getattr(usage, "prompt_tokens_details", None), "cached_tokens", None)
            stored = getattr(usage, "cache_creation_input_tokens", None)
            self._usage = Usage(
                tokens_in,
                tokens_out,
                tokens_cached=_count_of(cached),
                tokens_stored=_count_of(stored),
            )


def _count_of(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _text_of(delta: Any, name: str) -> str:
    value = getattr(delta, name, None)
    return value if isinstance(value, str) else ""
