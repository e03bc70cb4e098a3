"""Shortens a conversation to a limit: what is easiest to read again goes first.

A call of a tool and its result are never torn apart, since providers refuse that: old results
shrink first, then whole old turns go, and what the model no longer sees is named in one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.errors import ContextTooLong
from analysis.llm.messages import Message, ModelRequest
from analysis.llm.tokens import message_tokens, request_tokens

# The last turns are what the model is working on.
RECENT_TURNS = 3
_CUT = "\n[cut here to save space]"
_MAX_ARGUMENTS = 90
_MAX_NAMED = 400


@dataclass(frozen=True, slots=True)
class Shortened:
    """A request that fits."""

    request: ModelRequest
    left_out: frozenset[str] = frozenset()
    """Ids of the calls whose results are no longer shown, or not as they were."""


def fitted(request: ModelRequest, max_tokens: int) -> ModelRequest:
    """Return a request of at most so many tokens; see ``shortened``.

    Raises:
        ContextTooLong: Even shortened it does not fit.
    """
    return shortened(request, max_tokens).request


def shortened(request: ModelRequest, max_tokens: int, target: int | None = None) -> Shortened:
    """Return a request of at most so many tokens, and which results it lacks.

    With a ``target``, which is less, old turns are shortened until it is reached; the last ones
    are cut only for ``max_tokens``.

    Results of tools from before the last turns are replaced by their summaries, those of low
    priority first, then of medium, then of high; then whole turns go, the oldest first; then the
    longest results are cut. The system's message and the question stay whole; a request without
    any turns is cut at the end of what the user says.

    Raises:
        ContextTooLong: Even so it does not fit.
    """
    most = max_tokens if target is None else min(target, max_tokens)
    job = _Shortening(request, most)
    for step in (job.summarize, job.silence, job.drop_turns):
        if job.excess > 0:
            step()
    job.excess -= max_tokens - most
    if job.excess > 0:
        job.cut()
    if job.excess > 0:
        raise ContextTooLong(
            f"The request does not fit into {max_tokens:,} tokens, even shortened.",
            "Raise 'model.request_tokens', or choose a model that takes more.",
        )
    return Shortened(job.request(), frozenset(job.left_out))


class _Shortening:
    """One request while it is made smaller, with how much of it is still too much."""

    def __init__(self, request: ModelRequest, max_tokens: int) -> None:
        self._request = request
        self._head, self._turns = parts_of(request.messages)
        self._calls = {
            call.id: f"{call.name} {_cut_to(call.arguments, _MAX_ARGUMENTS)}"
            for message in request.messages
            for call in message.tool_calls
        }
        self.excess = request_tokens(request) - max_tokens
        self.left_out: set[str] = set()

    def request(self) -> ModelRequest:
        """Return the request as it is by now."""
        rest = [message for turn in self._turns for message in turn]
        return replace(self._request, messages=(*self._head, *rest))

    def summarize(self) -> None:
        """Put summaries, or else a line with the call's name, in the place of old results."""
        for turn, idx in self._dispensable():
            self._put(turn, idx, turn[idx].summary or self._stub(turn[idx]))

    def silence(self) -> None:
        """Put a line with the call's name in the place of summaries."""
        for turn, idx in self._dispensable():
            self._put(turn, idx, self._stub(turn[idx]))

    def drop_turns(self) -> None:
        """Take out the oldest turns, and name their calls where the question is."""
        names: list[str] = []
        asked = self._head[-1] if self._head and self._head[-1].role == "user" else None
        while self.excess > 0 and len(self._turns) > RECENT_TURNS:
            turn = self._turns.pop(0)
            ids = [message.tool_call_id for message in turn if message.tool_call_id]
            names += [self._calls[call_id] for call_id in ids if call_id in self._calls]
            self.left_out.update(ids)
            self.excess -= sum(message_tokens(message) for message in turn)
            if asked is not None and names:
                noted = replace(asked, content=f"{asked.content}\n\n{_named(names)}")
                self.excess += message_tokens(noted) - message_tokens(self._head[-1])
                self._head[-1] = noted

    def cut(self) -> None:
        """Cut the longest texts at their ends: results first, then what was said."""
        places = [(turn, idx) for turn in self._turns for idx in range(len(turn))]
        if not self._turns:
            places = [(self._head, n) for n, m in enumerate(self._head) if m.role != "system"]
        places.sort(key=lambda place: (place[0][place[1]].role != "tool", -_size(place)))
        for turn, idx in places:
            if self.excess <= 0:
                return
            text = turn[idx].content
            # An ASCII character is a third of a token, any other more: this cuts enough of both.
            keep = max(len(text) - 3 * self.excess - len(_CUT) - 3, 0)
            self._put(turn, idx, (text[:keep].rstrip() + _CUT).strip())

    def _dispensable(self) -> Iterator[tuple[list[Message], int]]:
        """Yield results while there is too much: by priority, oldest first, no recent turns."""
        for priority in ("low", "medium", "high"):
            for turn in self._turns[:-RECENT_TURNS]:
                for idx, message in enumerate(turn):
                    if self.excess <= 0:
                        return
                    if message.role == "tool" and message.priority == priority:
                        yield turn, idx

    def _put(self, turn: list[Message], idx: int, content: str) -> None:
        """Give a message another content, if that is shorter."""
        message = turn[idx]
        shorter = replace(message, content=content)
        saved = message_tokens(message) - message_tokens(shorter)
        if saved > 0:
            turn[idx] = shorter
            self.excess -= saved
            if message.tool_call_id:
                self.left_out.add(message.tool_call_id)

    def _stub(self, message: Message) -> str:
        name = self._calls.get(message.tool_call_id or "", "this")
        return f"[left out to save space: {name}; call it again if you need it]"


def parts_of(messages: Sequence[Message]) -> tuple[list[Message], list[list[Message]]]:
    """Return what comes before the first turn, and the turns.

    A turn is what the model said with the results of its calls, and what was said to that.
    """
    n_head = 0
    while n_head < len(messages) and messages[n_head].role == "system":
        n_head += 1
    if n_head < len(messages) and messages[n_head].role == "user":
        n_head += 1
    turns: list[list[Message]] = []
    is_open = False
    for message in messages[n_head:]:
        if is_open and message.role != "assistant":
            turns[-1].append(message)
        else:
            turns.append([message])
            is_open = message.role == "assistant"
    return list(messages[:n_head]), turns


def _named(names: Sequence[str]) -> str:
    """Return one line on what was left out, the latest first."""
    line = ""
    for number, name in enumerate(reversed(names)):
        if line and len(line) + len(name) > _MAX_NAMED:
            line += f"; and {len(names) - number} more"
            break
        line += f"; {name}" if line else name
    return f"[Your earlier calls, left out to save space; repeat one if you need it: {line}]"


def _cut_to(text: str, max_chars: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= max_chars else f"{flat[:max_chars]}…"


def _size(place: tuple[list[Message], int]) -> int:
    return message_tokens(place[0][place[1]])
