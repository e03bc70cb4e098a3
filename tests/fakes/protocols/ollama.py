"""Ollama's chat."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from tests.fakes.chat_server import ChatServer, Fail, Stream
from tests.fakes.protocols.said import Asked, Said, endless_pieces, pieces

_KIND = "application/x-ndjson"


class OllamaChat:
    """A JSON object a line; calls come whole and without an id."""

    name = "ollama"
    model = "ollama/qwen3"
    thinking_model = "ollama/qwen3"
    path = "/api/chat"
    counts_stored = False

    def base(self, server: ChatServer) -> str:
        return server.url.removesuffix("/v1")

    def says(self, said: Said) -> Stream:
        return Stream(list(self._lines(said)), _KIND)

    def _lines(self, said: Said) -> Iterator[str]:
        yield from (_line("", thinking=piece) for piece in pieces(said.thinking))
        yield from (_line(piece) for piece in pieces(said.text))
        for name, arguments in said.calls:
            yield _line("", tool_calls=[_call(name, arguments)])
        reason = "length" if said.stop == "length" else "stop"
        counts = {"prompt_eval_count": said.tokens_in, "eval_count": said.tokens_out}
        yield _line("", is_done=True, done_reason=reason, **counts)

    def endless(self, kind: Literal["text", "thinking", "arguments"]) -> Stream:
        def lines() -> Iterator[str]:
            for piece in endless_pieces():
                if kind == "arguments":  # Calls come whole: there is only ever another one.
                    yield _line("", tool_calls=[_call("read", json.dumps({"path": piece}))])
                else:
                    yield _line(piece) if kind == "text" else _line("", thinking=piece)

        return Stream(lines(), _KIND)

    def fails(self, status: int, words: str) -> Fail:
        return Fail(status, {"error": words})

    def fails_late(self, words: str) -> Stream:
        return Stream([_line("It is"), json.dumps({"error": words}) + "\n"], _KIND)

    def asked(self, body: dict[str, Any]) -> Asked:
        schema = body.get("format")
        messages = body["messages"]
        return Asked(
            body["options"]["num_predict"],
            tuple((m["role"], m["content"]) for m in messages),
            tuple(tool["function"]["name"] for tool in body.get("tools", ())),
            schema=schema if isinstance(schema, dict) else None,
            thinks=bool(body.get("think")),
            results=tuple(m.get("tool_call_id", "") for m in messages if m["role"] == "tool"),
            called=tuple(c.get("id", "") for m in messages for c in m.get("tool_calls") or ()),
        )


def _call(name: str, arguments: str) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": json.loads(arguments)}}


def _line(content: str, *, is_done: bool = False, **more: Any) -> str:
    names = ("thinking", "tool_calls")
    said = {name: more.pop(name) for name in names if name in more}
    message = {"role": "assistant", "content": content, **said}
    line = {"model": "m", "created_at": "2025-01-01T00:00:00Z", "message": message}
    return json.dumps(line | {"done": is_done, **more}) + "\n"
