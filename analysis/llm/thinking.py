"""Keeps a model's reasoning out of its answer, and as it came for the calls that follow it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.llm.messages import Thinking

_OPEN = ("<think>", "<thinking>", "<reasoning>")
_CLOSE = ("</think>", "</thinking>", "</reasoning>")
_LONGEST = max(len(tag) for tag in _CLOSE)


class ThinkFilter:
    """Splits streamed text into answer and reasoning, also where a tag comes in two pieces.

    Reasoning counts as such only at the start of an answer: further down the tags are text that is
    written about.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._answered = False
        self._closed = False
        self.n_thinking = 0
        self.taken_back = False
        """True once text that was given out has turned out to be reasoning; reset it yourself."""
        self._n_given = 0

    def feed(self, text: str) -> str:
        """Return what of the text so far is answer and was not returned before."""
        self._held += text
        given = ""
        while True:
            before, tag, after = _first_tag(self._held, _CLOSE if self._thinking else self._tags())
            if not tag:
                break
            given = self._passed(given, before, tag)
            self._held = after
        keep = _partial_tag(self._held)
        ready, self._held = (
            self._held[: len(self._held) - keep],
            self._held[len(self._held) - keep :],
        )
        return self._out(given, ready)

    def finish(self) -> str:
        """Return what was held back as the possible start of a tag."""
        rest, self._held = self._held, ""
        return self._out("", rest)

    def _tags(self) -> tuple[str, ...]:
        if self._closed:
            return ()
        return _CLOSE if self._answered else (*_OPEN, *_CLOSE)

    def _passed(self, given: str, before: str, tag: str) -> str:
        """Take note of a tag and return what is answer before it."""
        if tag in _OPEN:
            self._thinking = True
            return given + before
        if not self._thinking and (self._n_given or given.strip()):
            self.taken_back = True
        self.n_thinking += len(before) + (0 if self._thinking else self._n_given + len(given))
        self._thinking, self._closed, self._n_given, self._answered = False, True, 0, False
        return ""

    def _out(self, given: str, ready: str) -> str:
        if self._thinking:
            self.n_thinking += len(ready)
            ready = ""
        text = given + ready
        if not self._answered:
            text = text.lstrip()
            self._answered = bool(text)
        self._n_given += len(text)
        return text


class ThinkingDraft:
    """Puts together what a model thought, with what its provider signed of it."""

    def __init__(self) -> None:
        self.n_chars = 0
        """Characters of it that can be read."""
        self._text: list[str] = []
        self._blocks: dict[int, dict[str, Any]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it has come."""
        return not self._text and not self._blocks

    def add(self, text: str, blocks: Any) -> None:
        """Take a piece of it: the words, and the signed blocks that they belong to."""
        if text:
            self.n_chars += len(text)
            self._text.append(text)
        for number, piece in enumerate(blocks if isinstance(blocks, list | tuple) else ()):
            if isinstance(piece, Mapping):
                self._add_block(number, piece)

    def thinking(self) -> Thinking | None:
        """Return all of it; None if there was none."""
        if self.is_empty:
            return None
        # A block that was cut has no signature yet, and its provider would refuse it.
        whole = (b for b in self._blocks.values() if b.get("signature") or b.get("data"))
        return Thinking("".join(self._text), tuple(whole))

    def _add_block(self, number: int, piece: Mapping[str, Any]) -> None:
        idx = piece.get("index")
        draft = self._blocks.setdefault(idx if isinstance(idx, int) else number, {})
        for name, value in piece.items():
            if name in ("thinking", "signature", "data") and isinstance(value, str):
                draft[name] = draft.get(name, "") + value
            elif name == "type":
                draft[name] = value


def _first_tag(text: str, tags: tuple[str, ...]) -> tuple[str, str, str]:
    """Return the text before the first tag, the tag, and the text after it."""
    found = [(at, tag) for tag in tags if (at := text.find(tag)) >= 0]
    if not found:
        return text, "", ""
    at, tag = min(found)
    return text[:at], tag, text[at + len(tag) :]


def _partial_tag(text: str) -> int:
    """Return how many characters at the end could be the start of a tag."""
    for n in range(min(_LONGEST - 1, len(text)), 0, -1):
        if any(tag.startswith(text[-n:]) for tag in (*_OPEN, *_CLOSE)):
            return n
    return 0
