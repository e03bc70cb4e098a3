"""Keeps Jedi's process: started when needed, ended when it hangs or grows."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from analysis.errors import BackendFailed

logger = logging.getLogger(__name__)

# Jedi takes 390 MB for Django's references; beyond this it is started afresh.
_MEMORY_LIMIT_BYTES = 600 * 1024 * 1024
# A machine under load needs seconds to start an interpreter and import Jedi.
_START_LIMIT_S = 15.0

_PROGRAM = "from analysis.backends.jedi_worker import main; main()"


class JediProcess:
    """One process that runs Jedi; safe to use from several threads, one request at a time."""

    def __init__(self, root: Path, python: str | None = None) -> None:
        self._root = root
        self._python = python
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._answers: SimpleQueue[str | None] = SimpleQueue()
        self._count = 0

    @property
    def pid(self) -> int | None:
        """The process id, None if it is not running."""
        return self._process.pid if self._process is not None else None

    def ask(
        self, method: str, path: str, text: str, line: int, column: int, timeout_s: float
    ) -> list[dict[str, Any]]:
        """Return Jedi's answer about a place in a text.

        Raises:
            BackendFailed: It failed, or did not answer within ``timeout_s`` and was ended.
        """
        with self._lock:
            self._ensure_started()
            self._count += 1
            request = {
                "id": self._count,
                "method": method,
                "root": str(self._root),
                "path": path,
                "text": text,
                "line": line,
                "column": column,
                "python": self._python,
            }
            answer = self._exchange(request, timeout_s)
            self._end_if_grown()
        if "error" in answer:
            raise BackendFailed(f"Jedi failed at {path!r}:{line}: {answer['error']}")
        return list(answer["result"])

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _ensure_started(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self._end()
        self._answers = SimpleQueue()
        try:
            # -P keeps the working directory out of the import path; the folder is neutral too.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM],
                cwd=tempfile.gettempdir(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            raise BackendFailed("Jedi's process did not start.") from error
        threading.Thread(
            target=_read_lines, args=(self._process, self._answers), name="jedi", daemon=True
        ).start()
        if self._next_line(_START_LIMIT_S) is None:
            self._end()
            raise BackendFailed("Jedi's process did not get ready.")

    def _exchange(self, request: dict[str, Any], timeout_s: float) -> dict[str, Any]:
        process = self._process
        if process is None or process.stdin is None:
            raise BackendFailed("Jedi's process is gone.")
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
        except (OSError, ValueError) as error:
            self._end()
            raise BackendFailed("Jedi's process ended.") from error
        line = self._next_line(timeout_s)
        if line is None:
            self._end()
            raise BackendFailed(f"Jedi did not answer within {timeout_s:.1f} s.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _next_line(self, timeout_s: float) -> str | None:
        try:
            return self._answers.get(timeout=timeout_s)
        except Empty:
            return None

    def _end_if_grown(self) -> None:
        if self._process is not None and _memory_bytes(self._process.pid) > _MEMORY_LIMIT_BYTES:
            logger.info("Jedi's process has grown too large and is ended.")
            self._end()

    def _end(self) -> None:
        """End the process and whatever it started."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        except (ProcessLookupError, PermissionError):
            logger.debug("Jedi's process %d is gone already.", process.pid)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                _close_quietly(stream)


def _read_lines(process: subprocess.Popen[str], answers: SimpleQueue[str | None]) -> None:
    """Hand on every line, and None when there will be no more."""
    try:
        for line in process.stdout or ():
            answers.put(line)
    except (OSError, ValueError) as error:
        logger.debug("Jedi's output broke off: %s", error)
    answers.put(None)


def _memory_bytes(pid: int) -> int:
    """Return a process's resident memory, 0 where the system does not tell."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _close_quietly(stream: Any) -> None:
    try:
        stream.close()
    except OSError as error:
        logger.debug("A pipe of Jedi's process was broken: %s", error)
