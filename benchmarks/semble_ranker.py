"""semble 0.7 in its no-model mode (alpha 0, a dummy encoder), run by an environment that has it.

`python semble_ranker.py FOLDER`, questions as for `benchmarks.rankers`. Nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

TOP = 10


class NoModel:
    """Stands where the embedding model would: every text is the same vector, and weighs nothing."""

    dim = 8

    def encode(self, texts, **_):
        import numpy as np

        return np.ones((len(texts), self.dim), np.float32)


def main() -> None:
    os.environ["HOME"] = os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
    import semble.index.index as semble_index

    semble_index.load_model = lambda _path=None: (NoModel(), "none")
    started = time.perf_counter()
    index = semble_index.SembleIndex.from_path(Path(sys.argv[1]), model_path="none")
    index_s = time.perf_counter() - started
    results, times = [], []
    for query in json.load(sys.stdin):
        before = time.perf_counter()
        found = index.search(query, top_k=TOP, alpha=0.0)
        times.append((time.perf_counter() - before) * 1000)
        chunks = [hit.chunk for hit in found]
        results.append([(c.file_path, c.start_line, c.end_line) for c in chunks])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"index_s": index_s, "query_ms": times, "results": results, "peak_mb": peak}))


if __name__ == "__main__":
    main()
