"""A server on this machine that speaks Ollama's chat API, for one function that says the words."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Speaker = Callable[[dict[str, Any]], Iterator[str]]
"""Takes the body of a request and yields the words of the answer."""

_SHOW = {
    "model_info": {"general.architecture": "llama", "llama.context_length": 4096},
    "capabilities": ["completion"],
    "template": "{{ .Prompt }}",
}
"""What Ollama tells of a model that was given no tools."""


class OllamaServer:
    """Answers ``/api/chat`` line by line and ``/api/show``, as Ollama does; notes the requests."""

    def __init__(self, speaker: Speaker) -> None:
        self.bodies: list[dict[str, Any]] = []
        """Of ``/api/chat``, in their order."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self, speaker))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Return the address, without a path as users write it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


def _handler(server: OllamaServer, speaker: Speaker) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
            if self.path == "/api/chat":
                server.bodies.append(body)
                self._say(body)
            elif self.path == "/api/show":
                self._send(json.dumps(_SHOW).encode())
            else:
                self.send_error(404)

        def _send(self, data: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _say(self, body: dict[str, Any]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/x-ndjson")
            self.end_headers()
            n_words = 0
            for word in speaker(body):
                n_words += 1
                self._line(body, word, {"done": False})
            counts = {"prompt_eval_count": _size(body) // 4, "eval_count": n_words}
            self._line(body, "", {"done": True, "done_reason": "stop", **counts})

        def _line(self, body: dict[str, Any], word: str, more: dict[str, Any]) -> None:
            line = {
                "model": body.get("model"),
                "created_at": "2025-01-01T00:00:00Z",
                "message": {"role": "assistant", "content": word},
                **more,
            }
            self.wfile.write(json.dumps(line).encode() + b"\n")
            self.wfile.flush()

        def log_message(self, format: str, *args: Any) -> None:
            """Keep the tests' output clean."""

    return Handler


def _size(body: dict[str, Any]) -> int:
    return sum(len(message.get("content") or "") for message in body.get("messages", []))
