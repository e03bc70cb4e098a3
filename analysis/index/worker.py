"""The program of a worker process: parses files that it is told of until it is left alone."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import pickle
import queue
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from analysis.index.batch import Batch, BatchBuilder
from analysis.index.difference import LateJob, ReadJob
from analysis.index.reader import facts_into, read_into
from analysis.index.vocabulary import Vocabulary
from analysis.workspace.files import LocalFileBackend

_GRACE_S = 10.0
"""A worker whose parent is gone may hang in a file for so much longer than is allowed."""

_NICENESS = 10
_MEMORY_BYTES = 2_000_000_000
"""Ten times what a worker takes: whatever wants more costs the file it is at, not the machine."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker needs to know for its whole life."""

    files: LocalFileBackend
    time_limit_s: float
    with_facts: bool = True
    """Whether files are read with their facts; jobs that are late are about facts alone."""
    is_background: bool = False
    """Whether everything else goes first."""


@dataclass(frozen=True, slots=True)
class Started:
    """Told before each file: the one at fault if nothing else follows."""

    position: int


def main() -> None:
    """Serve parts of files over the standard streams, which carry pickles only."""
    answers = _claim_stdout()
    _limit_memory()
    requests: queue.SimpleQueue[object] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, requests), daemon=True).start()
    task = requests.get()
    assert isinstance(task, Task)
    if task.is_background and hasattr(os, "nice"):
        os.nice(_NICENESS)
    vocabulary = Vocabulary()
    _collect_less()
    while True:
        jobs = requests.get()
        assert isinstance(jobs, list)
        if vocabulary.is_full:
            vocabulary = Vocabulary()
        _send(answers, _parsed(jobs, task, BatchBuilder(vocabulary), answers))


def _limit_memory() -> None:
    """Have what asks for far too much memory fail here, where the system can be told that."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        is_lower = 0 <= most < _MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_DATA, (most if is_lower else _MEMORY_BYTES, most))


def _collect_less() -> None:
    """Let the collector of cycles run seldom: trees are many objects, and hold no cycles."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _parsed(jobs: list[ReadJob], task: Task, batch: BatchBuilder, answers: BinaryIO) -> Batch:
    with Path(os.devnull).open("w") as nowhere:
        for position, job in enumerate(jobs):
            _send(answers, Started(position))
            # Ends the process even when a parser or a pattern never gives the interpreter back.
            limit = task.time_limit_s + _GRACE_S
            faulthandler.dump_traceback_later(limit, exit=True, file=nowhere)
            read(batch, job, task)
        faulthandler.cancel_dump_traceback_later()
    return batch.finish()


def read(batch: BatchBuilder, job: ReadJob, task: Task) -> None:
    """Do one job of a task."""
    if isinstance(job, LateJob):
        facts_into(batch, job, task.files)
    else:
        read_into(batch, job, task.files, task.time_limit_s, with_facts=task.with_facts)


def _receive(stream: BinaryIO, requests: queue.SimpleQueue[object]) -> None:
    """Pass requests on; end the process when the parent is gone."""
    try:
        while True:
            requests.put(pickle.load(stream))
    except (EOFError, OSError, pickle.UnpicklingError):
        os._exit(0)


def _send(stream: BinaryIO, message: object) -> None:
    try:
        pickle.dump(message, stream, pickle.HIGHEST_PROTOCOL)
        stream.flush()
    except OSError:
        os._exit(0)


def _claim_stdout() -> BinaryIO:
    """Return the pipe to the parent, and turn what anybody else prints to stderr."""
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return stream
