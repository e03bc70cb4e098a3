"""What the oracle thinks of the uses that only Scope found.

    python -m benchmarks.reference_judgements CORPUS [...]

Pyright does not list a use if it cannot follow the receiver, or if it takes the code around it
for unreachable on this platform. So each extra use is looked at from the other end: where does
pyright's "go to definition" lead from there? ``same``: to the symbol, so the use is right;
``none``: nowhere, pyright has no opinion; ``other``: elsewhere, the use is wrong.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from benchmarks.reference_oracle import CORPORA, LAYOUT, PYTHON, start_pyright
from benchmarks.references import JUDGED, judgements, measure


def judge(corpus: str) -> dict[str, str]:
    """Return the oracle's word on each place that only Scope found."""
    root = (CORPORA / LAYOUT[corpus][0]).resolve()
    rows = [row for row in measure(corpus, "ours") if row["wrong"]]
    server = start_pyright(root)
    judged: dict[str, str] = {}
    opened: set[str] = set()
    for row in rows:
        for path, line, column in row["wrong"]:
            uri = (root / path).as_uri()
            text = (root / path).read_text("utf-8")
            if uri not in opened:
                opened.add(uri)
                item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
                server.notify("textDocument/didOpen", {"textDocument": item})
            before = text.split("\n")[line - 1][:column]
            place = {"line": line - 1, "character": len(before.encode("utf-16-le")) // 2}
            answer = server.request(
                "textDocument/definition", {"textDocument": {"uri": uri}, "position": place}, 300
            )
            judged[f"{path}:{line}:{column}"] = _word(answer or [], row, root)
    server.kill()
    return judged


def _word(answer: list[dict[str, Any]], row: dict[str, Any], root: Path) -> str:
    if not answer:
        return "none"
    for location in answer:
        path = Path(unquote(location["uri"].removeprefix("file://")))
        if path == root / row["path"]:
            return "same"
    return "other"


def main() -> None:
    """Judge the corpora that are named, or all."""
    known = judgements()
    for corpus in sys.argv[1:] or PYTHON:
        known[corpus] = judge(corpus)
        print(corpus, Counter(known[corpus].values()))
    JUDGED.write_bytes(gzip.compress(json.dumps(known, sort_keys=True).encode(), mtime=0))


if __name__ == "__main__":
    main()
