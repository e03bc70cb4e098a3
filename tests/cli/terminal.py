"""Runs the real program at a terminal of its own, and types at it."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.program import COMMAND, DEADLINE_S, environment


class Terminal:
    """What a person sees and types; standard output is kept apart."""

    def __init__(self, process: subprocess.Popen[bytes], screen: int) -> None:
        self.process = process
        self.text = ""
        self._screen = screen

    def until(self, words: str, n: int = 1) -> None:
        """Wait until some words were on the screen so many times."""
        deadline = time.monotonic() + DEADLINE_S
        while self.text.count(words) < n:
            assert time.monotonic() < deadline, f"never on the screen: {words}\n{self.text}"
            assert self._read(0.1) or self.process.poll() is None, f"it ended:\n{self.text}"

    def type(self, text: str) -> None:
        """Type."""
        os.write(self._screen, text.encode())

    def end(self) -> tuple[int, str]:
        """Wait for the end; returns the exit code and what was written to standard output."""
        assert self.process.stdout is not None
        out = self.process.stdout.read().decode()
        code = self.process.wait(DEADLINE_S)
        while self._read(0.1):
            pass
        return code, out

    def _read(self, patience_s: float) -> bool:
        if not select.select([self._screen], [], [], patience_s)[0]:
            return False
        try:
            read = os.read(self._screen, 65_536)
        except OSError:  # Linux says so when the other side is closed.
            return False
        self.text += read.decode(errors="replace").replace("\r\n", "\n")
        return bool(read)


@contextmanager
def terminal(*args: str, cwd: Path, **env: str) -> Iterator[Terminal]:
    """Start ``scope`` with these arguments at a terminal."""
    screen, inside = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *args],
        cwd=cwd,
        env=environment(cwd.parent / "home", **{"TERM": "dumb", **env}),
        stdin=inside,
        stdout=subprocess.PIPE,
        stderr=inside,
        start_new_session=True,
    )
    os.close(inside)
    try:
        yield Terminal(process, screen)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
        os.close(screen)
