"""Jedi and language servers: what they decide, what they may run, and that they can be ended."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.backends.jedi_process import JediProcess
from analysis.backends.lsp_resolver import LspResolver
from analysis.engine import Engine
from analysis.errors import BackendFailed
from analysis.models import Position
from analysis.settings import Settings, settings_from
from analysis.workspace.files import LocalFileBackend

CODE = """class A:
    def run(self):
        return 1


def use(x):
    return x.run()


use(A())
"""

# A server that answers ``initialize`` and then no more.
SILENT_SERVER = """
import json, sys
def read():
    length = 0
    while (line := sys.stdin.buffer.readline().strip()):
        if line.lower().startswith(b"content-length"):
            length = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(length))
while True:
    message = read()
    if message.get("method") == "initialize":
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
        sys.stdout.buffer.flush()
"""


# A server that knows where all in line 5 is defined, and answers everything else with an error.
KNOWING_SERVER = SILENT_SERVER.replace(
    """    if message.get("method") == "initialize":
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}).encode()
""",
    """    if "id" in message:
        answer = {"error": {"code": 0, "message": "no identifier found"}}
        if message["method"] == "initialize":
            answer = {"result": {}}
        elif message["params"]["position"]["line"] == 4:
            place = {"line": 1, "character": 10}
            uri = message["params"]["textDocument"]["uri"]
            answer = {"result": [{"uri": uri, "range": {"start": place, "end": place}}]}
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}).encode()
""",
)

GO = """package m
func (A) Run() {}
type A struct{}
func use(x interface{}) {
	x.Run()
}
"""


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "m.py").write_text(CODE)
    return folder


@pytest.fixture
def jedi(root: Path) -> Iterator[JediProcess]:
    process = JediProcess(root)
    yield process
    process.close()


def settings(**backends: object) -> Settings:
    made, problems = settings_from({"backends": {"time_limit_s": 30.0, **backends}})
    assert not problems
    return made


def test_jedi_decides_what_is_open(root: Path) -> None:
    with Engine.open(root, settings(jedi=False)) as engine:
        found = engine.references("A.run")
        assert (len(found.references), len(found.unverified)) == (0, 1)
        assert (found.complete, found.answered_by) == (False, "ast")
    with Engine.open(root, settings()) as engine:
        found = engine.references("A.run")
        assert [(use.line, use.column) for use in found.references] == [(7, 13)]
        assert (found.complete, found.answered_by) == (True, "ast+jedi")


def test_the_interpreter_of_a_hostile_repository_is_never_run(root: Path, tmp_path: Path) -> None:
    marker = tmp_path / "PWNED"
    for folder in (".venv", "venv", "env"):
        program = root / folder / "bin" / "python"
        program.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\ntouch {marker}\nexec {sys.executable} "$@"\n')
        program.chmod(0o755)
        (root / folder / "pyvenv.cfg").write_text("home = /usr\n")
    untrusted = settings(python=str(root / ".venv/bin/python"))
    with Engine.open(root, untrusted) as engine:
        assert engine.references("A.run").answered_by == "ast+jedi"
    assert not marker.exists()


def test_jedi_is_ended_when_it_is_late_and_started_again(jedi: JediProcess) -> None:
    assert jedi.ask("goto", "m.py", CODE, 7, 13, 60)
    pid = jedi.pid
    assert pid is not None
    with pytest.raises(BackendFailed):
        jedi.ask("type", "m.py", CODE, 7, 11, 0.0)
    assert not is_alive(pid)
    assert [place["line"] for place in jedi.ask("goto", "m.py", CODE, 7, 13, 60)] == [2]


def test_jedi_that_dies_is_started_again(jedi: JediProcess) -> None:
    jedi.ask("goto", "m.py", CODE, 7, 13, 60)
    assert jedi.pid is not None
    os.kill(jedi.pid, 9)
    time.sleep(0.1)
    assert jedi.ask("goto", "m.py", CODE, 7, 13, 60)


def test_definitions_and_types(root: Path) -> None:
    with Engine.open(root, settings()) as engine:
        engine.prepare()
        found = engine.definition(Position("m.py", 10, 4))
        assert [(place.path, place.line) for place in found.places] == [("m.py", 1)]
        assert found.answered_by == "ast"
        found = engine.definition(Position("m.py", 7, 13))
        assert [(place.path, place.line) for place in found.places] == [("m.py", 2)]
        assert found.answered_by == "jedi"
        assert engine.describe(Position("m.py", 7, 11)) == "m.A"


def test_a_silent_server_is_killed_and_the_first_answer_stands(root: Path, tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SILENT_SERVER)
    command = [sys.executable, str(script)]
    resolver = LspResolver(LocalFileBackend(root), "python", command)
    with pytest.raises(BackendFailed):
        resolver.definitions("m.py", 7, 13, 0.5)
    assert resolver.pid is None
    trusted = settings(
        jedi=False, trusted=True, language_servers={"python": command}, time_limit_s=0.5
    )
    with Engine.open(root, trusted) as engine:
        found = engine.references("A.run")
    assert (len(found.unverified), found.answered_by) == (1, "ast")


def test_no_server_is_started_in_an_untrusted_code_base(root: Path, tmp_path: Path) -> None:
    marker = tmp_path / "PWNED"
    command = ["/bin/sh", "-c", f"touch {marker}"]
    with Engine.open(root, settings(language_servers={"python": command})) as engine:
        engine.references("A.run")
    assert not marker.exists()


def test_a_server_that_cannot_be_started_costs_nothing(root: Path) -> None:
    absent = settings(jedi=False, trusted=True, language_servers={"python": ["no-such-server"]})
    with Engine.open(root, absent) as engine:
        assert len(engine.references("A.run").unverified) == 1


def test_a_server_that_answers_with_an_error_goes_on(root: Path) -> None:
    (root / "m.go").write_text(GO)
    server = LspResolver(LocalFileBackend(root), "go", [sys.executable, "-c", KNOWING_SERVER])
    with pytest.raises(BackendFailed, match="no identifier found"):
        server.definitions("m.go", 1, 0, 30)
    pid = server.pid
    assert [place.line for place in server.definitions("m.go", 5, 3, 30)] == [2]
    assert server.pid == pid
    server.close()


def test_a_list_without_facts_is_not_complete_though_a_server_decides_all(root: Path) -> None:
    (root / "m.go").write_text(GO)
    servers = {"go": [sys.executable, "-c", KNOWING_SERVER]}
    allowed = settings(jedi=False, trusted=True, language_servers=servers)
    with Engine.open(root, allowed) as engine:
        found = engine.references("A.Run")
    assert [use.line for use in found.references] == [5]
    assert (found.unverified, found.complete) == ((), False)
