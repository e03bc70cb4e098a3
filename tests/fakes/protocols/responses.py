"""OpenAI's responses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from tests.fakes.chat_server import ChatServer, Fail, Stream
from tests.fakes.protocols.said import Asked, Ids, Said, endless_pieces, pieces


class OpenAIResponses:
    """Output items that are added, grow and are done; the whole response comes at the end."""

    name = "responses"
    model = "openai/responses/gpt-4.1"
    thinking_model = "openai/responses/gpt-5"
    path = "/v1/responses"
    counts_stored = False

    def __init__(self) -> None:
        self._ids = Ids()

    def base(self, server: ChatServer) -> str:
        return server.url

    def says(self, said: Said) -> Stream:
        return Stream(list(_events(self._parts(said))))

    def _parts(self, said: Said) -> Iterator[dict[str, Any]]:
        yield {"type": "response.created", "response": _response("in_progress", [])}
        output: list[dict[str, Any]] = []
        for parts, item in self._items(said):
            yield from ({**part, "output_index": len(output)} for part in parts)
            output.append(item)
        is_whole = said.stop == "end"
        status = "completed" if is_whole else "incomplete"
        reason = {"length": "max_output_tokens", "refusal": "content_filter"}.get(said.stop)
        usage = {
            "input_tokens": said.tokens_in,
            "input_tokens_details": {"cached_tokens": said.cached},
            "output_tokens": said.tokens_out,
            "output_tokens_details": {"reasoning_tokens": len(said.thinking) // 4},
            "total_tokens": said.tokens_in + said.tokens_out,
        }
        more = {"usage": usage, "incomplete_details": {"reason": reason} if reason else None}
        yield {"type": f"response.{status}", "response": _response(status, output, **more)}

    def _items(self, said: Said) -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
        if said.thinking:
            summary = [{"type": "summary_text", "text": said.thinking}]
            item = {"id": "rs_1", "type": "reasoning", "summary": summary}
            yield (
                list(_grown(item | {"summary": []}, item, "reasoning_summary_text", said.thinking)),
                item,
            )
        if said.text:
            content = [{"type": "output_text", "text": said.text, "annotations": []}]
            item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed"}
            full = item | {"content": content}
            yield list(_grown(item | {"content": []}, full, "output_text", said.text)), full
        for name, arguments in said.calls:
            call_id = self._ids.new()
            item = {"id": f"fc_{call_id}", "type": "function_call", "call_id": call_id}
            full = item | {"name": name, "arguments": arguments, "status": "completed"}
            begun = full | {"arguments": "", "status": "in_progress"}
            yield list(_grown(begun, full, "function_call_arguments", arguments)), full

    def endless(self, kind: Literal["text", "thinking", "arguments"]) -> Stream:
        items: dict[str, tuple[str, dict[str, Any]]] = {
            "text": ("output_text", {"type": "message", "role": "assistant", "content": []}),
            "thinking": ("reasoning_summary_text", {"type": "reasoning", "summary": []}),
            "arguments": (
                "function_call_arguments",
                {"type": "function_call", "call_id": "c1", "name": "read", "arguments": ""},
            ),
        }
        event, item = items[kind]

        def parts() -> Iterator[dict[str, Any]]:
            yield {"type": "response.created", "response": _response("in_progress", [])}
            yield {
                "type": "response.output_item.added", "output_index": 0,
                "item": item | {"id": "i_1", "status": "in_progress"},
            }  # fmt: skip
            for piece in endless_pieces():
                yield _grows(event, "i_1", piece) | {"output_index": 0}

        return Stream(_events(parts()))

    def fails(self, status: int, words: str) -> Fail:
        return Fail(status, {"error": {"message": words, "type": "error", "code": None}})

    def fails_late(self, words: str) -> Stream:
        begun = list(self._parts(Said("It is")))[:-2]
        error = {"code": "server_error", "message": words}
        failed = {"type": "response.failed", "response": _response("failed", [], error=error)}
        return Stream(list(_events([*begun, failed])))

    def asked(self, body: dict[str, Any]) -> Asked:
        items = body["input"]
        turns = []
        for item in items:
            if item["type"] == "message":
                turns.append((item["role"], _text(item["content"])))
            elif item["type"] == "function_call_output":
                turns.append(("tool", _text(item["output"])))
        if instructions := body.get("instructions"):
            turns.insert(0, ("system", instructions))
        return Asked(
            body["max_output_tokens"],
            tuple(turns),
            tuple(tool["name"] for tool in body.get("tools", ())),
            body.get("tool_choice", "auto"),
            (body.get("text") or {}).get("format", {}).get("schema"),
            "reasoning" in body,
            results=tuple(i["call_id"] for i in items if i["type"] == "function_call_output"),
            called=tuple(i["call_id"] for i in items if i["type"] == "function_call"),
        )


def _grown(
    begun: dict[str, Any], item: dict[str, Any], event: str, text: str
) -> Iterator[dict[str, Any]]:
    yield {"type": "response.output_item.added", "item": begun}
    yield from (_grows(event, item["id"], piece) for piece in pieces(text))
    field = "arguments" if event == "function_call_arguments" else "text"
    yield {"type": f"response.{event}.done", "item_id": item["id"], field: text, **_PART[event]}
    yield {"type": "response.output_item.done", "item": item}


_PART: dict[str, dict[str, int]] = {
    "output_text": {"content_index": 0},
    "reasoning_summary_text": {"summary_index": 0},
    "function_call_arguments": {},
}


def _grows(event: str, item_id: str, piece: str) -> dict[str, Any]:
    return {"type": f"response.{event}.delta", "item_id": item_id, "delta": piece, **_PART[event]}


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _response(status: str, output: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    fixed = {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "test", "error": None,
        "incomplete_details": None, "instructions": None, "metadata": {}, "usage": None,
        "parallel_tool_calls": True, "temperature": 1.0, "tool_choice": "auto", "tools": [],
        "top_p": 1.0,
    }  # fmt: skip
    return fixed | {"status": status, "output": output} | more


def _events(parts: Any) -> Iterator[str]:
    for number, part in enumerate(parts):
        data = json.dumps(part | {"sequence_number": number})
        yield f"event: {part['type']}\ndata: {data}\n\n"
