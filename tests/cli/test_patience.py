"""A question during indexing waits a little, then answers from what was read, and says so."""

from __future__ import annotations

import threading
from pathlib import Path

from analysis.engine import Engine


def project(root: Path, n_files: int) -> Path:
    for number in range(n_files):
        (root / f"m{number}.py").write_text(f"def f{number}():\n    return {number}\n")
    return root


def test_a_search_during_indexing_is_partial_and_says_so(tmp_path: Path):
    root = project(tmp_path, 120)
    with Engine.open(root) as engine:
        held, go = threading.Event(), threading.Event()

        def on_progress(done: int, total: int) -> None:
            held.set()
            go.wait(60)

        indexing = threading.Thread(target=engine.refresh, args=(on_progress,))
        indexing.start()
        assert held.wait(60)
        found = engine.analyze("f3")
        assert not found.complete
        assert any("not read" in notice or "still being read" in notice for notice in found.notices)
        go.set()
        indexing.join()
        again = engine.analyze("f3")
        assert again.complete
        assert again.hits[0].symbol == "f3"
