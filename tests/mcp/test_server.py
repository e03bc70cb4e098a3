from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from analysis.tokens import text_tokens
from analysis.tools.registry import served
from tests.cli.program import COMMAND, DEADLINE_S, SHOP, call, environment, run, write_files
from tests.fakes.canaries import CANARIES
from tests.mcp.client import ask, refused, serving, text_of

LONG = "\n\n".join(
    f"class Part{n}:\n"
    f'    """Part {n} of the machine."""\n\n'
    f"    def turn(self, speed):\n"
    f'        """Turn part {n} of the machine at a speed."""\n'
    f"        return connect(speed + {n})\n"
    for n in range(120)
)
REPO = {
    **SHOP,
    ".gitignore": ".env\n",
    ".env": "API_KEY=sk-hidden\n",
    "shop/machine.py": f"def connect(speed):\n    return speed\n\n\n{LONG}",
    "shop/minified.js": "var a=1;" * 3000 + "\n",
}
CUT = re.compile(r'"left_out":[1-9]|more lines|line cut|more definitions|folded')
_LOUD = """
import os, sys, socket

class Loud:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("mcp", "uvicorn", "numpy"):
            print("loading", name, flush=True)
            os.write(1, b"loading it\\n")

def connect(self, address):
    os.write(2, b"CONNECT\\n")
    raise OSError("no network")

sys.meta_path.insert(0, Loud())
socket.socket.connect = connect
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return write_files(tmp_path / "shop-repo", REPO)


async def test_tools_say_when_to_use_them(repo: Path):
    async with serving(repo) as client:
        tools = (await client.list_tools()).tools
    names = "analyze outline read_symbol read_lines find_references callers callees ask tree"
    assert {tool.name for tool in tools} >= set(names.split())
    assert [tool.name for tool in tools] == list(served(organisation=False))
    for tool in tools:
        assert len(tool.description or "") > 150
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.input_schema["type"] == "object"
        assert "max_tokens" in tool.input_schema["properties"]
        for name, field in tool.input_schema["properties"].items():
            assert field["description"], f"{tool.name}.{name}"
            assert field["type"], f"{tool.name}.{name}"
    said = json.dumps([tool.model_dump(exclude_none=True) for tool in tools])
    assert text_tokens(said) < 4500


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_agent_gets_from_a_question_to_the_code(repo: Path, mode: str):
    async with serving(repo, mode=mode) as client:
        found = await ask(client, "analyze", query="Where is the password of a user checked?")
        best = found["hits"][0]
        assert (best["path"], best["symbol"]) == ("shop/auth.py", "Login.authenticate")

        read = await ask(client, "read_symbol", name=best["symbol"])
        assert "user.password == password" in read["body"]

        calls = await ask(client, "callees", name=best["symbol"])
        assert [item["symbol"] for item in calls["calls"]] == ["load_user"]

        uses = await ask(client, "find_references", name="load_user", path="shop")
        assert uses["complete"] is True
        assert {item["path"] for item in uses["references"]} == {"shop/auth.py"}

        # What the agent writes meanwhile is seen by the next call.
        (repo / "shop/store.py").write_text("# new\n\n" + SHOP["shop/store.py"], "utf-8")
        callers = await ask(client, "callers", name="load_user")
        assert callers["definition"]["line"] == 8
        lines = await ask(client, "read_lines", path="shop/store.py", line_start=1, line_end=2)
        assert lines["code"] == "1| # new\n2|"

        answer = await ask(client, "ask", question="How does a user log in?", max_tokens=8000)
        assert "shop/auth.py" in answer["markdown"]
        assert answer["document"] is None
    assert not (repo / "contexts").exists()


async def test_fields_have_the_names_of_the_command_line(repo: Path):
    async with serving(repo) as client:
        for tool, arguments, command in (
            ("analyze", {"query": "login"}, ["analyze", "-q", "login"]),
            ("read_symbol", {"name": "Login"}, ["symbol", "shop/auth.py", "Login"]),
            ("find_references", {"name": "load_user"}, ["refs", "load_user"]),
            ("callers", {"name": "load_user"}, ["callers", "load_user"]),
            ("callees", {"name": "Login.authenticate"}, ["callees", "Login.authenticate"]),
            ("tree", {}, ["tree"]),
        ):
            ours = await ask(client, tool, **arguments)
            printed = call(*command, "--format", "json", cwd=repo).json
            assert set(_fields(ours)) <= {*_fields(printed), "left_out"}, tool


def _fields(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*(_fields(item) for item in value.values()))
    if isinstance(value, list):
        return set().union(*(_fields(item) for item in value))
    return set()


async def test_budgets_hold_and_say_what_is_missing(repo: Path):
    async with serving(repo) as client:
        for tool, arguments in (
            ("analyze", {"query": "turn part of the machine", "top_k": 100}),
            ("analyze", {"query": "turn", "include_code": True, "top_k": 50}),
            ("outline", {"path": "shop/machine.py"}),
            ("find_references", {"name": "connect"}),
            ("callers", {"name": "connect", "depth": 3}),
            ("read_lines", {"path": "shop/machine.py"}),
            ("read_lines", {"path": "shop/minified.js"}),
            ("ask", {"question": "How does the machine turn its parts?"}),
        ):
            whole = text_of(await client.call_tool(tool, {**arguments, "max_tokens": 50_000}))
            for max_tokens in (400, 1500):
                result = await client.call_tool(tool, {**arguments, "max_tokens": max_tokens})
                said = text_of(result)
                assert not result.is_error, said
                assert text_tokens(said) <= max_tokens * 1.1, tool
                if len(_timeless(said)) < len(_timeless(whole)):
                    assert CUT.search(said), tool

        part = await ask(client, "read_lines", path="shop/machine.py", max_tokens=400)
        rest = part["code"].rsplit(": ", 1)[1].partition("-")[0]
        more = await ask(client, "read_lines", path="shop/machine.py", line_start=int(rest))
        source = (repo / "shop/machine.py").read_text("utf-8").split("\n")
        assert more["code"].split("\n")[0] == f"{rest}| {source[int(rest) - 1]}".rstrip()


def _timeless(said: str) -> str:
    return re.sub(r'"elapsed_s":[0-9.e-]+|scan_date: [^\\]+', "", said)


async def test_paths_never_leave_the_code_base(repo: Path):
    secret = repo.parent / "secret.env"
    secret.write_text("TOKEN=abc123\n", "utf-8")
    write_files(repo.parent / "shop-repo2", {"x.py": "TOKEN = 'abc123'\n"})
    (repo / "evil.py").symlink_to("../secret.env")
    (repo / "up").symlink_to("..")
    async with serving(repo) as client:
        for path in (
            "../secret.env", "/etc/passwd", str(secret), f"{repo}2/x.py", "evil.py",
            "up/secret.env", "shop/../../secret.env", "..\\secret.env", secret.as_uri(),
            ".env", "./shop/../.env",
        ):  # fmt: skip
            for tool, arguments in (
                ("read_lines", {"path": path}),
                ("outline", {"path": path}),
                ("read_symbol", {"path": path, "name": "TOKEN"}),
            ):
                error = await refused(client, tool, **arguments)
                assert error["kind"] in ("outside_root", "not_found", "bad_input"), path
                assert "abc123" not in str(error)
        for tool, arguments in (
            ("tree", {"path": ".."}),
            ("find_references", {"name": "TOKEN", "path": "../shop-repo2"}),
            ("callers", {"name": "load_user", "at": "/etc/passwd:1"}),
        ):
            await refused(client, tool, **arguments)
        for question in ("what is in evil?", "TOKEN", "API_KEY", ".env"):
            for tool, field in (("analyze", "query"), ("ask", "question")):
                result = await client.call_tool(tool, {field: question, "max_tokens": 20_000})
                assert "abc123" not in text_of(result)
                assert "sk-hidden" not in text_of(result)


async def test_secrets_are_struck_out_of_what_a_model_reads(tmp_path: Path):
    keys = "\n".join(f"{kind}_key = '{value}'" for kind, value in CANARIES.items())
    token = CANARIES["github"]
    root = tmp_path / "shop"
    write_files(
        root,
        {
            "keys.py": f"{keys}\n\n\ndef use(token='{token}'):\n    return token\n",
            "more/keys.py": f"def use(token='{token}'):\n    return token\n",
            "main.py": f"from keys import use\n\n\ndef main():\n    return use('{token}')\n",
            ".env": "SHOP_KEY=abc123\n",
        },
    )
    secrets = (*CANARIES.values(), "abc123")
    async with serving(root) as client:
        for tool, arguments in (
            ("read_lines", {"path": "keys.py"}),
            ("read_lines", {"path": ".env"}),
            ("outline", {"path": "keys.py"}),
            ("outline", {"path": ".env"}),
            ("read_symbol", {"name": "use", "path": "keys.py"}),
            ("read_symbol", {"name": "use"}),
            ("analyze", {"query": "github key", "include_code": True}),
            ("analyze", {"query": "SHOP_KEY", "include_code": True}),
            ("find_references", {"name": "use", "at": "keys.py:13"}),
            ("callers", {"name": "use", "at": "keys.py:13"}),
            ("ask", {"question": "which key is used?"}),
        ):
            said = text_of(await client.call_tool(tool, arguments))
            assert [secret for secret in secrets if secret in said] == [], (tool, said)
            assert (".env" in str(arguments)) == ("kept back" in said), said


async def test_errors_tell_the_agent_what_to_do(repo: Path):
    (repo / "shop/other.py").write_text("def load_user(name):\n    return name\n", "utf-8")
    async with serving(repo) as client:
        for tool, arguments, kind, told in (
            ("grep", {}, "not_found", "analyze"),
            ("analyze", {}, "bad_input", "'query': field required"),
            ("analyze", {"query": "x", "top_k": "many", "color": 1}, "bad_input", "color"),
            ("analyze", {"query": "x", "max_tokens": 1}, "bad_input", "max_tokens"),
            ("read_symbol", {"name": "load_user"}, "ambiguous_symbol", "shop/other.py:1"),
            ("read_symbol", {"name": "load_usr"}, "not_found", "analyze"),
            (
                "read_symbol",
                {"name": "load_usr", "path": "shop/store.py"},
                "not_found",
                "load_user",
            ),
            ("outline", {"path": "shop/stor.py"}, "not_found", "shop/store.py"),
            ("read_lines", {"path": "shop"}, "bad_input", "shop"),
            ("read_lines", {"path": "shop/auth.py", "line_start": 999}, "bad_input", "999"),
            ("callers", {"name": "load_user"}, "ambiguous_symbol", "shop/store.py"),
            ("callers", {"name": "load_user", "at": "nowhere"}, "bad_input", "FILE:LINE"),
        ):
            result = await client.call_tool(tool, arguments)
            assert result.is_error, (tool, arguments)
            assert told in text_of(result), (tool, arguments)
            assert (await refused(client, tool, **arguments))["kind"] == kind
        assert (await ask(client, "analyze", query="login"))["hits"]


def test_stdout_is_the_protocol_and_nothing_is_reached(repo: Path, tmp_path: Path):
    write_files(tmp_path / "loud", {"sitecustomize.py": _LOUD})
    messages: list[dict[str, Any]] = [
        _request(1, "initialize", protocolVersion="2025-06-18", capabilities={},
                 clientInfo={"name": "test", "version": "1"}),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        _request(2, "tools/call", name="analyze", arguments={"query": "login"}),
        _request(3, "tools/call", name="ask", arguments={"question": "How does login work?"}),
    ]  # fmt: skip
    process = subprocess.Popen(
        [*COMMAND, "mcp"],
        cwd=repo,
        env=environment(tmp_path / "home", PYTHONPATH=str(tmp_path / "loud")),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    answers = []
    for message in messages:
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        if "id" in message:
            answers.append(json.loads(process.stdout.readline()))
    out, err = process.communicate(timeout=DEADLINE_S)
    assert out == b""
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    assert answers[0]["result"]["serverInfo"]["name"] == "scope"
    assert not answers[2]["result"].get("isError")
    assert b"loading it" in err
    assert b"CONNECT" not in err
    assert process.returncode == 0


def _request(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def test_a_server_that_was_started_in_no_project_says_so(tmp_path: Path):
    home = write_files(tmp_path / "home", {"a.py": "x = 1\n"})
    finished = run("mcp", cwd=home, home=home)
    assert finished.code == 2
    assert finished.out == ""
    assert "--repo" in finished.err
