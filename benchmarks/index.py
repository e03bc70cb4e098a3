"""Measure the code index on a folder: `python -m benchmarks.index FOLDER [--workers N]`.

Indexes a copy of the folder, each step in a fresh process, and prints one line a figure. The
memory is that of the process and its workers together, sampled while they run. Then questions are
asked of the ranking alone, in a fresh process. With `--semble FOLDER`, an environment that has
semble, the same copy is indexed and the same questions are asked by it too, without a model.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.process_memory import PeakMemory

QUESTIONS = """
How is a request routed to its handler?
Where are settings read and validated?
What happens when a connection is closed?
How are errors turned into messages for the user?
Where is the cache invalidated?
How is a query built and executed?
Who may see a record: where are permissions checked?
How are background jobs scheduled and retried?
Where are command line arguments parsed?
How is text escaped before it is rendered?
What is logged when a task fails?
How are plugins found and loaded?
Where is the session stored and expired?
How does the parser handle nested expressions?
How are tests discovered and run?
Where are dates converted between time zones?
How is a file uploaded and saved?
What limits the number of open connections?
How are migrations ordered and applied?
Where is a password hashed and compared?
""".strip().splitlines()
TERMS = ("request", "queri", "filter", "get", "model", "session", "authent", "cach")


def open_index(root: Path, cache: Path, workers: int):
    from analysis.index.code_index import CodeIndex
    from analysis.settings import IndexSettings, WorkspaceSettings
    from analysis.workspace.files import LocalFileBackend

    settings = IndexSettings(cache_dir=str(cache), workers=workers)
    return CodeIndex.open(LocalFileBackend(root, WorkspaceSettings()), settings)


def cpu_s() -> float:
    """Return the seconds of processor time of this process and its ended children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def cold(root: Path, cache: Path, workers: int) -> dict[str, object]:
    from analysis.index.difference import Order

    with PeakMemory() as memory:
        index = open_index(root, cache, workers)
        ready = index.refresh(order=Order(leave_rest=True))
        ready_cpu_s, ready_mb = cpu_s(), memory.peak_mb
        report = index.refresh()
        whole_cpu_s, started = cpu_s(), time.perf_counter()
        index.make_facts()
        facts_s = time.perf_counter() - started
        index.close()
    status = open_index(root, cache, workers).status()
    return {
        "cold until it can be searched, s": round(ready.elapsed_s, 2),
        "the same, CPU s (a busy machine inflates both)": round(ready_cpu_s, 2),
        "files that can be searched then": ready.total,
        "peak memory until then, MB": round(ready_mb),
        "cold until all files are read, s": round(ready.elapsed_s + report.elapsed_s, 2),
        "the same, CPU s": round(whole_cpu_s, 2),
        "cold until all facts are made, s": round(ready.elapsed_s + report.elapsed_s + facts_s, 2),
        "and that, CPU s": round(cpu_s(), 2),
        "files": report.total,
        "files/s": round((ready.parsed + report.parsed) / (ready.elapsed_s + report.elapsed_s)),
        "chunks": status.chunks,
        "symbols": status.symbols,
        "segments": status.segments,
        "database, MB": round(status.size_bytes / 1e6, 1),
        "peak memory, MB": round(memory.peak_mb),
        "left out": dict(report.skipped),
    }


def ask(root: Path, cache: Path, workers: int) -> dict[str, object]:
    from analysis.retrieval.search import search

    index = open_index(root, cache, workers)
    times = []
    for question in QUESTIONS * 2:
        before = time.perf_counter()
        assert search(index, question).candidates
        times.append((time.perf_counter() - before) * 1000)
    return asked_in(times, "Scope")


def asked_in(times: list[float], name: str) -> dict[str, object]:
    """Return what the first question took, and the later ones, each asked twice."""
    later = sorted(times[1:])
    return {
        f"{name}: first question, ms": round(times[0], 1),
        f"{name}: question p50, ms": round(later[len(later) // 2], 2),
        f"{name}: question p95, ms": round(later[int(len(later) * 0.95)], 2),
    }


def with_semble(root: Path, environment: Path) -> dict[str, object]:
    script = Path(__file__).with_name("semble_ranker.py")
    command = [str(environment / "bin" / "python"), str(script), str(root)]
    before = cpu_s()
    asked = json.dumps(QUESTIONS * 2)
    answer = json.loads(subprocess.check_output(command, input=asked, text=True))
    return {
        "semble without a model: cold index, s": round(answer["index_s"], 2),
        "semble: CPU s, imports and questions included": round(cpu_s() - before, 2),
        "semble: peak memory, MB": round(answer["peak_mb"]),
        **asked_in(answer["query_ms"], "semble"),
    }


def warm(root: Path, cache: Path, workers: int) -> dict[str, object]:
    started = time.perf_counter()
    index = open_index(root, cache, workers)
    report = index.refresh()
    refreshed = time.perf_counter()
    cpu = cpu_s()
    figures = {"parsed on an unchanged start": report.parsed}
    with index.view() as view:
        first = sum(len(view.postings(term)) for term in TERMS)
        found = time.perf_counter()
        times = []
        for _ in range(20):
            before = time.perf_counter()
            assert sum(len(view.postings(term)) for term in TERMS) == first
            times.append(time.perf_counter() - before)
    return {
        **figures,
        "unchanged start to refreshed, s": round(refreshed - started, 3),
        "the same, CPU s, start of Python included": round(cpu, 3),
        "unchanged start to first postings, s": round(found - started, 3),
        f"postings of {len(TERMS)} terms, rows": first,
        f"postings of {len(TERMS)} terms warm, ms": round(sorted(times)[10] * 1000, 2),
    }


def change(root: Path, cache: Path, workers: int) -> dict[str, object]:
    index = open_index(root, cache, workers)
    index.refresh()
    files = index.file_table()
    in_python = [path for path in files.paths if path.endswith(".py")]
    sizes = {path: (root / path).stat().st_size for path in in_python or files.paths}
    path = sorted(sizes, key=lambda path: abs(sizes[path] - 20_000))[0]
    named, whole = [], []
    for turn in range(10):
        text = (root / path).read_text()
        (root / path).write_text(f"{text}\n# changed {turn}\n")
        before = time.perf_counter()
        report = index.refresh_paths([path]) if turn % 2 else index.refresh()
        (named if turn % 2 else whole).append(time.perf_counter() - before)
        assert report.parsed == 1
    return {
        f"one changed file ({sizes[path] // 1000} kB), ms": round(sorted(named)[2] * 1000, 1),
        "the same with a scan of all files, ms": round(sorted(whole)[2] * 1000, 1),
        "segments after 10 changes": index.status().segments,
    }


STEPS = {"cold": cold, "warm": warm, "ask": ask, "change": change}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--semble", type=Path, help="an environment that has semble")
    parser.add_argument("--step", choices=STEPS)
    parser.add_argument("--cache", type=Path)
    args = parser.parse_args()
    if args.step:
        print(json.dumps(STEPS[args.step](args.folder, args.cache, args.workers)))
        return
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder, args.folder.name), Path(folder, "cache")
        shutil.copytree(args.folder, root, symlinks=True)
        for step in ("cold", "warm", "warm", "ask", "change"):
            command = [sys.executable, "-m", "benchmarks.index", str(root), "--step", step]
            command += ["--cache", str(cache), "--workers", str(args.workers)]
            for name, value in json.loads(subprocess.check_output(command)).items():
                print(f"{name:50} {value}", flush=True)
        for name, value in (with_semble(root, args.semble) if args.semble else {}).items():
            print(f"{name:50} {value}", flush=True)


if __name__ == "__main__":
    main()
