"""Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from tests.fakes.chat_server import ChatServer, Fail, Stream
from tests.fakes.protocols.said import Asked, Ids, Said, endless_pieces, pieces

_MOST_MARKS = 4
_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class AnthropicMessages:
    """Content blocks that begin, grow and end; input is counted apart from what was cached."""

    name = "anthropic"
    model = "anthropic/claude-test"
    thinking_model = "anthropic/claude-sonnet-4-5"
    path = "/v1/messages"
    counts_stored = True

    def __init__(self) -> None:
        self._ids = Ids(start="toolu")

    def base(self, server: ChatServer) -> str:
        return server.url.removesuffix("/v1")

    def says(self, said: Said) -> Stream:
        return Stream(list(_events(self._parts(said))))

    def _parts(self, said: Said) -> Iterator[dict[str, Any]]:
        fresh = said.tokens_in - said.cached - said.stored
        read = {
            "input_tokens": fresh,
            "cache_read_input_tokens": said.cached,
            "cache_creation_input_tokens": said.stored,
        }
        message: dict[str, Any] = {
            "id": "m", "type": "message", "role": "assistant", "model": "m", "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": read | {"output_tokens": 1},
        }  # fmt: skip
        yield {"type": "message_start", "message": message}
        for idx, (kind, block, deltas) in enumerate(self._blocks(said)):
            yield {"type": "content_block_start", "index": idx, "content_block": block}
            for piece in deltas:
                change = piece if isinstance(piece, dict) else _delta(kind, piece)
                yield {"type": "content_block_delta", "index": idx, "delta": change}
            yield {"type": "content_block_stop", "index": idx}
        ending = {"end": "end_turn", "length": "max_tokens", "refusal": "refusal"}[said.stop]
        reason = "tool_use" if said.calls else ending
        last = {"stop_reason": reason, "stop_sequence": None}
        counts = {"output_tokens": said.tokens_out}
        yield {"type": "message_delta", "delta": last, "usage": counts}
        yield {"type": "message_stop"}

    def _blocks(self, said: Said) -> Iterator[tuple[str, dict[str, Any], list[Any]]]:
        if said.thinking:
            block: dict[str, Any] = {"type": "thinking", "thinking": "", "signature": ""}
            signed = {"type": "signature_delta", "signature": f"signed:{len(said.thinking)}"}
            yield "thinking", block, [*pieces(said.thinking), signed]
        if said.text:
            yield "text", {"type": "text", "text": ""}, list(pieces(said.text))
        for name, arguments in said.calls:
            block = {"type": "tool_use", "id": self._ids.new(), "name": name, "input": {}}
            yield "tool_use", block, list(pieces(arguments))

    def endless(self, kind: Literal["text", "thinking", "arguments"]) -> Stream:
        blocks = {
            "text": {"type": "text", "text": ""},
            "thinking": {"type": "thinking", "thinking": "", "signature": ""},
            "arguments": {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {}},
        }

        def parts() -> Iterator[dict[str, Any]]:
            yield from list(self._parts(Said()))[:1]
            yield {"type": "content_block_start", "index": 0, "content_block": blocks[kind]}
            for piece in endless_pieces():
                change = _delta(kind, piece)
                yield {"type": "content_block_delta", "index": 0, "delta": change}

        return Stream(_events(parts()))

    def fails(self, status: int, words: str) -> Fail:
        error = {"type": _KINDS.get(status, "api_error"), "message": words}
        return Fail(status, {"type": "error", "error": error})

    def fails_late(self, words: str) -> Stream:
        begun = list(self._parts(Said("It is")))[:-3]
        error = {"type": "error", "error": {"type": "overloaded_error", "message": words}}
        return Stream(list(_events([*begun, error])))

    def asked(self, body: dict[str, Any]) -> Asked:
        _refuse_what_the_provider_would(body)
        system = body.get("system") or []
        blocks = [{"type": "text", "text": system}] if isinstance(system, str) else system
        turns = [("system", block["text"]) for block in blocks]
        marks = ["tools"] if any("cache_control" in tool for tool in body.get("tools", ())) else []
        marks += ["system" for block in blocks if "cache_control" in block]
        results, called = [], []
        for message in body["messages"]:
            for block in _blocks_of(message["content"]):
                text = _text_of(block)
                if block["type"] == "tool_result":
                    results.append(block["tool_use_id"])
                if block["type"] == "tool_use":
                    called.append(block["id"])
                turns.append(("tool" if block["type"] == "tool_result" else message["role"], text))
                if _is_marked(block):
                    marks.append(text)
        return Asked(
            body["max_tokens"],
            tuple(turns),
            tuple(tool["name"] for tool in body.get("tools", ())),
            (body.get("tool_choice") or {"type": "auto"})["type"].replace("any", "required"),
            (body.get("output_format") or {}).get("schema"),
            (body.get("thinking") or {}).get("type") in ("enabled", "adaptive"),
            tuple(marks),
            tuple(results),
            tuple(called),
        )


def _refuse_what_the_provider_would(body: dict[str, Any]) -> None:
    """Fail on a request that the provider answers with status 400."""
    n_marks = json.dumps(body).count('"cache_control"')
    assert n_marks <= _MOST_MARKS, f"{n_marks} blocks with cache_control"
    thinking = body.get("thinking") or {}
    if thinking.get("type") == "enabled":
        assert thinking["budget_tokens"] < body["max_tokens"], "max_tokens is for thinking as well"
        assert (body.get("tool_choice") or {"type": "auto"})["type"] in ("auto", "none")
    roles = [message["role"] for message in body["messages"]]
    assert roles[0] == "user"
    for message in body["messages"]:
        for block in _blocks_of(message["content"]):
            assert block["type"] != "text" or block["text"].strip(), "text must be non-empty"
    last = [m for m in body["messages"] if m["role"] == "assistant"][-1:]
    for message in last:
        kinds = [block["type"] for block in _blocks_of(message["content"])]
        if thinking.get("type") == "enabled" and "tool_use" in kinds:
            assert kinds[0] in ("thinking", "redacted_thinking"), f"expected thinking, not {kinds}"
            assert _blocks_of(message["content"])[0].get("signature")
    has_calls = '"tool_use"' in json.dumps(body["messages"])
    assert not has_calls or body.get("tools"), "requests with tool_use must define tools"


def _blocks_of(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _text_of(block: dict[str, Any]) -> str:
    if block["type"] == "tool_result":
        return "".join(part["text"] for part in _blocks_of(block["content"]))
    return str(block.get("text") or block.get("thinking") or block.get("name") or "")


def _is_marked(block: dict[str, Any]) -> bool:
    inner = block.get("content")
    parts = inner if isinstance(inner, list) else []
    return "cache_control" in block or any("cache_control" in part for part in parts)


def _delta(kind: str, piece: str) -> dict[str, Any]:
    if kind in ("tool_use", "arguments"):
        return {"type": "input_json_delta", "partial_json": piece}
    return {"type": f"{kind}_delta", kind: piece}


def _events(parts: Any) -> Iterator[str]:
    for part in parts:
        yield f"event: {part['type']}\ndata: {json.dumps(part)}\n\n"
