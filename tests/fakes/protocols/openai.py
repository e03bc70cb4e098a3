"""OpenAI's chat completions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from tests.fakes.chat_server import ChatServer, Fail, Stream, delta, end
from tests.fakes.protocols.said import Asked, Ids, Said, endless_pieces, pieces

_REASONS = {"end": "stop", "length": "length", "refusal": "content_filter"}


class OpenAIChat:
    """Chunks with deltas; usage in a last chunk without choices."""

    name = "openai"
    model = "openai/test"
    thinking_model = "openai/o3-mini"
    path = "/v1/chat/completions"
    counts_stored = False

    def __init__(self) -> None:
        self._ids = Ids()

    def base(self, server: ChatServer) -> str:
        return server.url

    def says(self, said: Said) -> Stream:
        return Stream(list(_events(self._chunks(said))))

    def _chunks(self, said: Said) -> Iterator[dict[str, Any]]:
        yield delta("", role="assistant")
        yield from (delta(reasoning_content=piece) for piece in pieces(said.thinking))
        yield from (delta(piece) for piece in pieces(said.text))
        for idx, (name, arguments) in enumerate(said.calls):
            function = {"name": name, "arguments": ""}
            opening = {"index": idx, "id": self._ids.new(), "type": "function"}
            yield delta(tool_calls=[opening | {"function": function}])
            for piece in pieces(arguments):
                yield delta(tool_calls=[{"index": idx, "function": {"arguments": piece}}])
        yield end("tool_calls" if said.calls else _REASONS[said.stop])
        counts = {"prompt_tokens": said.tokens_in, "completion_tokens": said.tokens_out}
        details = {"prompt_tokens_details": {"cached_tokens": said.cached}}
        total = {"total_tokens": said.tokens_in + said.tokens_out}
        yield {"choices": [], "usage": counts | details | total}

    def endless(self, kind: Literal["text", "thinking", "arguments"]) -> Stream:
        def chunks() -> Iterator[dict[str, Any]]:
            yield (
                delta(tool_calls=[_call(name="read", id="c1")]) if kind == "arguments" else delta()
            )
            for piece in endless_pieces():
                if kind == "arguments":
                    yield delta(tool_calls=[_call(arguments=piece)])
                else:
                    yield delta(piece) if kind == "text" else delta(reasoning_content=piece)

        return Stream(_events(chunks()))

    def fails(self, status: int, words: str) -> Fail:
        return Fail(status, {"error": {"message": words, "type": "error", "code": None}})

    def fails_late(self, words: str) -> Stream:
        return Stream(list(_events([delta("It is"), {"error": {"message": words}}])))

    def asked(self, body: dict[str, Any]) -> Asked:
        messages = body["messages"]
        texts = [(m["role"], _text(m.get("content"))) for m in messages]
        return Asked(
            body.get("max_tokens") or body["max_completion_tokens"],
            tuple(texts),
            tuple(tool["function"]["name"] for tool in body.get("tools", ())),
            body.get("tool_choice", "auto"),
            (body.get("response_format") or {}).get("json_schema", {}).get("schema"),
            "reasoning_effort" in body,
            results=tuple(m["tool_call_id"] for m in messages if m["role"] == "tool"),
            called=tuple(call["id"] for m in messages for call in m.get("tool_calls") or ()),
        )


def _call(**fields: Any) -> dict[str, Any]:
    call_id = {"id": fields.pop("id"), "type": "function"} if "id" in fields else {}
    return {"index": 0, **call_id, "function": fields}


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def _events(chunks: Any) -> Iterator[str]:
    head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    for chunk in chunks:
        yield f"data: {json.dumps(head | chunk)}\n\n"
    yield "data: [DONE]\n\n"
