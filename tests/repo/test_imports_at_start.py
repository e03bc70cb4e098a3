"""What a start does not wait for: modules that each way in leaves alone until they are needed."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

import analysis.calls
import analysis.documents
from analysis.cli.commands import COMMANDS, loaded
from analysis.cli.main import create_app
from analysis.index.worker import Task
from analysis.workspace.files import LocalFileBackend
from tests.cli.program import write_files

HELP = "from analysis.cli.main import main; main(['--help'])"
ASK = "from analysis.cli.main import main; main(['ask', 'code', '-q', 'total', '-o', 'answers'])"
READ = """
import pickle, sys
from analysis.index import worker
from analysis.index.batch import BatchBuilder
from analysis.index.difference import ReadJob
from analysis.index.vocabulary import Vocabulary

batch = BatchBuilder(Vocabulary())
worker.read(batch, ReadJob("shop.py", 1, 1), pickle.loads(bytes.fromhex("TASK")))
assert batch.finish().n_files == 1
"""
INITIALIZE = """
import asyncio, json
from lsp_server.app import create_server

class Sent:
    def write(self, data):
        answered.set_result(json.loads(data))

async def start():
    global answered
    answered = asyncio.get_running_loop().create_future()
    protocol = create_server().protocol
    protocol.set_writer(Sent(), include_headers=False)
    params = {"processId": None, "rootUri": None, "capabilities": {}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    protocol.handle_message(protocol.structure_message(message))
    assert "capabilities" in (await answered)["result"]

asyncio.run(start())
"""
SHOWN = "\nimport sys; sys.stderr.write('\\nloaded ' + ' '.join(sys.modules))"


def loaded_by(code: str, folder: Path) -> set[str]:
    """The modules that are there at the end of a fresh process, and the packages above them."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", code + SHOWN], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    names = done.stderr.rsplit("\nloaded ", 1)[1].split()
    return {name[:end] for name in names for end in _ends(name)}


def _ends(name: str) -> list[int]:
    return [*(place for place, sign in enumerate(name) if sign == "."), len(name)]


def check(found: set[str], *absent: str) -> None:
    assert "typing" in found
    assert sorted(found.intersection(absent)) == []


def test_help_loads_no_command(tmp_path: Path):
    commands = {f"analysis.cli.{command.module}" for command in COMMANDS.values()}
    heavy = ("asyncio", "numpy", "pydantic", "sqlite3")
    check(loaded_by(HELP, tmp_path), *heavy, *commands, "analysis.modes", "analysis.models")


def test_an_answer_without_a_model_loads_nothing_of_models(tmp_path: Path):
    write_files(tmp_path / "code", {"shop.py": "def total(items):\n    return sum(items)\n"})
    loaded_by(ASK, tmp_path)  # It makes the index.
    of_models = ("litellm", "mcp", "analysis.llm.calls", "analysis.llm.redact", "analysis.calls")
    writers = ("analysis.index.refresh", "analysis.index.batch", "filelock", "jedi")
    readers = ("analysis.parsing.outline", "analysis.parsing.facts.python", "configparser")
    rarely = ("analysis.documents.check", "analysis.modes.query_profile", "yaml", "numpy.ma")
    found = loaded_by(ASK, tmp_path)
    check(found, *of_models, *writers, *readers, *rarely, "analysis.tools.prompt_code")


def test_a_worker_that_reads_files_loads_no_settings(tmp_path: Path):
    write_files(tmp_path / "code", {"shop.py": "def total(items):\n    return sum(items)\n"})
    task = pickle.dumps(Task(LocalFileBackend(tmp_path / "code"), 5.0))
    found = loaded_by(READ.replace("TASK", task.hex()), tmp_path)
    assert "analysis.parsing.outline" in found
    check(found, "pydantic", "analysis.settings", "sqlite3")


def test_initialize_loads_what_the_protocol_needs(tmp_path: Path):
    work = ("analysis.index", "analysis.retrieval", "analysis.references", "analysis.modes")
    heavy = ("numpy", "sqlite3", "yaml", "markdown_it", "litellm", "tree_sitter", "jedi", "rich")
    found = loaded_by(INITIALIZE, tmp_path)
    check(found, *work, *heavy, "analysis.documents.check", "analysis.llm", "analysis.calls")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_names_each_command_as_it_names_itself(name: str):
    assert loaded(name).name == name
    assert loaded(name).help.split("\n\n")[0].replace("\n", " ") == COMMANDS[name].help


def test_commands_are_named_in_one_place():
    group = typer.main.get_command(create_app())
    assert list(getattr(group, "commands", {})) == list(COMMANDS)


@pytest.mark.parametrize("package", [analysis.calls, analysis.documents])
def test_packages_offer_the_names_that_they_list(package: object):
    for name in package.__all__:  # type: ignore[attr-defined]
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError):
        _ = package.nothing  # type: ignore[attr-defined]
