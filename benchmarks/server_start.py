"""How long the language server takes to start, to be ready, and to answer while it indexes.

    python -m benchmarks.server_start FOLDER [--runs 10] [--json FILE]

Starts the real process, speaks the real protocol, and prints medians: until ``initialize`` is
answered (beside the start of a bare interpreter), resident memory after start, until a first
question about FOLDER can be answered with an empty index, and the latency of a code action and of
``scope/analyze`` while that index is being built.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from lsprotocol import types

from analysis.workspace.paths import uri_from_path
from lsp_server import protocol
from tests.lsp.session import Editor, capabilities_of, server_command, server_environment


async def started(
    home: Path, folder: Path, options: dict[str, Any] | None = None
) -> tuple[Editor, float]:
    """Return a connected client, and the seconds from process start to the answer."""
    client = Editor()
    begin = time.perf_counter()
    await client.start_io(*server_command(), env=server_environment(home), cwd=str(home))
    client.capabilities = capabilities_of("visual-studio-code")
    params = types.InitializeParams(
        capabilities=client.capabilities,
        initialization_options=options,
        workspace_folders=[types.WorkspaceFolder(uri_from_path(folder), folder.name)],
    )
    client.protocol._server.capabilities = client.capabilities
    await client.initialize_async(params)
    return client, time.perf_counter() - begin


async def stopped(client: Editor) -> None:
    await client.shutdown_session()
    await client.stop()


def resident_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def bare_interpreter() -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - begin


async def measure_start(folder: Path, runs: int) -> dict[str, Any]:
    seconds, memory = [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as home:
            client, elapsed = await started(Path(home), folder)
            seconds.append(elapsed)
            assert client._server is not None
            memory.append(resident_mb(client._server.pid))
            await stopped(client)
    return {
        "initialize_ms": round(statistics.median(seconds) * 1000),
        "initialize_ms_best": round(min(seconds) * 1000),
        "bare_interpreter_ms": round(
            statistics.median(bare_interpreter() for _ in range(5)) * 1000
        ),
        "resident_mb": round(statistics.median(memory), 1),
    }


async def measure_cold(folder: Path) -> dict[str, Any]:
    """Open a folder with an empty index, and measure what a user does meanwhile."""
    source = a_source(folder)
    with tempfile.TemporaryDirectory() as home:
        client, _ = await started(Path(home), folder)
        begin = time.perf_counter()
        client.initialized(types.InitializedParams())
        uri = client.open(source)
        actions, searches = [], []
        while not any(status["state"] == "ready" for status in client.statuses):
            actions.append(await timed(client, types.TEXT_DOCUMENT_CODE_ACTION, code_action(uri)))
            await asyncio.sleep(0.05)
        ready = time.perf_counter() - begin
        question = "How are errors handled?"
        await client.ask(question)
        answered = time.perf_counter() - begin
        for _ in range(5):
            searches.append(await timed(client, protocol.ANALYZE.method, {"query": question}))
        warm = await timed(client, protocol.ASK.method, {"question": question})
        assert client._server is not None
        memory = resident_mb(client._server.pid)
        await stopped(client)
    return {
        "index_ready_s": round(ready, 2),
        "first_answer_s": round(answered, 2),
        "warm_answer_s": round(warm, 2),
        "analyze_ms": round(statistics.median(searches) * 1000, 1),
        "code_action_while_indexing_ms": round(statistics.median(actions) * 1000, 1),
        "code_action_while_indexing_ms_max": round(max(actions) * 1000, 1),
        "code_actions_measured": len(actions),
        "resident_mb_after": round(memory, 1),
    }


def a_source(folder: Path) -> Path:
    """A file of some length, to ask about."""
    return next(path for path in sorted(folder.rglob("*.py")) if path.stat().st_size > 2000)


async def timed(client: Editor, method: str, params: Any) -> float:
    begin = time.perf_counter()
    await client.request(method, params)
    return time.perf_counter() - begin


def code_action(uri: str) -> types.CodeActionParams:
    where = types.Range(types.Position(5, 5), types.Position(5, 5))
    return types.CodeActionParams(
        types.TextDocumentIdentifier(uri), where, types.CodeActionContext(diagnostics=[])
    )


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    folder = options.folder.resolve()
    result = {**await measure_start(folder, options.runs), **await measure_cold(folder)}
    for name, value in result.items():
        print(f"{name:<36}{value:>10}")
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
