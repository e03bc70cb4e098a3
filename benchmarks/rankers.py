"""The engines that are compared: each indexes a folder and then answers questions with places.

Run as `python -m benchmarks.rankers ENGINE FOLDER`, with the questions as a JSON list on stdin: one
process an engine and folder, so that times and memory are its own. Prints one JSON object.
"""

from __future__ import annotations

import json
import math
import re
import resource
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

Answer = Callable[[str], list[tuple[str, int | None, int | None]]]
TOP = 10
_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])|[a-z0-9]+")


def scope(root: Path, *, only_ready: bool = False) -> Answer:
    """Index with Scope, as `scope analyze` searches."""
    from analysis.index import workers
    from analysis.index.code_index import CodeIndex
    from analysis.index.difference import Order
    from analysis.retrieval.search import SearchOptions, search
    from analysis.settings import IndexSettings
    from analysis.workspace.files import LocalFileBackend

    index = CodeIndex.open(LocalFileBackend(root), IndexSettings(cache_dir=tempfile.mkdtemp()))
    if only_ready:
        workers._MIN_BYTES = 1  # Packages are small: have them read as large code bases are.
    index.refresh(order=Order(leave_rest=only_ready))
    options = SearchOptions(top_k=TOP)
    return lambda query: [
        (c.path, c.line_start, c.line_end) for c in search(index, query, options).candidates
    ]


def scope_ready(root: Path) -> Answer:
    """The same, of the files alone that are read before a large code base can be searched."""
    return scope(root, only_ready=True)


def bm25(root: Path) -> Answer:
    """Index whole files with plain BM25 over lower-case words, identifiers taken apart."""
    counts = {path: Counter(_words(text)) for path, text in _texts(root).items()}
    lengths = {path: sum(count.values()) for path, count in counts.items()}
    mean = sum(lengths.values()) / max(len(lengths), 1)
    frequency = Counter(word for count in counts.values() for word in count)

    def answer(query: str) -> list[tuple[str, int | None, int | None]]:
        scores: dict[str, float] = defaultdict(float)
        for word in set(_words(query)):
            df = frequency[word]
            idf = math.log(1 + (len(counts) - df + 0.5) / (df + 0.5))
            for path, count in counts.items():
                if tf := count[word]:
                    norm = 1.2 * (0.25 + 0.75 * lengths[path] / mean)
                    scores[path] += idf * tf * 2.2 / (tf + norm)
        return _best(scores)

    return answer


def grep(root: Path) -> Answer:
    """Count keywords as grep would: files by how many distinct ones they hold, then by hits."""
    texts = {path: text.lower() for path, text in _texts(root).items()}

    def answer(query: str) -> list[tuple[str, int | None, int | None]]:
        words = {word for word in re.split(r"[^a-z0-9_]+", query.lower()) if len(word) > 2}
        scores: dict[str, float] = {}
        for path, text in texts.items():
            hits = [text.count(word) for word in words]
            scores[path] = sum(map(bool, hits)) * 1_000_000 + sum(hits)
        return _best(scores)

    return answer


ENGINES = {"scope": scope, "scope-ready": scope_ready, "bm25": bm25, "grep": grep}


def run(engine: Callable[[Path], Answer], root: Path, queries: list[str]) -> dict[str, object]:
    """Return an engine's places for every question, with its times and memory."""
    started = time.perf_counter()
    answer = engine(root)
    index_s = time.perf_counter() - started
    results, times = [], []
    for query in queries:
        before = time.perf_counter()
        results.append(answer(query))
        times.append((time.perf_counter() - before) * 1000)
    usage = [resource.getrusage(who).ru_maxrss for who in
             (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]  # fmt: skip
    return {"index_s": index_s, "query_ms": times, "results": results, "peak_mb": max(usage) / 1024}


def _texts(root: Path) -> dict[str, str]:
    """Return the text of every file that Scope would search too."""
    from analysis.workspace.files import LocalFileBackend

    files = LocalFileBackend(root)
    loaded = [files.load(file.path) for file in files.scan().files]
    return {file.path: file.source.text for file in loaded if file.source is not None}


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _best(scores: dict[str, float]) -> list[tuple[str, int | None, int | None]]:
    best = sorted(scores.items(), key=lambda item: -item[1])[:TOP]
    return [(path, None, None) for path, score in best if score > 0]


if __name__ == "__main__":
    print(json.dumps(run(ENGINES[sys.argv[1]], Path(sys.argv[2]), json.load(sys.stdin))))
