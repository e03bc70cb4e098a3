"""Index a synthetic monorepo and kill a smaller one: `python -m benchmarks.monorepo FOLDER`.

Makes ``--files`` files (200,000 by default, of ``--file-bytes`` on average: 2 GB) below FOLDER,
indexes them once, asks questions with another process, with one that keeps running and with the
language server, then makes a tenth of them and kills the writer with -9 at ten random moments.
With ``--kill-whole`` the writer of all of them is killed on its way, and no tenth is made.
Everything is removed at the end, but what was in FOLDER before: files that are there are used.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.index import cpu_s, open_index
from benchmarks.process_memory import PeakMemory
from benchmarks.synthetic import generate

QUESTION = "How does the service resolve and publish the merged items of a context?"
N_KILLS = 10


def index_step(root: Path, cache: Path) -> dict[str, object]:
    with PeakMemory() as memory:
        report = open_index(root, cache, 0).refresh()
    return {
        "seconds": round(report.elapsed_s, 1),
        "parsed": report.parsed,
        "files/s": round(report.parsed / report.elapsed_s, 1),
        "CPU s": round(cpu_s(), 1),
        "complete": report.complete,
        "peak memory, MB": round(memory.peak_mb),
    }


def facts_step(root: Path, cache: Path) -> dict[str, object]:
    index = open_index(root, cache, 0)
    with PeakMemory() as memory:
        started = time.perf_counter()
        is_all = index.make_facts()
    return {
        "all facts made": is_all,
        "facts, s": round(time.perf_counter() - started, 1),
        "facts, CPU s": round(cpu_s(), 1),
        "facts: peak memory, MB": round(memory.peak_mb),
    }


def ask_step(root: Path, cache: Path) -> dict[str, object]:
    from analysis.retrieval.search import search

    started = time.perf_counter()
    index = open_index(root, cache, 0)
    report = index.refresh()
    refreshed = time.perf_counter()
    search(index, QUESTION)
    first = time.perf_counter()
    found = search(index, QUESTION)
    second = time.perf_counter()
    assert report.parsed == 0
    assert found.candidates
    with PeakMemory() as memory:
        time.sleep(0.2)
    status = index.status()
    return {
        "unchanged start with a scan of all files, s": round(refreshed - started, 2),
        "first search of a process, s": round(first - refreshed, 2),
        "search in a running process, s": round(second - first, 3),
        "memory of a running process, MB": round(memory.peak_mb),
        "database, MB": round(status.size_bytes / 1e6),
        "files": status.searched,
        "chunks": status.chunks,
        "symbols": status.symbols,
        "segments": status.segments,
    }


def server_step(root: Path, cache: Path) -> dict[str, object]:
    return asyncio.run(_asked_server(root, cache))


async def _asked_server(root: Path, cache: Path) -> dict[str, object]:
    """Ask a language server that has opened the folder: once, and again while it keeps running."""
    from lsprotocol import types

    from benchmarks.server_start import resident_mb, started, stopped, timed
    from lsp_server import protocol

    options = {"index": {"cacheDir": str(cache)}}
    with tempfile.TemporaryDirectory() as home:
        client, _ = await started(Path(home), root, options)
        begin = time.perf_counter()
        client.initialized(types.InitializedParams())
        while not any(status["state"] == "ready" for status in client.statuses):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        ready = time.perf_counter() - begin
        asked = [await timed(client, protocol.ASK.method, {"question": QUESTION}) for _ in range(3)]
        found = await timed(client, protocol.ANALYZE.method, {"query": QUESTION})
        assert client._server is not None
        memory = resident_mb(client._server.pid)
        await stopped(client)
    return {
        "server: unchanged code base ready, s": round(ready, 2),
        "server: first answer, s": round(asked[0], 2),
        "server: answer while it keeps running, s": round(min(asked[1:]), 3),
        "server: places for a question, s": round(found, 3),
        "server: memory, MB": round(memory),
    }


def stored_step(root: Path, cache: Path) -> dict[str, object]:
    status = open_index(root, cache, 0).status()
    return {"stored": status.files, "total": status.total}


def check_step(root: Path, cache: Path) -> dict[str, object]:
    index = open_index(root, cache, 0)
    n_files = index.status().files
    numbers = range(0, n_files, 97)
    lost = [i for i in numbers if len(index.files_with_identifier(f"marker_{i}")) != 1]
    return {"files": n_files, "sampled markers": len(numbers), "lost": lost}


STEPS = {
    "index": index_step,
    "facts": facts_step,
    "ask": ask_step,
    "server": server_step,
    "stored": stored_step,
    "check": check_step,
}


def start(step: str, root: Path, cache: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.monorepo", str(root), "--step", step]
    return subprocess.Popen([*command, "--cache", str(cache)], stdout=subprocess.PIPE, text=True)


def figures(step: str, root: Path, cache: Path) -> dict[str, object]:
    out, _ = start(step, root, cache).communicate()
    result: dict[str, object] = json.loads(out)
    return result


def kills(root: Path, cache: Path, longest_s: float) -> None:
    """Kill the writer again and again; nothing that was stored may be lost or read again."""
    choose = random.Random(11)
    before = 0
    for number in range(N_KILLS):
        wait_s = choose.uniform(longest_s / 40, longest_s)
        writer = start("index", root, cache)
        try:
            writer.wait(wait_s)
        except subprocess.TimeoutExpired:
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        status = figures("stored", root, cache)
        print(f"kill {number + 1} after {wait_s:.1f} s: {status}", flush=True)
        assert isinstance(status["stored"], int)
        assert status["stored"] >= before, "work was lost"
        before = status["stored"]
    print("resumed:", figures("index", root, cache))
    print("checked:", figures("check", root, cache))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=200_000)
    parser.add_argument("--file-bytes", type=int, default=10_000)
    parser.add_argument("--only-kills", action="store_true")
    parser.add_argument("--kill-whole", action="store_true", help="kill the writer of all files")
    parser.add_argument("--longest-s", type=float, default=20.0, help="latest moment of a kill")
    parser.add_argument("--step", choices=STEPS)
    parser.add_argument("--cache", type=Path)
    args = parser.parse_args()
    if args.step:
        print(json.dumps(STEPS[args.step](args.folder, args.cache)))
        return
    whole, part, cache = (args.folder / name for name in ("whole", "tenth", "cache"))
    made = [folder for folder in (whole, part, cache) if not folder.exists()]
    try:
        if not args.only_kills:
            make(whole, args.files, args.file_bytes)
            if args.kill_whole:
                kills(whole, cache, args.longest_s)
            for step in ("index", "ask", "facts", "server"):
                for name, value in figures(step, whole, cache).items():
                    print(f"{name:50} {value}", flush=True)
        if not args.kill_whole:
            make(part, args.files // 10, args.file_bytes)
            kills(part, cache, args.longest_s)
    finally:
        for folder in made:
            shutil.rmtree(folder, ignore_errors=True)


def make(folder: Path, n_files: int, file_bytes: int) -> None:
    if not folder.exists():
        size = generate(folder, n_files, file_bytes)
        print(f"{n_files} files, {size / 1e9:.2f} GB", flush=True)


if __name__ == "__main__":
    main()
