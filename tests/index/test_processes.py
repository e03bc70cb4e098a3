"""Several processes on one index: writers in turn, killed writers, workers that hang or die."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.errors import Cancelled
from analysis.index import workers
from analysis.index.writer_lock import WriterLock
from analysis.stopping import StopFlag
from tests.index.code_base import CodeBase, found

N_FILES = 300
PROGRAM = """
import sys
from pathlib import Path
from analysis.index import segments
from tests.index.code_base import CodeBase
base = CodeBase(Path(sys.argv[1]), {}, workers=int(sys.argv[2]))
segments._MAX_AGE_S = 0.0  # every batch is stored at once
def on_progress(done, total):
    print(done, total, flush=True)
    if "step" in sys.argv:
        sys.stdin.readline()
print(base.open().refresh(on_progress))
"""


@pytest.fixture
def base(tmp_path: Path) -> CodeBase:
    return CodeBase(tmp_path, {f"m{i}.py": f"name_{i} = 'wombat'\n" for i in range(N_FILES)})


@contextlib.contextmanager
def other(base: CodeBase, workers: int, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run an indexing program beside this one."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(base.root.parent), str(workers), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def go_on(process: subprocess.Popen[str]) -> None:
    """Let a program that stops at each step take the next."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started, in this system's own list."""
    lister = subprocess.Popen(["ps", "-eo", "pid=,ppid="], stdout=subprocess.PIPE, text=True)
    listing, _ = lister.communicate()
    pairs = [tuple(map(int, line.split())) for line in listing.splitlines()]
    return [child for child, parent in pairs if parent == pid and child != lister.pid]


def wait_until(condition, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that in time"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    with contextlib.suppress(OSError):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    return False


@pytest.mark.parametrize("n_lines", [1, 3, 6])
def test_a_killed_writer_goes_on_where_it_was(base: CodeBase, n_lines: int):
    with other(base, 0) as writer:
        for _ in range(n_lines):
            line = line_of(writer)
        writer.kill()
        writer.wait()
    stored = base.open().status().files
    report = base.open().refresh()
    assert report.complete
    assert report.parsed == N_FILES - stored
    assert stored >= int(line.split()[0]) - 64
    assert len(found(base.open(), "wombat")) == N_FILES


def test_the_second_writer_waits_and_uses_the_work_of_the_first(base: CodeBase):
    seen: list[tuple[int, int]] = []
    reports = []
    with other(base, 0, "step") as first:
        line_of(first)  # it holds the lock
        index = base.open()
        second = threading.Thread(
            target=lambda: reports.append(index.refresh(lambda *n: seen.append(n)))
        )
        second.start()
        wait_until(lambda: seen)
        assert index.status().complete is False
        first.communicate("\n" * 100)
        second.join(20)
    (report,) = reports
    assert (report.parsed, report.total, report.complete) == (0, N_FILES, True)
    assert any("Another program was indexing" in note for note in report.notes)
    assert seen[0][1] == N_FILES


def test_waiting_for_another_writer_can_be_stopped(base: CodeBase):
    stop = StopFlag()
    with other(base, 0, "step") as first:
        line_of(first)
        report = base.open().refresh(lambda *_: stop.set(), stop)
    assert report.complete is False


def test_readers_see_what_is_there_while_indexing_goes_on(base: CodeBase):
    index = base.open()
    with other(base, 0, "step") as writer:
        counts = []
        for _ in range(5):
            line_of(writer)
            counts.append(len(found(index, "wombat")))
            go_on(writer)
        assert index.status().total == N_FILES
    assert counts == sorted(counts)
    assert 0 < counts[-1] < N_FILES


def test_workers_find_the_same_as_the_process_itself(tmp_path: Path, base: CodeBase):
    alone = base.indexed()
    base.cache = base.cache.with_name("cache2")
    base.settings = base.settings.model_copy(update={"cache_dir": str(base.cache), "workers": 2})
    together = base.indexed()
    with alone.view() as one, together.view() as two:
        assert one.file_table().paths == two.file_table().paths
        assert (one.chunk_table().file_idx == two.chunk_table().file_idx).all()
        ours, theirs = one.postings("wombat"), two.postings("wombat")
        assert (ours.chunk_idx == theirs.chunk_idx).all()
        assert (ours.counts == theirs.counts).all()
        assert one.symbol_names() == two.symbol_names()


def test_workers_are_renewed_on_the_way(base: CodeBase, monkeypatch):
    monkeypatch.setattr(workers, "_RENEW_AFTER", 50)
    base.settings = base.settings.model_copy(update={"workers": 1})
    seen: set[int] = set()
    report = base.open().refresh(lambda *_: seen.update(children_of(os.getpid())))
    assert (report.parsed, report.complete) == (N_FILES, True)
    assert len(seen) > 1


def test_workers_die_with_a_killed_parent(base: CodeBase):
    with other(base, 2, "step") as parent:
        line_of(parent)
        go_on(parent)
        wait_until(lambda: len(children_of(parent.pid)) == 2)
        workers = children_of(parent.pid)
        parent.kill()
        wait_until(lambda: not any(is_running(worker) for worker in workers))
    assert base.open().refresh().complete


def test_a_killed_worker_costs_nothing(base: CodeBase):
    base.settings = base.settings.model_copy(update={"workers": 1})
    killed: list[int] = []

    def kill_once(done: int, _total: int) -> None:
        workers = children_of(os.getpid())
        if not killed and workers:
            killed.append(workers[-1])
            os.kill(workers[-1], signal.SIGKILL)

    report = base.open().refresh(kill_once)
    assert killed
    assert (report.total, report.skipped) == (N_FILES, {})


def test_a_frozen_worker_is_replaced(base: CodeBase):
    base.settings = base.settings.model_copy(update={"workers": 1, "file_time_limit_s": 0.05})
    frozen: list[int] = []

    def freeze_once(done: int, _total: int) -> None:
        if done and not frozen:
            frozen.extend(children_of(os.getpid())[-1:])
            os.kill(frozen[0], signal.SIGSTOP)

    report = base.open().refresh(freeze_once)
    assert frozen
    assert (report.total, report.skipped, report.complete) == (N_FILES, {}, True)


# A worker whose parser does something bad on one file.
FAULTY = """
import json, os, sys, time
sys.path[:] = json.loads(sys.argv[1])
from analysis.index import worker
read_into = worker.read_into
seen, leaked = [], []
def faulty(batch, job, *rest, **more):
    seen.append(job.path)
    if {when}:
        {fault}
    read_into(batch, job, *rest, **more)
worker.read_into = faulty
worker.main()
"""


def _faulty(fault: str, when: str = "job.path == 'm7.py'") -> str:
    return FAULTY.format(fault=fault, when=when)


FAULTS = {
    "hangs": (_faulty("time.sleep(1000)"), {"too_slow": 1}),
    "crashes": (_faulty("os.abort()"), {"parser_failed": 1}),
    "prints": (_faulty("print('noise')"), {}),
    "is out of memory": (_faulty("raise MemoryError"), {"parser_failed": 1}),
    "wants all memory": (_faulty("bytearray(1 << 33)"), {"parser_failed": 1}),
    "leaks": (_faulty("leaked.append(bytearray(15_000_000))", "True"), {}),
    "is killed now and then": (_faulty("os.kill(os.getpid(), 9)", "len(seen) % 140 == 0"), {}),
    "does not start": ("raise SystemExit(1)", {}),
}


@pytest.mark.parametrize(("program", "skipped"), FAULTS.values(), ids=FAULTS.keys())
def test_what_a_faulty_worker_costs(base: CodeBase, monkeypatch, program: str, skipped):
    monkeypatch.setattr(workers, "_PROGRAM", program)
    base.settings = base.settings.model_copy(update={"workers": 2, "file_time_limit_s": 0.2})
    index = base.open()
    report = index.refresh()
    assert (report.complete, report.skipped) == (True, skipped)
    assert report.total == len(found(index, "wombat")) == N_FILES - len(skipped)
    assert index.refresh().parsed == 0
    assert children_of(os.getpid()) == []


def test_who_waits_for_a_writer_looks_seldom(tmp_path: Path):
    holder, waiting = (WriterLock(tmp_path / "index", 1.5) for _ in range(2))
    assert holder.acquire()
    looks: list[None] = []
    assert not waiting.acquire(lambda: looks.append(None))
    assert len(looks) < 15  # fifty programs that look all the time leave the writer no time
    stop = StopFlag()
    threading.Timer(0.2, stop.set).start()
    with pytest.raises(Cancelled):
        waiting.acquire(stop=stop)
    holder.release()
    assert waiting.acquire()
    waiting.release()


def test_workers_that_do_not_come_up_are_not_waited_for_again(
    base: CodeBase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(workers, "_PROGRAM", "import time; time.sleep(1000)")
    monkeypatch.setattr(workers, "_START_S", 0.3)
    base.settings = base.settings.model_copy(update={"workers": 1})
    started: list[object] = []
    start = workers._start

    def counted() -> object:
        started.append(1)
        return start()

    monkeypatch.setattr(workers, "_start", counted)
    report = base.open().refresh()
    assert (report.complete, report.total, report.skipped) == (True, N_FILES, {})
    assert len(started) == 2
    assert caplog.text.count("files are parsed here") > 1


def test_a_refresh_with_workers_stops_at_once(base: CodeBase):
    base.settings = base.settings.model_copy(update={"workers": 2})
    stop = StopFlag()
    started = time.monotonic()
    threading.Timer(0.1, stop.set).start()
    report = base.open().refresh(stop=stop)
    assert not report.complete
    assert time.monotonic() - started < 10
    assert base.open().refresh().complete
