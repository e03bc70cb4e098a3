"""Talk JSON-RPC over stdio to any language server, with a deadline on every word.

No answer is waited for longer than its caller allows, and a server that hangs is killed together
with the processes it started.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any

logger = logging.getLogger(__name__)

# A server that is asked to leave gets this long before it is killed.
_EXIT_GRACE_S = 1.0
# No sane message is larger; a header that claims more is a server gone wrong.
_MAX_MESSAGE_BYTES = 256 * 1024 * 1024


class ServerFailed(Exception):
    """The language server did not start, died, answered with an error or too late."""


class RequestRefused(ServerFailed):
    """The server answered with an error; it goes on, and can be asked again."""


class LspConnection:
    """A running language server.

    Args:
        command: Program and arguments.
        folder: Working directory of the server.
        environment: Variables laid over the current ones.
        configuration: What ``workspace/configuration`` is answered with, by section.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str] | None = None,
        configuration: Mapping[str, Any] | None = None,
    ) -> None:
        self._configuration = dict(configuration or {})
        self._next_id = 0
        self._lock = threading.Lock()
        self._waiting: dict[int, SimpleQueue[dict[str, Any] | None]] = {}
        self._running_jobs: set[str] = set()
        self.last_job_ended = time.monotonic()
        try:
            self._process = subprocess.Popen(
                list(command),
                cwd=folder,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            raise ServerFailed(f"The language server {command[0]!r} did not start.") from error
        self._reader = threading.Thread(target=self._read_all, name="lsp-reader", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the server's process is running."""
        return self._process.poll() is None

    @property
    def busy(self) -> bool:
        """Whether the server reports unfinished background work."""
        return bool(self._running_jobs)

    def request(self, method: str, params: Any, timeout_s: float) -> Any:
        """Return the server's result.

        Raises:
            RequestRefused: It answered with an error.
            ServerFailed: It died, or did not answer within ``timeout_s``.
        """
        answer: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        with self._lock:
            self._next_id += 1
            request_id = self._next_id
            self._waiting[request_id] = answer
        try:
            self._send({"id": request_id, "method": method, "params": params})
            message = answer.get(timeout=timeout_s)
        except Empty:
            self.notify("$/cancelRequest", {"id": request_id})
            raise ServerFailed(f"No answer to {method!r} within {timeout_s:.1f} s.") from None
        finally:
            self._waiting.pop(request_id, None)
        if message is None:
            raise ServerFailed(f"The language server ended before it answered {method!r}.")
        if "error" in message:
            raise RequestRefused(f"{method!r} failed: {message['error'].get('message', '')}")
        return message.get("result")

    def notify(self, method: str, params: Any) -> None:
        """Send a notification; a dead server is left to the next request to find."""
        try:
            self._send({"method": method, "params": params})
        except ServerFailed as error:
            logger.debug("%s", error)

    def close(self) -> None:
        """End the server: politely, then by force, with everything it started."""
        if self.alive:
            try:
                self.request("shutdown", None, _EXIT_GRACE_S)
                self.notify("exit", None)
                self._process.wait(_EXIT_GRACE_S)
            except (ServerFailed, subprocess.TimeoutExpired):
                logger.debug("The language server %d did not leave when asked.", self.pid)
        self.kill()

    def kill(self) -> None:
        """End the server's whole process group at once."""
        try:
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        except (ProcessLookupError, PermissionError):
            logger.debug("The language server %d is gone already.", self.pid)
        self._process.wait()
        self._reader.join(_EXIT_GRACE_S)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                _close_quietly(stream)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream = self._process.stdin
        if stream is None:
            raise ServerFailed("The language server has no input.")
        try:
            with self._lock:
                stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                stream.flush()
        except (OSError, ValueError) as error:
            raise ServerFailed("The language server does not read any more.") from error

    def _read_all(self) -> None:
        """Hand every message to whoever waits for it, until the server's output ends."""
        stream = self._process.stdout
        if stream is None:
            return
        try:
            while (message := _read_message(stream)) is not None:
                self._take(message)
        except (OSError, ValueError) as error:
            logger.debug("The language server's output broke off: %s", error)
        for answer in list(self._waiting.values()):
            answer.put(None)

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            answer = self._waiting.get(message.get("id", -1))
            if answer is not None:
                answer.put(message)
        elif "id" in message:
            self._answer(message)
        elif message["method"] == "$/progress":
            self._note_progress(message["params"])

    def _answer(self, message: dict[str, Any]) -> None:
        """Answer what the server asks of its client, as a client without any extras."""
        result: Any = None
        if message["method"] == "workspace/configuration":
            items = message["params"]["items"]
            result = [self._configuration.get(item.get("section", ""), {}) for item in items]
        try:
            self._send({"id": message["id"], "result": result})
        except ServerFailed as error:
            logger.debug("%s", error)

    def _note_progress(self, params: dict[str, Any]) -> None:
        token, value = str(params.get("token")), params.get("value") or {}
        if value.get("kind") == "begin":
            self._running_jobs.add(token)
        elif value.get("kind") == "end":
            self._running_jobs.discard(token)
            self.last_job_ended = time.monotonic()


def _read_message(stream: IO[bytes]) -> dict[str, Any] | None:
    """Return the next message, or None at the end of the stream."""
    length = 0
    while line := stream.readline():
        header = line.strip()
        if not header:
            break
        name, _, value = header.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    else:
        return None
    if not 0 < length <= _MAX_MESSAGE_BYTES:
        raise ValueError(f"a message of {length} bytes")
    body = json.loads(stream.read(length))
    return body if isinstance(body, dict) else {}


def _close_quietly(stream: IO[bytes]) -> None:
    try:
        stream.close()
    except OSError as error:
        logger.debug("A pipe of the language server was broken: %s", error)
