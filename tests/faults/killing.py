"""Kills processes of Scope at random moments, and looks at what they left.

`python -m tests.faults.killing --rounds 200` does it 200 times for each kind of process and prints
a table; the tests beside it do a few. `merge` and `document` are killed within that work alone.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.documents import read_document
from analysis.workspace.paths import uri_from_path
from tests.cli.program import COMMAND, DEADLINE_S, environment
from tests.faults.places import Places
from tests.lsp.session import server_command, server_environment

N_FILES = 150
QUESTION = "Who calls wombat_total and where is it stored?"
_MARK = "SCOPE_FAULT_MARK"
_HERE = str(Path(__file__).parents[2])
_CODE = '''"""Module {n} of the shop."""

from shop.m{other} import Kiwi{other}


class Kiwi{n}:
    """Keeps what is counted."""

    def wombat_total(self, ocelot):
        """Return the total, stored in edition {edition}."""
        self.stored = Kiwi{other}().wombat_total(ocelot + {edition})
        return self.stored
'''


@dataclass
class Ground(Places):
    """A code base, a home of its own, and what was found broken in them."""

    folder: Path
    random: random.Random
    n_files: int = N_FILES
    rounds: int = 0
    killed_busy: int = 0
    """Kills that came before the process had ended by itself."""
    broken: list[str] = field(default_factory=list)
    edition: int = 0
    call_s: float = 0.02
    """What a call of the function takes in which the program is killed (seconds)."""

    @property
    def variables(self) -> dict[str, str]:
        return {_MARK: str(self.folder), "PYTHONFAULTHANDLER": "1"}

    def edit(self, share: float) -> None:
        """Write a part of the files anew, so that there is something to index."""
        self.edition += 1
        (self.root / "shop").mkdir(parents=True, exist_ok=True)
        self.home.mkdir(exist_ok=True)
        for n in self.random.sample(range(self.n_files), max(int(share * self.n_files), 1)):
            text = _CODE.format(n=n, other=(n * 7 + 1) % self.n_files, edition=self.edition)
            (self.root / "shop" / f"m{n}.py").write_text(text, "utf-8")

    def start(self, *args: str, **more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*COMMAND, *args], cwd=self.root, env=environment(self.home, **self.variables, **more),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def answer(self, home: Path) -> tuple[int, int, int]:
        """Ask, and return how much is cited, and how many files and symbols the index holds.

        Which of many definitions that are alike are cited depends on when each was read.
        """
        done = subprocess.run(
            [*COMMAND, "ask", ".", "-q", QUESTION, "--mode", "offline", "--format", "json",
             "--output", str(self.folder / "out")],
            cwd=self.root, env=environment(home, **self.variables), capture_output=True,
            timeout=DEADLINE_S, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            self.broken.append(f"ask ended with {done.returncode}: {done.stderr[-300:]!r}")
            return 0, 0, 0
        index = subprocess.run(
            [*COMMAND, "index", "--format", "json"], cwd=self.root, capture_output=True,
            env=environment(home, **self.variables), timeout=DEADLINE_S, check=True,
        )  # fmt: skip
        status = json.loads(index.stdout)["status"]
        return len(json.loads(done.stdout)["references"]), status["files"], status["symbols"]

    def check_leftovers(self) -> None:
        """Note documents that are there in part, and processes that outlive their parent."""
        for path in (*self.folder.rglob("contexts/**/*.md"), *self.folder.glob("out/*.md")):
            try:
                if not read_document(path).references:
                    self.broken.append(f"{path.name} has no references")
            except Exception as error:
                self.broken.append(f"{path.name} cannot be read: {error}")
            path.unlink()
        end = time.monotonic() + 30
        while (left := self._marked()) and time.monotonic() < end:
            time.sleep(0.05)
        if left:
            self.broken.append(f"{len(left)} processes are left")
            for pid in left:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)

    def _marked(self) -> list[int]:
        wanted = f"{_MARK}={self.folder}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                with contextlib.suppress(OSError):
                    if wanted in (entry / "environ").read_bytes():
                        found.append(int(entry.name))
        return found

    def check_answer(self) -> None:
        """Note whether an answer with the index that was left differs from one with a new one."""
        for path in self.folder.glob("fresh*"):
            subprocess.run(["rm", "-rf", path], check=True)
        fresh = self.folder / f"fresh{self.rounds}"
        fresh.mkdir()
        left, new = self.answer(self.home), self.answer(fresh)
        if left != new or not all(new):
            self.broken.append(
                f"round {self.rounds}: {left} references, files and symbols, not {new}"
            )

    def kill_within_function(self, function: str, note: Path, *args: str) -> None:
        """Run the program, and kill it at a random moment of a call of a function, if it comes."""
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tests.faults.moments", function, str(self.call_s),
             str(self.random.random()), str(note), "analysis.cli.main", *args],
            cwd=self.root, env=environment(self.home, **self.variables, PYTHONPATH=_HERE),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            errors = process.communicate(timeout=DEADLINE_S)[1]
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGABRT)  # It then says where it is.
            errors = process.communicate()[1]
        code = process.returncode
        told = note.read_text("ascii") if note.exists() else ""
        self.killed_busy += code == -signal.SIGKILL
        if code not in (0, -signal.SIGKILL):
            self.broken.append(f"{args[0]} ended with {code}: {errors[-1500:]!r}")
        for line in told.split():
            if line != "killed":
                # Kills are spread over what a call takes, and a little more.
                self.call_s = 1.2 * float(line)

    def kill_within(self, process: subprocess.Popen[bytes], longest_s: float, pid: int = 0) -> None:
        """Kill a process, or one of its children, after a random part of so many seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(self.random.uniform(0, longest_s))
        if process.poll() is None:
            self.killed_busy += 1
            with contextlib.suppress(OSError):
                os.kill(pid or process.pid, signal.SIGKILL)


def kill_indexer(ground: Ground, longest_s: float) -> None:
    """Kill `scope index`, workers and all their work in the middle."""
    ground.edit(0.25)
    process = ground.start("index")
    ground.kill_within(process, longest_s)
    process.wait(DEADLINE_S)


def kill_asker(ground: Ground, longest_s: float) -> None:
    """Kill `scope ask` while it refreshes, searches or writes its document."""
    ground.edit(0.02)
    process = ground.start("ask", ".", "-q", QUESTION, "--mode", "offline")
    ground.kill_within(process, longest_s)
    process.wait(DEADLINE_S)


def kill_worker(ground: Ground, longest_s: float) -> None:
    """Kill a worker of `scope index`, which ends well all the same."""
    ground.edit(0.8)
    process = ground.start("index", "--rebuild", SCOPE_INDEX_WORKERS="2")
    end = time.monotonic() + longest_s * 4
    workers: list[int] = []
    while not workers and process.poll() is None and time.monotonic() < end:
        workers = [pid for pid in ground._marked() if pid != process.pid]
    if workers:
        ground.kill_within(process, longest_s / 4, ground.random.choice(workers))
    if process.wait(DEADLINE_S) != 0:
        ground.broken.append(f"index ended with {process.returncode} after a worker was killed")


def kill_server(ground: Ground, longest_s: float) -> None:
    """Kill a language server that indexes, answers and writes a document."""
    ground.edit(0.15)
    process = subprocess.Popen(
        server_command(), cwd=ground.home, env=server_environment(ground.home, ground.variables),
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None
    uri = uri_from_path(str(ground.root))
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": uri,
         "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "scope/ask", "params": {"question": QUESTION, "mode": "offline"}},
        {"id": 3, "method": "scope/ask", "params": {"question": "Where is Kiwi7?"}},
    ]  # fmt: skip
    for message in messages:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    process.stdin.flush()
    ground.kill_within(process, longest_s)
    process.kill()
    process.wait(DEADLINE_S)
    with contextlib.suppress(OSError):
        process.stdin.close()


def kill_in_merge(ground: Ground, longest_s: float) -> None:
    """Kill `scope index` while it makes one segment of many."""
    note = ground.folder / "merges"
    while not note.exists():
        ground.edit(0.02)
        ground.kill_within_function("analysis.index.merge:merge", note, "index")
    note.unlink()


def kill_in_document(ground: Ground, longest_s: float) -> None:
    """Kill `scope ask` while it writes its document."""
    note = ground.folder / "documents"
    ground.kill_within_function(
        "analysis.workspace.atomic:create_unique", note, "ask", ".", "-q", QUESTION
    )
    note.unlink()


KINDS: dict[str, Callable[[Ground, float], None]] = {
    "indexer": kill_indexer,
    "ask": kill_asker,
    "worker": kill_worker,
    "server": kill_server,
    "merge": kill_in_merge,
    "document": kill_in_document,
}


def play(
    kind: str,
    rounds: int,
    folder: Path,
    seed: int,
    check_every: int = 20,
    longest_s: float = 1e9,
    n_files: int = N_FILES,
) -> Ground:
    """Kill processes of a kind so often; what was found broken is in what is returned.

    No round begins after ``longest_s`` seconds.
    """
    ground = Ground(folder, random.Random(seed), n_files)
    ground.edit(1)
    started = time.monotonic()
    ground.start("index").wait(DEADLINE_S)
    usual_s = 1.2 * (time.monotonic() - started)
    while ground.rounds < rounds and time.monotonic() - started < longest_s:
        ground.rounds += 1
        KINDS[kind](ground, usual_s)
        ground.check_leftovers()
        if ground.rounds % check_every == 0:
            ground.check_answer()
    ground.check_answer()
    return ground


def main() -> None:
    """Print a table of kills and of what they broke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--files", type=int, default=N_FILES, help="of the code base")
    parser.add_argument("--minutes", type=float, default=1e6, help="at most, for each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("kinds", nargs="*", default=list(KINDS), help=", ".join(KINDS))
    options = parser.parse_args()
    for kind in options.kinds:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            ground = play(
                kind, options.rounds, Path(folder).resolve(), options.seed,
                longest_s=60 * options.minutes, n_files=options.files,
            )  # fmt: skip
        print(
            f"{kind:8} {ground.rounds} kills, {ground.killed_busy} while at work,"
            f" {len(ground.broken)} broken, {time.monotonic() - started:.0f} s",
            *ground.broken, sep="\n    ", flush=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
