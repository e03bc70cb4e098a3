"""Pyright's answers to "who uses this?", stored so that the benchmark can be repeated.

    python -m benchmarks.reference_corpora            # sources and servers, once
    python -m benchmarks.reference_oracle [CORPUS ...]

Each symbol is asked about twice: while pyright is still evaluating files its first answers
under-report, so the second, warm ones are kept.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from analysis.backends.lsp_connection import LspConnection, ServerFailed
from benchmarks.reference_symbols import Symbol, sample

DATA = Path(__file__).parent / "data"
ORACLES = Path(__file__).parent / "oracles"
CORPORA = DATA / "corpora"

# Folder below ``corpora`` and the package whose definitions are drawn.
LAYOUT = {
    "requests": ("requests", "src/requests/"),
    "httpx": ("httpx", "httpx/"),
    "rich": ("rich", "rich/"),
    "fastapi": ("fastapi", "fastapi/"),
    "django": ("django", "django/"),
    "zod": ("zod", "src/"),
    "trpc": ("trpc", "src/"),
}
PYTHON = ("requests", "httpx", "rich", "fastapi", "django")
_FIRST_LIMIT_S = 900.0


def oracle_path(corpus: str) -> Path:
    """Return the file that holds the oracle's answers for a corpus."""
    return ORACLES / f"references-{corpus}.json.gz"


def load(corpus: str) -> list[dict[str, Any]]:
    """Return the stored answers: symbols, each with ``places`` as [path, line, column]."""
    with gzip.open(oracle_path(corpus), "rt") as file:
        return list(json.load(file))


def start_pyright(root: Path) -> LspConnection:
    """Return a pyright that has taken in the corpus."""
    command = ["node", str(DATA / "node_modules/pyright/langserver.index.js"), "--stdio"]
    return _started(command, root)


def start_typescript(root: Path) -> LspConnection:
    """Return a TypeScript server that has taken in a folder."""
    program = DATA / "node_modules/typescript-language-server/lib/cli.mjs"
    server = LspConnection(["node", str(program), "--stdio"], root)
    tsserver = str(DATA / "node_modules/typescript/lib/tsserver.js")
    server.request(
        "initialize",
        {
            "processId": None,
            "rootUri": root.as_uri(),
            "capabilities": {},
            "initializationOptions": {"tsserver": {"path": tsserver}},
            "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
        },
        120,
    )
    server.notify("initialized", {})
    return server


def start_ty(root: Path) -> LspConnection:
    """Return ty's server; it comes with ``pip install ty``."""
    import shutil

    program = shutil.which("ty") or str(DATA / "ty/bin/ty")
    return _started([program, "server"], root)


def _started(command: list[str], root: Path) -> LspConnection:
    analysis = {"diagnosticMode": "openFilesOnly", "indexing": True, "autoSearchPaths": True}
    server = LspConnection(
        command,
        root,
        environment={"NODE_OPTIONS": "--max-old-space-size=4096"},
        configuration={"python": {"analysis": analysis}, "python.analysis": analysis},
    )
    server.request(
        "initialize",
        {
            "processId": None,
            "rootUri": root.as_uri(),
            "capabilities": {"workspace": {"configuration": True}},
            "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
        },
        120,
    )
    server.notify("initialized", {})
    return server


def ask(
    server: LspConnection,
    root: Path,
    symbol: Symbol,
    timeout_s: float,
    language: str = "python",
    *,
    is_open: bool = False,
) -> list[list[Any]]:
    """Return the places where a server sees the symbol used, its definition included.

    Args:
        server: The server.
        root: The corpus.
        symbol: What is asked about.
        timeout_s: How long the server may take.
        language: As the protocol names it.
        is_open: Whether the server has the file open already, and keeps it open.
    """
    uri = (root / symbol.path).as_uri()
    text = (root / symbol.path).read_text("utf-8")
    item = {"uri": uri, "languageId": language, "version": 1, "text": text}
    if not is_open:
        server.notify("textDocument/didOpen", {"textDocument": item})
    before = text.split("\n")[symbol.line - 1][: symbol.column]
    answer = server.request(
        "textDocument/references",
        {
            "textDocument": {"uri": uri},
            "position": {
                "line": symbol.line - 1,
                "character": len(before.encode("utf-16-le")) // 2,
            },
            "context": {"includeDeclaration": True},
        },
        timeout_s,
    )
    if not is_open:
        server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    inside = [x for x in answer or [] if x["uri"].startswith(root.as_uri() + "/")]
    return [_place(root, location) for location in inside]


def _place(root: Path, location: dict[str, Any]) -> list[Any]:
    path = Path(unquote(location["uri"].removeprefix("file://"))).relative_to(root).as_posix()
    start = location["range"]["start"]
    line = (root / path).read_text("utf-8").split("\n")[start["line"]]
    column = len(line.encode("utf-16-le")[: start["character"] * 2].decode("utf-16-le"))
    return [path, start["line"] + 1, column]


def build(corpus: str) -> None:
    """Ask pyright about every symbol of a corpus and store its warm answers."""
    folder, package = LAYOUT[corpus]
    root = (CORPORA / folder).resolve()
    symbols = sample(corpus, root, package)
    server = start_pyright(root)
    answers: dict[Symbol, dict[str, Any]] = {}
    for turn in ("first", "warm"):
        for symbol in symbols:
            started = time.monotonic()
            try:
                places = ask(server, root, symbol, _FIRST_LIMIT_S)
            except ServerFailed as error:
                print(corpus, symbol.qualified_name, error, file=sys.stderr)
                continue
            row = answers.setdefault(symbol, asdict(symbol))
            row[f"{turn}_s"] = round(time.monotonic() - started, 3)
            row[f"{turn}_count"] = len(places)
            row["places"] = sorted(places)
        print(corpus, turn, "done", len(answers), file=sys.stderr, flush=True)
        oracle_path(corpus).write_bytes(
            gzip.compress(json.dumps(list(answers.values())).encode(), mtime=0)
        )
    server.kill()


if __name__ == "__main__":
    for name in sys.argv[1:] or PYTHON:
        build(name)
