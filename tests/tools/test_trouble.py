"""What tools do when the input is hostile, the work is stopped, or the call is nonsense."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from analysis.errors import Cancelled
from analysis.llm.messages import ToolCall
from analysis.stopping import StopFlag
from analysis.tools import registry
from analysis.tools.registry import AGENT_TOOLS, ITERATIVE_TOOLS, PLAN_TOOLS, TOOLS
from analysis.tools.tool import ToolContext, ToolOutput, tool
from tests.fakes.canaries import CANARIES, PRIVATE_KEY
from tests.tools.workbench import Workbench, open_workbench

BROKEN = "x = (((\nclass def ] (\n"
HOSTILE = "a" * 4_000 + "!\n"


@pytest.mark.parametrize(
    "written",
    ['{"a":', "[1]", "null", '"text"', "", "x" * 200_000, '{"query": "' + "y" * 200_000 + '"}'],
    ids=["cut", "list", "null", "text", "nothing", "junk", "junk inside"],
)
@pytest.mark.parametrize("name", ["search_for_files", "read_symbol", "list_directory"])
async def test_arguments_that_are_none(name: str, written: str, tmp_path: Path):
    """They are never taken for ``{}``: the schema goes back, with a short look at what came."""
    result = await open_workbench(tmp_path).call(name, written)
    assert result.problem == "malformed"
    assert json.dumps(TOOLS[name].parameters, ensure_ascii=False)[:200] in result.text
    assert len(result.text) < 3_000


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|aa)+$",
        "^(a|b|ab)*c",
        r"(\w+\s?)*$",
        r"(.+)+\1+$",
        "(?:a(?R)?)+b",
        "(?e)(?:foobarbaz){e<=8}",
    ],
)
async def test_a_pattern_that_takes_for_ever_is_stopped(pattern: str, tmp_path: Path):
    bench = open_workbench(tmp_path, {"a.txt": HOSTILE * 20, "b.txt": "aab\n"})
    bench.context.time_limit_s = 2.0
    result = await asyncio.wait_for(bench.call("grep_in_files", {"pattern": pattern}), 60)
    assert result.ok, result.text


async def test_a_file_that_takes_too_long_is_named_and_others_are_searched(tmp_path: Path):
    bench = open_workbench(tmp_path, {"a.txt": HOSTILE * 20, "b.txt": "xx aaa\n"})
    bench.context.time_limit_s = 60.0
    result = await bench.call("grep_in_files", {"pattern": "(a+)+$"})
    assert "b.txt\n 1: xx aaa" in result.text
    assert "too long in 1 files, as a.txt" in result.text


async def test_files_that_hold_the_words_of_a_pattern_come_first(tmp_path: Path):
    """In a large code base there is no time for all files: the likely ones are searched."""
    files = {f"a{n}.txt": HOSTILE for n in range(40)} | {"z.py": "def wanted_name(): aaa\n"}
    bench = open_workbench(tmp_path, files)
    bench.context.time_limit_s = 2.0
    result = await bench.call("grep_in_files", {"pattern": "wanted_name|(a+)+$"})
    assert "z.py\n 1: def wanted_name" in result.text
    assert result.ok


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("((a{1000}){1000}){1000}", "repeats of the pattern are too large"),
        ("a{1000000000}", "repeats of the pattern are too large"),
        ("(" * 450, "no regular expression"),
        ("foo(", "no regular expression"),
        ("*x", "no regular expression"),
        (r"\p{Nonsense}", "no regular expression"),
    ],
)
async def test_a_pattern_that_is_none(pattern: str, said: str, tmp_path: Path):
    result = await open_workbench(tmp_path).call("grep_in_files", {"pattern": pattern})
    assert result.problem == "retry"
    assert said in result.text


async def asked_for_ever(bench: Workbench, name: str, arguments: dict[str, Any]) -> None:
    """A fast machine may be done before it is stopped: it is asked again."""
    while True:
        await bench.call(name, arguments)


async def test_cancel_during_a_parse(tmp_path: Path):
    """The call ends at once, whatever the thread is at; other files answer."""
    files = {
        "bad.py": BROKEN * 20_000,
        "deep.py": "x = " + "(\n" * 5_000,
        "good.py": "def f(): 1\n",
    }
    bench = open_workbench(tmp_path, files)
    (tmp_path / "bad.py").write_text(BROKEN * 20_001)
    timer = threading.Timer(0.1, bench.context.stop.set)
    timer.start()
    with pytest.raises(Cancelled):
        await asked_for_ever(bench, "get_file_outline", {"path": "bad.py"})
    timer.join()
    bench.context.stop = StopFlag()
    assert "def f()" in (await bench.call("get_file_outline", {"path": "good.py"})).text
    assert (await bench.call("get_file_outline", {"path": "deep.py"})).ok


async def test_a_cancelled_call_stops_its_work_and_no_other(tmp_path: Path):
    bench = open_workbench(tmp_path, {"a.txt": HOSTILE * 60})
    bench.context.time_limit_s = 600.0
    grep = asked_for_ever(bench, "grep_in_files", {"pattern": "(a+)+$"})
    running = asyncio.create_task(grep)
    await asyncio.sleep(0.05)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not bench.context.stop.is_set()
    assert (await bench.call("read_file", {"path": "a.txt"})).ok


async def test_a_hub_is_cut_short_and_says_so(tmp_path: Path):
    files = {"hub.py": "class Hub:\n    pass\n"}
    for number in range(600):
        uses = "".join(f"hub_{n} = Hub()\n" for n in range(5))
        files[f"pkg/m{number}.py"] = f"from hub import Hub\n\n{uses}"
    bench = open_workbench(tmp_path, files)
    bench.context.time_limit_s = 0.003
    for name in ("find_references", "get_callers"):
        result = await bench.call(name, {"name": "Hub"})
        assert result.ok
        assert "stopped by time" in result.text
        assert "; complete" not in result.text
    outline = await bench.call("get_file_outline", {"path": "pkg/m7.py"})
    assert "hub_4" in outline.text
    bench.context.time_limit_s = 600.0
    whole = await bench.call("find_references", {"name": "Hub"})
    assert "3600 uses in 600 files; complete" in whole.text
    assert "more in pkg/" in whole.text


@pytest.mark.parametrize("name", TOOLS)
async def test_a_tool_out_of_scope_is_refused(name: str, tmp_path: Path):
    bench = open_workbench(tmp_path)
    bench.context.scopes = frozenset({"input"})
    result = await bench.call(name, {"question": "q", "relevant_file_paths": [], "insights": ""})
    if TOOLS[name].needs:
        assert result.problem == "failed"
        assert "needs workspace" in result.text
    else:
        assert result.problem == "retry"


async def test_no_secret_no_ignored_file_and_nothing_outside(tmp_path: Path):
    root = tmp_path / "root"
    (root / ".git").mkdir(parents=True)
    (tmp_path / "outside.txt").write_text("CANARY outside\n")
    (root / "link.txt").symlink_to(tmp_path / "outside.txt")
    keys = "\n".join(f"{kind}_key = '{value}'" for kind, value in CANARIES.items())
    files = {
        ".gitignore": "ignored.txt\n",
        "ignored.txt": "CANARY ignored\n",
        ".env": "CANARY_ENV=1\n",
        "k3s.yaml": "kind: Config\nusers:\n- name: CANARY\n  user: {token: CANARY}\n",
        "keys.py": f"{keys}\n\n\ndef use(token='{CANARIES['github']}'):\n    return token\n",
        "main.py": "from keys import use\n\n\ndef main():\n    use()\n",
    }
    bench = open_workbench(root, files)
    (root / "key.txt").write_text(PRIVATE_KEY)
    secrets = (*CANARIES.values(), PRIVATE_KEY.split("\n")[3], "CANARY")
    paths = (
        "link.txt",
        "ignored.txt",
        ".env",
        "k3s.yaml",
        "keys.py",
        "../outside.txt",
        "/etc/passwd",
    )
    calls: list[tuple[str, dict[str, Any]]] = [
        (name, {"path": path} | ({"line_start": 1, "line_end": 99} if name == "read_lines" else {}))
        for name in ("get_file_outline", "read_file", "read_lines", "browse_file", "skim_file")
        for path in paths
        for _ in range(2)
    ]
    calls += [(n, {"name": "use"}) for n in ("read_symbol", "find_references", "get_callers")]
    calls += [("grep_in_files", {"pattern": p}) for p in ("CANARY", "key", "_key = ", "BEGIN")]
    calls += [("search_for_files", {"query": "key"}), ("search_codebase", {"query": "github key"})]
    calls += [("list_directory", {}), ("list_directory", {"path": ".."})]
    read = []
    for name, arguments in calls:
        result = await bench.call(name, arguments)
        said = f"{result.text} {result.summary}".replace("'CANARY'", "")
        assert [secret for secret in secrets if secret in said] == [], (name, arguments, said)
        read += result.paths
    assert set(read) <= {"keys.py", "main.py"}
    assert "keys.py" in read


async def test_a_secret_cannot_be_guessed_by_counting(tmp_path: Path):
    key = CANARIES["github"]
    bench = open_workbench(tmp_path, {"keys.py": f"KEY = '{key}'\n"})
    result = await bench.call("grep_in_files", {"pattern": f"KEY = '{key[:8]}"})
    assert result.text.startswith("No line matches")


async def test_an_open_file_is_seen_as_it_is_in_the_editor(tmp_path: Path):
    bench = open_workbench(tmp_path, {"a.py": "def old():\n    pass\n"})
    bench.context.access.files.buffers.open("a.py", "\n\n\ndef new():\n    pass\n", 1)
    assert "4-5 def new()" in (await bench.call("get_file_outline", {"path": "a.py"})).text
    assert "4: def new" in (await bench.call("grep_in_files", {"pattern": "def new"})).text


async def test_a_bug_in_a_tool_is_an_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    @tool(100)
    def broken(context: ToolContext) -> ToolOutput:
        """Break."""
        raise KeyError("sk-secret")

    monkeypatch.setitem(registry.TOOLS, "broken", broken)
    result = await open_workbench(tmp_path).call("broken")
    assert result.problem == "failed"
    assert result.text.startswith("broken failed: KeyError.")
    assert "Traceback" in caplog.text


@pytest.mark.parametrize("names", [AGENT_TOOLS, PLAN_TOOLS, ITERATIVE_TOOLS])
async def test_only_what_is_offered_can_be_called(names: tuple[str, ...], tmp_path: Path):
    box = open_workbench(tmp_path).box(*names)
    assert [spec.name for spec in box.specs] == [TOOLS[name].name for name in names]
    for key in TOOLS:
        if TOOLS[key].name not in box.context.offered:
            result = await box.run(ToolCall("1", key, "{}"))
            assert result.problem == "malformed"
            assert f"There is no tool '{key}'" in result.text


def test_two_tools_of_one_name_are_not_offered_together(tmp_path: Path):
    with pytest.raises(ValueError, match="same name"):
        open_workbench(tmp_path).box("search_codebase", "search_by_term")
