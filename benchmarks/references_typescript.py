"""References in TypeScript, with the TypeScript server as the oracle.

python -m benchmarks.references_typescript oracle trpc    # asks the server, stores its answers
python -m benchmarks.references_typescript [zod] [trpc]   # compares

Scope was tuned on zod; trpc was held out.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

from analysis.parsing.find_symbols import walk
from analysis.parsing.outline import outline_of
from benchmarks.reference_oracle import CORPORA, ask, oracle_path, start_typescript
from benchmarks.reference_symbols import SEED, Symbol
from benchmarks.references import Found, _list_misses, _row, show

CORPORA_NAMES = ("zod", "trpc")
_PER_KIND = 24
# Not drawn from: tests, measurements, and tables of texts.
_LEFT_OUT = ("/tests/", "/benchmarks/", "/locales/", "/vendor/")


def symbols(root: Path) -> list[Symbol]:
    """Return definitions of each kind, drawn at random with a fixed seed."""
    found: dict[str, list[Symbol]] = {}
    for path in sorted((root / "src").rglob("*.ts")):
        relative = path.relative_to(root).as_posix()
        if any(part in relative for part in _LEFT_OUT):
            continue
        for info in walk(outline_of(relative, path.read_text("utf-8"))):
            symbol = Symbol(
                relative,
                info.name,
                info.qualified_name,
                info.kind,
                info.name_line,
                info.name_column,
            )
            if info.name.isidentifier() and info.name != "constructor":
                found.setdefault(info.kind, []).append(symbol)
    rng = random.Random(SEED)
    return [
        symbol
        for kind in sorted(found)
        for symbol in rng.sample(found[kind], min(_PER_KIND, len(found[kind])))
    ]


def build(corpus: str) -> None:
    """Ask the TypeScript server twice about each symbol and store its warm answers."""
    root = (CORPORA / corpus).resolve()
    server = start_typescript(root)
    for path in sorted((root / "src").rglob("*.ts")):
        item = {"uri": path.as_uri(), "languageId": "typescript", "version": 1}
        item["text"] = path.read_text("utf-8")
        server.notify("textDocument/didOpen", {"textDocument": item})
    rows = []
    for turn in ("first", "warm"):
        rows = []
        for symbol in symbols(root):
            places = ask(server, root, symbol, 300, "typescript", is_open=True)
            fields = {name: getattr(symbol, name) for name in Symbol.__slots__}
            rows.append({**fields, "places": sorted(places)})
        print(turn, len(rows), sum(len(row["places"]) for row in rows), file=sys.stderr)
    oracle_path(corpus).write_bytes(gzip.compress(json.dumps(rows).encode(), mtime=0))
    server.kill()


def compare(corpus: str, *, misses: bool) -> None:
    """Print how our answers compare."""
    from benchmarks.references import ours

    rows: list[dict[str, Any]] = []
    with gzip.open(oracle_path(corpus), "rt") as file:
        answers = json.load(file)
    with ours((CORPORA / corpus).resolve()) as find:
        for symbol in answers:
            symbol["corpus"] = corpus
            started = time.perf_counter()
            found: Found = find(symbol)
            first_s = time.perf_counter() - started
            started = time.perf_counter()
            find(symbol)
            row = _row(symbol, found, first_s, time.perf_counter() - started)
            rows.append({**row, "memory_mb": 0})
    for kind in sorted({row["kind"] for row in rows}):
        show(f"  {kind}", [row for row in rows if row["kind"] == kind], {})
    show(corpus, rows, {})
    if misses:
        _list_misses(corpus, rows, {})


if __name__ == "__main__":
    for name in CORPORA_NAMES:
        if not set(CORPORA_NAMES) & set(sys.argv) or name in sys.argv:
            build(name) if "oracle" in sys.argv else compare(name, misses="--misses" in sys.argv)
