"""What a scripted model says and is asked, whatever the protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from typing import Protocol as TypingProtocol

from tests.fakes.chat_server import ChatServer, Fail, Stream


@dataclass(frozen=True)
class Said:
    """One answer of a model."""

    text: str = ""
    thinking: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    """Name and arguments of each tool call."""
    stop: Literal["end", "length", "refusal"] = "end"
    tokens_in: int = 400
    """All that were read, those out of the cache and those put into it included."""
    tokens_out: int = 40
    cached: int = 0
    stored: int = 0


@dataclass(frozen=True)
class Asked:
    """One request, read from its body."""

    room: int
    """Tokens that the answer may have, thinking included."""
    turns: tuple[tuple[str, str], ...]
    """Role and text of each turn, the system's and the tools' results included."""
    tools: tuple[str, ...] = ()
    tool_choice: str = "auto"
    schema: Mapping[str, Any] | None = None
    thinks: bool = False
    marks: tuple[str, ...] = ()
    """Where it may be kept in a cache: ``tools``, ``system`` or the text of a turn."""
    results: tuple[str, ...] = ()
    """Ids of the calls that are answered, in their order."""
    called: tuple[str, ...] = ()
    """Ids of the calls that were made, in their order."""


class Protocol(TypingProtocol):
    """One way to speak to models."""

    name: str
    model: str
    """A name, as a user writes it, whose requests come in this protocol."""
    thinking_model: str
    """One that thinks, and is known to take an effort and schemas."""
    path: str
    """Where requests arrive."""
    counts_stored: bool
    """Whether usage says what was put into the cache."""

    def base(self, server: ChatServer) -> str:
        """Return the address, as a user writes it."""

    def says(self, said: Said) -> Stream:
        """Return an answer as a stream."""

    def endless(self, kind: Literal["text", "thinking", "arguments"]) -> Stream:
        """Return an answer that does not end."""

    def fails(self, status: int, words: str) -> Fail:
        """Return a refusal in the provider's form."""

    def fails_late(self, words: str) -> Stream:
        """Return an answer that breaks off with an error in the middle."""

    def asked(self, body: dict[str, Any]) -> Asked:
        """Return what a body asks."""


N_ENDLESS = 30_000
"""Pieces: as good as without end, and a test that fails comes to one."""


def pieces(text: str, size: int = 17) -> Iterator[str]:
    """Yield a text in pieces."""
    for at in range(0, len(text), size):
        yield text[at : at + size]


def endless_pieces() -> Iterator[str]:
    """Yield words without end; no two in a row are the same, which libraries would notice."""
    for number in range(N_ENDLESS):
        yield f"word {number} "


@dataclass
class Ids:
    """Ids for calls, as providers make them: a new one each."""

    n: int = 0
    start: str = "call"
    given: list[str] = field(default_factory=list)

    def new(self) -> str:
        """Return the next one."""
        self.n += 1
        self.given.append(f"{self.start}_{self.n}")
        return self.given[-1]
