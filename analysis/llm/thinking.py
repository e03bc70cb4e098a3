"""Keeps a model's reasoning out of its answer."""

from __future__ import annotations

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
