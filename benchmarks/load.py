"""A day of editing in minutes, and many runs at once, on one folder.

    python -m benchmarks.load [--minutes 10] [--files 5000] [--editors 2] [--runs 50]

Real language servers over their pipes, each driven as an editor drives it: files are opened,
edited key by key, saved and closed, what is under the cursor and its uses asked for, questions
asked, some cancelled. Now and then a branch is switched that changes a fifth of the files, and a
terminal asks. Then so many `scope ask` are started at once. Prints tables: latencies, memory and
its slope over the second half, open handles, processes, processor time, and how much of the
machine others had. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from benchmarks.process_memory import tree_mb
from benchmarks.synthetic import generate
from tests.cli.program import COMMAND, environment
from tests.lsp.session import Editor, editing

_QUESTION = "Where is marker_{n} used and who calls it?"
_SAMPLE_S = 5.0
_FILE_BYTES = 2_500
Latencies = dict[str, list[float]]
Sample = tuple[float, float, int, int, float]
"""Seconds, megabytes, open handles, processes, and processor seconds."""


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--editors", type=int, default=2)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve()
        root = _repository(home / "code", options.files)
        if options.minutes:
            asyncio.run(_edited(home, root, options))
        if options.runs:
            _at_once(home, root, options.runs)


def _repository(root: Path, n_files: int) -> Path:
    """Make a code base with two branches of which a fifth of the files differ."""
    generate(root, n_files, _FILE_BYTES)
    _git(root, "init", "-q", "-b", "one")
    _git(root, "add", ".")
    _git(root, "commit", "-q", "-m", "one")
    _git(root, "checkout", "-q", "-b", "two")
    for path in _sources(root)[::5]:
        path.write_text(path.read_text("utf-8") + "\n\nbranch_two = 2\n", "utf-8")
    _git(root, "commit", "-q", "-a", "-m", "two")
    return root


def _git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "gc.auto=0")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def _sources(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*.*") if path.is_file() and ".git" not in path.parts)


async def _edited(home: Path, root: Path, options: argparse.Namespace) -> None:
    """Let editors, a terminal and branch switches work until the time is over."""
    times: Latencies = defaultdict(list)
    samples: dict[int, list[Sample]] = defaultdict(list)
    end = time.monotonic() + 60 * options.minutes
    before = _busy_s(), sum(os.times()[:4]), time.monotonic()
    async with asyncio.TaskGroup() as group:
        for number in range(options.editors):
            choose = random.Random(options.seed + number)
            group.create_task(_editor(home, root, choose, end, times, samples[number]))
        group.create_task(_terminal(home, root, end, times))
        group.create_task(_branches(root, end, times))
    busy_s, own_s = _busy_s() - before[0], sum(os.times()[:4]) - before[1]
    everything_s = (os.cpu_count() or 1) * (time.monotonic() - before[2])
    print(
        f"Others had {(busy_s - own_s) / everything_s:.0%} of the machine, this {own_s:.0f} CPU s\n"
    )
    _print_latencies(times)
    print("\n| server | first MB | last MB | MB/h, second half | handles | processes | CPU s |")
    print("|---|---|---|---|---|---|---|")
    for number, taken in samples.items():
        half = taken[len(taken) // 2 :]
        slope = statistics.linear_regression([s[0] for s in half], [s[1] for s in half]).slope
        handles, processes = [s[2] for s in taken], [s[3] for s in taken]
        print(
            f"| {number + 1} | {taken[0][1]:.0f} | {taken[-1][1]:.0f} | {3600 * slope:+.0f}"
            f" | {handles[0]} to {handles[-1]}, most {max(handles)}"
            f" | {processes[0]} to {processes[-1]}, most {max(processes)} | {taken[-1][4]:.0f} |"
        )


async def _editor(
    home: Path, root: Path, choose: random.Random, end: float, times: Latencies, taken: list[Sample]
) -> None:
    """Work as somebody at an editor does, as fast as the server answers."""
    files = await asyncio.to_thread(_sources, root)
    async with editing(home, root, editor="neovim") as editor:
        await editor.ready()
        server = editor._server
        assert server is not None
        watching = asyncio.create_task(_sampled(server.pid, taken))
        for cycle in itertools.count():
            if time.monotonic() > end:
                break
            await _cycle(editor, choose, choose.choice(files), cycle, times)
        watching.cancel()
        # What is held when nothing is left to do.
        await asyncio.sleep(_SAMPLE_S)
        taken.append(_sample(server.pid))


async def _cycle(
    editor: Editor, choose: random.Random, path: Path, cycle: int, times: Latencies
) -> None:
    """Open, edit, look around, save and close one file; sometimes ask."""
    try:
        text = await asyncio.to_thread(path.read_text, "utf-8")
    except FileNotFoundError:
        return
    uri = editor.open(path, text)
    document = types.TextDocumentIdentifier(uri)
    for version in range(2, 12):
        at = types.Position(choose.randrange(text.count("\n") + 1), 0)
        editor.edit(uri, version, types.Range(at, at), choose.choice(["x", "\n", "# word ", "()"]))
    hover = types.HoverParams(document, types.Position(choose.randrange(9), 6))
    await _timed(times, "hover", editor.text_document_hover_async(hover))
    where = types.DefinitionParams(document, types.Position(0, 3))
    await _timed(times, "definition", editor.text_document_definition_async(where))
    if cycle % 3 == 0:
        context = types.ReferenceContext(include_declaration=True)
        uses = types.ReferenceParams(context, document, types.Position(0, 3))
        await _timed(times, "uses", editor.text_document_references_async(uses))
    if cycle % 2:
        await asyncio.to_thread(path.write_text, text + f"\n# saved {cycle}\n", "utf-8")
        editor.text_document_did_save(types.DidSaveTextDocumentParams(document))
        change = types.FileEvent(uri, types.FileChangeType.Changed)
        editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    if cycle % 5 == 0:
        question = _QUESTION.format(n=choose.randrange(500))
        await _timed(times, "question", editor.ask(question, mode="offline"))
    if cycle % 7 == 0:
        await _timed(times, "question, cancelled", _cancelled(editor, f"cancelled-{cycle}"))
    editor.text_document_did_close(types.DidCloseTextDocumentParams(document))


async def _cancelled(editor: Editor, name: str) -> None:
    """Ask, change one's mind a moment later, and wait for the answer that it is cancelled."""
    params = {"question": _QUESTION.format(n=7), "mode": "offline"}
    asking = asyncio.create_task(editor.request("scope/ask", params, name))
    await asyncio.sleep(0.05)
    editor.cancel_request(types.CancelParams(name))
    try:
        await asking
    except JsonRpcException:
        return


async def _timed(times: Latencies, name: str, waiting: Awaitable[Any]) -> None:
    started = time.perf_counter()
    await waiting
    times[name].append(time.perf_counter() - started)


async def _terminal(home: Path, root: Path, end: float, times: Latencies) -> None:
    """Ask from a terminal now and then."""
    for number in itertools.count():
        if time.monotonic() > end:
            return
        process = await asyncio.create_subprocess_exec(
            *_asking(home, number), cwd=root, env=environment(home),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        started = time.perf_counter()
        _, errors = await process.communicate()
        times["question at a terminal"].append(time.perf_counter() - started)
        if process.returncode:
            print(f"A question at a terminal ended with {process.returncode}: {errors.decode()}")
        await asyncio.sleep(10)


def _asking(home: Path, number: int) -> list[str]:
    question = _QUESTION.format(n=number)
    output = str(home / "answers")
    return [*COMMAND, "ask", ".", "-q", question, "--mode", "offline", "--output", output]


async def _branches(root: Path, end: float, times: Latencies) -> None:
    """Switch between the branches now and then; what was saved is thrown away."""
    for name in itertools.cycle(["one", "two"]):
        await asyncio.sleep(10)
        if time.monotonic() > end:
            return
        await _timed(
            times, "(git switches branches)", asyncio.to_thread(_git, root, "checkout", "-qf", name)
        )


async def _sampled(pid: int, taken: list[Sample]) -> None:
    while True:
        taken.append(await asyncio.to_thread(_sample, pid))
        await asyncio.sleep(_SAMPLE_S)


def _sample(pid: int) -> Sample:
    tree = _tree(pid)
    handles = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return time.monotonic(), tree_mb(pid), handles, len(tree), _used_s(pid)


def _used_s(pid: int) -> float:
    """Return the processor seconds of a process and of its children that have ended."""
    stat = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK")


def _busy_s() -> float:
    """Return the processor seconds that the whole machine has worked since it was started."""
    user, nice, system, _, _, *interrupts = map(
        int, Path("/proc/stat").read_text("utf-8").split("\n")[0].split()[1:8]
    )
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def _tree(pid: int) -> list[int]:
    """Return a process and all that come of it."""
    children = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            children += (task / "children").read_text("ascii").split()
        except OSError:
            continue
    return [pid, *(found for child in children for found in _tree(int(child)))]


def _print_latencies(times: Latencies) -> None:
    print("| what | times | p50 | p95 | p99 | worst |\n|---|---|---|---|---|---|")
    for name, taken in sorted(times.items()):
        taken.sort()
        parts = [taken[min(int(len(taken) * share), len(taken) - 1)] for share in (0.5, 0.95, 0.99)]
        row = " | ".join(f"{1000 * value:.0f} ms" for value in (*parts, taken[-1]))
        print(f"| {name} | {len(taken)} | {row} |")


def _at_once(home: Path, root: Path, n_runs: int) -> None:
    """Start many runs at once, with no index, and look at what each did."""
    fresh = home / "fresh"
    fresh.mkdir()
    started = time.monotonic()
    runs = [
        subprocess.Popen(
            _asking(fresh, 1), cwd=root, env=environment(fresh),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )
        for _ in range(n_runs)
    ]  # fmt: skip
    errors = [run.communicate()[1].decode() for run in runs]
    failed = [error for run, error in zip(runs, errors, strict=True) if run.returncode]
    documents = {path.read_bytes() for path in (fresh / "answers").glob("*.md")}
    n_documents = len(list((fresh / "answers").glob("*.md")))
    n_read = sum("indexed" in error.lower() for error in errors)
    print(
        f"\n{n_runs} runs at once: {n_runs - len(failed)} answered, {n_documents} documents,"
        f" {len({_without_head(document) for document in documents})} different,"
        f" {time.monotonic() - started:.0f} s, {n_read} say that they read files"
    )
    sys.stdout.writelines(failed[:3])


def _without_head(document: bytes) -> bytes:
    return document.split(b"\n---\n", 1)[-1]


if __name__ == "__main__":
    main()
