"""A model in this process that says what a script tells it, for what needs no server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from analysis.cli.trace import read_trace
from analysis.errors import ModelUnavailable
from analysis.events import ModelReplied
from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import (
    ModelReply,
    ModelRequest,
    OnPiece,
    TextPiece,
    ToolCall,
    Usage,
)
from analysis.stopping import StopFlag

Answer = ModelReply | Callable[[ModelRequest], ModelReply]


class ScriptedModel:
    """Gives one answer a request; the last one again and again."""

    def __init__(self, *answers: Answer, facts: ModelFacts | None = None) -> None:
        self.answers = list(answers)
        self.requests: list[ModelRequest] = []
        self.facts = facts or ModelFacts("test/scripted", "nowhere", None, 1e-6, 2e-6)

    @classmethod
    def from_trace(cls, path: Path) -> ScriptedModel:
        """Return a model that says what the one of a traced run said."""
        events = [item.event for item in read_trace(path).events]
        return cls(*(replay(event) for event in events if isinstance(event, ModelReplied)))

    def warm_up(self) -> None:
        pass

    async def complete(
        self, request: ModelRequest, stop: StopFlag, on_piece: OnPiece
    ) -> ModelReply:
        answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
        self.requests.append(request)
        reply = answer(request) if callable(answer) else answer
        for at in range(0, len(reply.text), 40):
            await on_piece(TextPiece(reply.text[at : at + 40]))
        return reply


def replay(event: ModelReplied) -> ModelReply:
    """Return what a model said in one call of a traced run."""
    calls = tuple(
        ToolCall(call["id"], call["name"], call["arguments"]) for call in event.tool_calls
    )
    usage = Usage(event.tokens_in, event.tokens_out) if event.tokens_in else None
    failure = ModelUnavailable(event.failure) if event.failure else None
    return ModelReply(event.text, calls, usage, event.finish_reason, failure)
