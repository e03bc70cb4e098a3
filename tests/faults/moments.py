"""Starts a program of Scope that is killed from outside while it is in one certain function.

`python -m tests.faults.moments MODULE:FUNCTION LONGEST_S SEED NOTE PROGRAM ARGUMENTS...` runs
`analysis.cli.main` or `lsp_server.__main__`. When the function is called, a process of its own
waits a random part of so many seconds and sends SIGKILL. `NOTE` is a file that gets a line with
how long a call took that was not killed, or `killed`.
"""

from __future__ import annotations

import functools
import importlib
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any


def arm(function: str, longest_s: float, seed: str, note: Path) -> None:
    """Have this process killed within the next call of a function."""
    module_name, _, name = function.partition(":")
    module = importlib.import_module(module_name)
    original = getattr(module, name)
    entered = _killer(random.Random(seed).uniform(0, longest_s), note)

    @functools.wraps(original)
    def watched(*args: Any, **kwargs: Any) -> Any:
        os.write(entered, b"!")
        started = time.perf_counter()
        try:
            return original(*args, **kwargs)
        finally:
            with note.open("a") as stream:
                stream.write(f"{time.perf_counter() - started}\n")

    # Before anybody else imports it by its name.
    setattr(module, name, watched)


def _killer(after_s: float, note: Path) -> int:
    """Return a descriptor; so long after a byte is written to it, this process is killed."""
    reading, writing = os.pipe()
    target = os.getpid()
    if os.fork() == 0:
        os.close(writing)
        if os.read(reading, 1):
            time.sleep(after_s)
            if os.getppid() == target:
                with note.open("a") as stream:
                    stream.write("killed\n")
                os.kill(target, signal.SIGKILL)
        os._exit(0)
    os.close(reading)
    return writing


if __name__ == "__main__":
    _, watched_function, longest, chosen_seed, note_path, program, *arguments = sys.argv
    sys.argv = [program, *arguments]
    arm(watched_function, float(longest), chosen_seed, Path(note_path))
    sys.exit(importlib.import_module(program).main())
