"""A server on this machine that speaks OpenAI's chat API, says what a script tells it, and checks
every body for secrets that were planted in the code."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Stall:
    """Send nothing more for so long; the default is for ever."""

    seconds: float = 3600.0


@dataclass(frozen=True)
class HangUp:
    """Close the connection in the middle."""


@dataclass(frozen=True)
class Fail:
    """Answer with an error status."""

    status: int
    body: dict[str, Any] = field(default_factory=lambda: {"error": {"message": "no"}})
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """Answer with status 200 and something that is no stream."""

    body: str
    kind: str = "text/html"


Item = dict[str, Any] | str | Stall | HangUp


@dataclass(frozen=True)
class Stream:
    """A stream of any protocol, exactly as it is given."""

    items: Iterable[Item]
    kind: str = "text/event-stream"


Script = Fail | Page | Stream | Sequence[Item]
Turn = Script | Callable[[dict[str, Any]], Script]


_OLLAMA_MODEL = {
    "model_info": {"general.architecture": "llama", "llama.context_length": 40_960},
    "capabilities": ["completion", "tools", "thinking"],
    "template": "{{ .Prompt }}{{ .Tools }}",
}
FIXED = {"/api/show": Page(json.dumps(_OLLAMA_MODEL), "application/json")}
"""What is answered by path, whatever the script says; such requests are not noted."""


def delta(content: str | None = None, **more: Any) -> dict[str, Any]:
    """One chunk of a stream."""
    fields = dict(more) if content is None else {"content": content, **more}
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": None}]}


def end(reason: str = "stop") -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


def usage(tokens_in: int, tokens_out: int) -> dict[str, Any]:
    counts = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
    return {"choices": [], "usage": counts | {"total_tokens": tokens_in + tokens_out}}


def say(text: str, tokens_in: int = 100, tokens_out: int = 20, size: int = 20) -> list[Item]:
    """A whole answer in pieces, with its usage at the end as OpenAI sends it."""
    pieces = [text[at : at + size] for at in range(0, len(text), size)] or [""]
    return [delta(role="assistant"), *map(delta, pieces), end(), usage(tokens_in, tokens_out)]


def call(name: str, arguments: str, call_id: str = "c1") -> list[Item]:
    """A tool call in two pieces."""
    half = len(arguments) // 2
    first = {"name": name, "arguments": arguments[:half]}
    opening = {"index": 0, "id": call_id, "type": "function", "function": first}
    rest = {"index": 0, "function": {"arguments": arguments[half:]}}
    return [delta(tool_calls=[opening]), delta(tool_calls=[rest]), end("tool_calls"), usage(50, 9)]


class ChatServer:
    """Plays one turn of the script a request; what comes after the last repeats it."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.paths: list[str] = []
        self.closed_at: list[float] = []
        self.canaries: set[str] = set()
        self.leaks: list[str] = []
        self.n_played = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop
        ).result()
        self.port = self._server.sockets[0].getsockname()[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def play(self, *turns: Turn) -> None:
        """Start a new script; canaries stay."""
        self.turns = list(turns)
        self.n_played = 0
        for record in (self.bodies, self.headers, self.times, self.paths, self.closed_at):
            record.clear()

    def close(self) -> None:
        async def finish() -> None:
            self._server.close()
            mine = asyncio.current_task()
            others = [task for task in asyncio.all_tasks() if task is not mine]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(finish(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    async def until_closed(self, within_s: float) -> float:
        """Return when the client closed its end; infinity if it did not."""
        end = time.monotonic() + within_s
        while not self.closed_at and time.monotonic() < end:  # noqa: ASYNC110 - another loop's
            await asyncio.sleep(0.02)
        return self.closed_at[0] if self.closed_at else float("inf")

    async def until_asked(self) -> None:
        """Return when a request has come."""
        while not self.bodies:  # noqa: ASYNC110 - it happens in another loop
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.1)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (head := await _head(reader)) is not None:
                path, headers = head
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                if (fixed := FIXED.get(path)) is not None:
                    await self._answer(fixed, {}, reader, writer)
                    continue
                self._note(path, headers, body)
                turn = self.turns[min(self.n_played, len(self.turns) - 1)]
                self.n_played += 1
                parsed = json.loads(body or b"{}")
                script = turn(parsed) if callable(turn) else turn
                if not await self._answer(script, parsed, reader, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # The client went, or the test is over.
        finally:
            writer.close()

    def _note(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.times.append(time.monotonic())
        self.paths.append(path)
        self.headers.append(headers)
        self.bodies.append(json.loads(body or b"{}"))
        # What JSON escapes would hide a canary: look at the decoded strings as well.
        text = body.decode() + json.dumps(self.bodies[-1], ensure_ascii=False)
        self.leaks += [canary for canary in self.canaries if canary in text]

    async def _answer(
        self,
        script: Script,
        body: dict[str, Any],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Play a script; return whether the connection may go on."""
        if isinstance(script, Fail):
            data = json.dumps(script.body).encode()
            headers = {"Content-Length": str(len(data)), **script.headers}
            writer.write(_response_head(script.status, "application/json", headers) + data)
            await writer.drain()
            return True
        if isinstance(script, Page):
            data = script.body.encode()
            headers = {"Content-Length": str(len(data))}
            writer.write(_response_head(200, script.kind, headers) + data)
            await writer.drain()
            return True
        watch = asyncio.create_task(self._watch(reader))
        try:
            return await self._stream(script, writer, watch)
        finally:
            watch.cancel()

    async def _watch(self, reader: asyncio.StreamReader) -> None:
        """Note when the client closes its end."""
        await reader.read(1)
        self.closed_at.append(time.monotonic())

    async def _stream(
        self,
        script: Stream | Sequence[Item],
        writer: asyncio.StreamWriter,
        watch: asyncio.Task[None],
    ) -> bool:
        is_raw = isinstance(script, Stream)
        items = script.items if isinstance(script, Stream) else script
        kind = script.kind if isinstance(script, Stream) else "text/event-stream"
        first = None if isinstance(script, Stream) else next(iter(script), None)
        if not isinstance(first, Stall):
            writer.write(_response_head(200, kind, {"Connection": "close"}))
        for item in items:
            if isinstance(item, Stall):
                await asyncio.wait({watch}, timeout=item.seconds)
            elif isinstance(item, HangUp):
                writer.transport.abort()
                return False
            elif isinstance(item, str):
                writer.write(item.encode())
            else:
                chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
                writer.write(f"data: {json.dumps(chunk | item)}\n\n".encode())
            if watch.done():
                return False
            await writer.drain()
            await asyncio.sleep(0)
        if not is_raw:
            writer.write(b"data: [DONE]\n\n")
        await writer.drain()
        return False


async def _head(reader: asyncio.StreamReader) -> tuple[str, dict[str, str]] | None:
    first = (await reader.readline()).decode()
    if not first.strip():
        return None
    headers = {}
    while line := (await reader.readline()).decode().strip():
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    return first.split()[1], headers


def _response_head(status: int, kind: str, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} Scripted", f"Content-Type: {kind}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
