"""What a command costs from its start to its end, beside the same of another version.

    python -m benchmarks.command_start FOLDER [--before TREE] [--runs 10]

Runs ``--help``, ``analyze`` and ``ask`` about FOLDER with a warm index, and the language server
until it has answered ``initialize``, the versions in turn, and prints medians of processor seconds
(user and system, what the command starts included). TREE is a checkout of the other version; both
run with the packages of this interpreter. Each has an index of its own and compiled modules.
"""

from __future__ import annotations

import argparse
import compileall
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parents[1]
QUESTION = "How is a request routed to a view?"
_PROGRAM = "import sys; sys.argv[0] = 'scope'; sys.path.insert(0, {tree!r}); "
COMMAND = _PROGRAM + "from analysis.cli.main import main; sys.exit(main())"
INITIALIZE = (
    _PROGRAM
    + """import os
from lsp_server.__main__ import main
from lsp_server.outgoing import WatchedOutput
write = WatchedOutput.write
def ended(self, data):
    write(self, data)
    os._exit(0)
WatchedOutput.write = ended
main([])
"""
)
_BODY = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize",'
    '"params":{"processId":null,"rootUri":null,"capabilities":{}}}'
)
MESSAGE = f"Content-Length: {len(_BODY)}\r\n\r\n{_BODY}".encode()


def seconds(code: str, arguments: list[str], cache: Path, given: bytes = b"") -> float:
    """Processor seconds of one process and its children."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": ""}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=given,
        capture_output=True,
        cwd=cache,
        env=environment,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr.decode()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(tree: Path, folder: Path, cache: Path) -> dict[str, float]:
    """Each start of one version, once."""
    command = COMMAND.format(tree=str(tree))
    about = [str(folder), "-q", QUESTION]
    server = INITIALIZE.format(tree=str(tree))
    return {
        "--help": seconds(command, ["--help"], cache),
        "analyze": seconds(command, ["analyze", *about], cache),
        "ask": seconds(command, ["ask", *about, "-o", "answers", "--mode", "offline"], cache),
        "initialize": seconds(server, [], cache, MESSAGE),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    trees = [path.resolve() for path in (options.before, HERE) if path is not None]
    found: dict[Path, dict[str, list[float]]] = {tree: defaultdict(list) for tree in trees}
    with tempfile.TemporaryDirectory() as home:
        caches = [Path(home, str(number)) for number in range(len(trees))]
        for tree, cache in zip(trees, caches, strict=True):
            cache.mkdir()
            for package in ("analysis", "lsp_server"):
                compileall.compile_dir(tree / package, quiet=1)
            seconds(COMMAND.format(tree=str(tree)), ["index", str(options.folder.resolve())], cache)
        for _ in range(options.runs):
            for tree, cache in zip(trees, caches, strict=True):
                for name, value in measured(tree, options.folder.resolve(), cache).items():
                    found[tree][name].append(value)
    for tree, figures in found.items():
        for name, values in figures.items():
            print(f"{name:<12}{statistics.median(values):8.3f}{min(values):8.3f}  {tree}")


if __name__ == "__main__":
    main()
