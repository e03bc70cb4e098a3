"""Parsing in several processes, so that a file that hangs or crashes a parser costs only itself."""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from analysis.index.batch import Batch, BatchBuilder, FileRecord
from analysis.index.difference import LateJob, ReadJob
from analysis.index.reader import PARSER_FAILED, TOO_SLOW
from analysis.index.vocabulary import Vocabulary
from analysis.index.worker import Started, Task, read

if TYPE_CHECKING:
    from analysis.stopping import StopFlag

logger = logging.getLogger(__name__)

_GRACE_S = 2.0
"""Parsers keep the time limit themselves; only what overruns it by so much is killed."""
_START_S = 60.0
"""A worker that has not begun a file by then does not come up."""
_STARTS = 2
"""So often in a row a worker is started in vain; then all is parsed without one."""
_POLL_S = 0.05
_MIN_BYTES = 1_500_000
"""Less is read before the workers have started; more than two are worth their memory and their
start only if each has so much to read."""
_FILE_BYTES = 1500
"""What a file costs beside its bytes, in bytes."""
_MAX_WORKERS = 8
_RENEW_AFTER = 4000
"""A worker ends after so many files: what its parsers remember of words stays in bounds."""
# Not `python -m`: in the user's folder that would run what lies there under our name.
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from analysis.index.worker import main; main()"
)


def choose_workers(setting: int, jobs: Sequence[ReadJob]) -> int:
    """Return how many processes to use for these files; 0 for none but this one."""
    if not sys.executable or getattr(sys, "frozen", False):
        return 0
    if setting:
        return setting if len(jobs) > 1 else 0
    n_cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    worth_it = is_much(jobs) and (n_cpus or 1) > 1
    return min(n_cpus or 1, _MAX_WORKERS, max(2, _cost(jobs) // _MIN_BYTES)) if worth_it else 0


def is_much(jobs: Sequence[ReadJob], more_bytes: int = 0) -> bool:
    """Return whether somebody who waits for these files, and more, to be read would notice."""
    return _cost(jobs) + more_bytes >= _MIN_BYTES


def _cost(jobs: Sequence[ReadJob]) -> int:
    return sum(job.size + _FILE_BYTES for job in jobs)


_Result = tuple[int, "list[Batch] | BaseException"]
"""The number of a part, and what became of it."""


class WorkerPool:
    """Worker processes; they end with the ``with`` block, and with this process in any case."""

    def __init__(self, n_workers: int, task: Task) -> None:
        self._tasks: queue.SimpleQueue[tuple[int, Sequence[ReadJob]] | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[_Result] = queue.SimpleQueue()
        self._workers = [_Worker(task, self._tasks, self._results) for _ in range(n_workers)]

    def __enter__(self) -> WorkerPool:
        for worker in self._workers:
            worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.close()
        for _worker in self._workers:
            self._tasks.put(None)
        for worker in self._workers:
            worker.join()

    def batches(self, parts: Iterable[Sequence[ReadJob]], stop: StopFlag | None) -> Iterator[Batch]:
        """Yield the parse of every part, in order.

        Raises:
            Cancelled: ``stop`` was set.
        """
        waiting = enumerate(parts)
        # A few parts ahead keep the workers busy and the memory in bounds.
        n_sent = self._send(waiting, 2 * len(self._workers) + 1)
        ready: dict[int, list[Batch]] = {}
        n_done = 0
        while n_done < n_sent:
            if stop is not None:
                stop.check()
            for worker in self._workers:
                worker.kill_if_hung()
            with contextlib.suppress(queue.Empty):
                number, result = self._results.get(timeout=_POLL_S)
                if isinstance(result, BaseException):
                    raise result  # a bug: better seen than waited for
                ready[number] = result
            while n_done in ready:
                yield from ready.pop(n_done)
                n_done += 1
                n_sent += self._send(waiting, 1)

    def _send(self, waiting: Iterator[tuple[int, Sequence[ReadJob]]], n: int) -> int:
        n_sent = 0
        for task in itertools.islice(waiting, n):
            self._tasks.put(task)
            n_sent += 1
        return n_sent


class _Worker(threading.Thread):
    """Talks to one worker process, and starts another when that is lost."""

    def __init__(
        self,
        task: Task,
        tasks: queue.SimpleQueue[tuple[int, Sequence[ReadJob]] | None],
        results: queue.SimpleQueue[_Result],
    ) -> None:
        super().__init__(name="index-worker", daemon=True)
        self._task = task
        self._tasks = tasks
        self._results = results
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._n_files = 0
        """Files given to the process that runs now."""
        self._position: int | None = None
        """Which of the files it was given the process is at; None before it has begun one."""
        self._deadline: float | None = None
        self._hung = False
        self._n_failed_starts = 0

    def run(self) -> None:
        """Work off tasks until told to end."""
        try:
            while (task := self._tasks.get()) is not None and not self._closed:
                number, jobs = task
                if self._n_files > _RENEW_AFTER:
                    self._discard()
                self._n_files += len(jobs)
                try:
                    self._results.put((number, self._parse(jobs)))
                except BaseException as error:
                    self._results.put((number, error))
                    raise
        finally:
            self._discard()

    def kill_if_hung(self) -> None:
        """End the process if it is at a file for too long."""
        deadline = self._deadline
        if deadline is not None and time.monotonic() > deadline:
            self._hung, self._deadline = True, None
            self._kill()

    def close(self) -> None:
        """End the process and never start another."""
        with self._lock:
            self._closed = True
        self._kill()

    def _parse(self, jobs: Sequence[ReadJob]) -> list[Batch]:
        """Parse files; one that costs two processes, by a crash or its time, is left out."""
        batches: list[Batch] = []
        suspects: set[str] = set()
        pending: list[Sequence[ReadJob]] = [jobs]
        while pending and not self._closed:
            part = pending.pop()
            if self._n_failed_starts >= _STARTS:
                batches.append(self._parse_here(part))
                continue
            try:
                batches.append(self._ask(part))
                continue
            except (EOFError, OSError, pickle.UnpicklingError):
                self._discard()
            if self._position is None:
                self._n_failed_starts += 1
                pending.append(part)
                continue
            culprit = part[self._position]
            rest = [job for job in part if job is not culprit]
            if culprit.path in suspects:
                reason = TOO_SLOW if self._hung else PARSER_FAILED
                logger.warning("%r is left out of the index: %s", culprit.path, reason)
                batches.append(_left_out(culprit, reason))
            else:  # the machine may have been busy, or somebody else ended the process
                suspects.add(culprit.path)
                pending.append([culprit])
            if rest:
                pending.append(rest)
        return batches

    def _parse_here(self, jobs: Sequence[ReadJob]) -> Batch:
        """Parse files in this process because no other can be had."""
        logger.warning("No worker process can be started; %d files are parsed here", len(jobs))
        batch = BatchBuilder(Vocabulary())
        for job in jobs:
            if not self._closed:
                read(batch, job, self._task)
        return batch.finish()

    def _ask(self, jobs: Sequence[ReadJob]) -> Batch:
        """Have the process parse files.

        Raises:
            EOFError: It ended meanwhile.
        """
        self._position, self._hung = None, False
        process = self._running()
        self._deadline = time.monotonic() + _START_S
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump(jobs, process.stdin, pickle.HIGHEST_PROTOCOL)
            process.stdin.flush()
            while True:
                message = pickle.load(process.stdout)
                if isinstance(message, Batch):
                    return message
                assert isinstance(message, Started)
                self._position, self._n_failed_starts = message.position, 0
                self._deadline = time.monotonic() + self._task.time_limit_s + _GRACE_S
        finally:
            self._deadline = None

    def _running(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise EOFError
            if self._process is None:
                self._process = _start()
                assert self._process.stdin is not None
                pickle.dump(self._task, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            return self._process

    def _kill(self) -> None:
        """End the process; whoever talks to it then finds out. Safe from any thread."""
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def _discard(self) -> None:
        """End the process and free what it holds; only for the thread that talks to it."""
        with self._lock:
            process, self._process = self._process, None
        self._n_files = 0
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _start() -> subprocess.Popen[bytes]:
    """Start a worker that sees the modules which this process sees, and nothing else."""
    paths = json.dumps([path or os.getcwd() for path in sys.path])  # noqa: PTH109
    # No worker multiplies matrices: threads for that would only be started and ended.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-I", "-X", f"utf8={sys.flags.utf8_mode}", "-c", _PROGRAM, paths],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _left_out(job: ReadJob, reason: str) -> Batch:
    batch = BatchBuilder(Vocabulary())
    # Of a late job it is known what was read; of another one nothing is known of the text.
    known = job.known_hash if isinstance(job, LateJob) else b""
    batch.add_unparsed(FileRecord(job.path, job.size, job.mtime_ns, known, skipped=reason))
    return batch.finish()
