"""How long an editor waits for diagnostics after a keystroke in code that documents cite.

    python -m benchmarks.editor_latency [--documents 200] [--references 30] [--keys 60]

The real language server, as a process; the client is told of diagnostics by the server. A key is
typed into an open file that documents cite, and the time is taken until every document that is
touched has got its diagnostics. Half of the keys add a line and move all that is below it. The
pause that the server waits for further keys is told apart. Prints a table.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from lsprotocol import types

from benchmarks.verify_speed import cited_packages
from lsp_server.documents.watch import DEBOUNCE_S
from tests.lsp.session import Editor, editing

_QUIET_S = 1.0
"""Seconds without a message after which all diagnostics of a key have come."""


class Watching:
    """Notes when diagnostics come."""

    def __init__(self, editor: Editor) -> None:
        self.last = 0.0
        self.count = 0
        keep = editor.diagnostics

        class Noting(dict[str, Any]):
            def __setitem__(noting, uri: str, items: Any) -> None:
                self.last = time.perf_counter()
                self.count += 1
                super().__setitem__(uri, items)

        editor.diagnostics = Noting(keep)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--references", type=int, default=30)
    parser.add_argument("--keys", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "code")
        answers = cited_packages(root, options.documents, options.references)
        asyncio.run(_measure(Path(folder), root, answers, options.keys))


async def _measure(home: Path, root: Path, answers: Path, n_keys: int) -> None:
    cited = _cited_files(root, answers)
    async with editing(home, root, editor="neovim") as editor:
        watching = Watching(editor)
        await editor.ready()
        verified = await editor.command("scope.verifyAll")
        print(f"held: {verified}")
        rng = random.Random(4)
        rows: dict[str, list[float]] = {"same lines": [], "a line more": []}
        touched = []
        for number in range(n_keys):
            kind = "a line more" if number % 2 else "same lines"
            path = rng.choice(cited)
            took, count = await _key(editor, watching, path, "# x\n" if number % 2 else "x", rng)
            if count:
                rows[kind].append(1000 * (took - DEBOUNCE_S))
                touched.append(count)
    _print(rows, touched)


async def _key(
    editor: Editor, watching: Watching, path: Path, typed: str, rng: random.Random
) -> tuple[float, int]:
    """Type into a file and undo it; return seconds until the last diagnostics, and how many."""
    text = await asyncio.to_thread(path.read_text)
    uri = editor.open(path, text)
    await asyncio.sleep(_QUIET_S)
    line = rng.randrange(text.count("\n") or 1)
    before, started = watching.count, time.perf_counter()
    at = types.Position(line, 0)
    editor.edit(uri, 2, types.Range(at, at), typed)
    await _quiet(watching, started)
    took, count = watching.last - started, watching.count - before
    close = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
    editor.text_document_did_close(close)
    await _quiet(watching, time.perf_counter())
    return took, count


async def _quiet(watching: Watching, since: float) -> None:
    # What is waited for is that nothing comes.
    while (left := max(since, watching.last) + _QUIET_S - time.perf_counter()) > 0:  # noqa: ASYNC110
        await asyncio.sleep(left)


def _cited_files(root: Path, answers: Path) -> list[Path]:
    """Return the files that the documents cite."""
    from analysis.documents import read_document

    paths = {i.reference.path for d in answers.iterdir() for i in read_document(d).references}
    return [root / path for path in sorted(paths)]


def _print(rows: dict[str, list[float]], touched: list[int]) -> None:
    print(
        f"documents with other diagnostics after a key: {statistics.mean(touched):.0f} on average"
    )
    print("| key | keys | p50 | p95 | worst |\n|---|---|---|---|---|")
    for name, times in (*rows.items(), ("all", [t for part in rows.values() for t in part])):
        ranked = sorted(times)
        if ranked:
            p95 = ranked[min(int(0.95 * len(ranked)), len(ranked) - 1)]
            numbers = f"{statistics.median(ranked):.0f} ms | {p95:.0f} ms | {ranked[-1]:.0f} ms"
            print(f"| {name} | {len(ranked)} | {numbers} |")


if __name__ == "__main__":
    main()
