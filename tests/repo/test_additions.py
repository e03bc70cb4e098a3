"""CONTRIBUTING.md says what an addition touches; here each one is done in a copy, and run.

An addition is a list of edits to files of the repository, in the order of the guide, and a program
that shows that it works. The copy holds what the program needs and nothing else, so an edit that
the guide does not name cannot help. ``ADDITIONS`` has one entry for each line of the guide that is
tested this way.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("analysis", "lsp_server", "tests", "docs", "pyproject.toml")
DEADLINE_S = 120


@dataclass(frozen=True)
class Edit:
    """A change to one file: a text that is put behind an anchor, or a new file without one."""

    path: str
    text: str
    behind: str = ""
    """How a line of the file begins; the text becomes the next one."""

    def apply(self, root: Path) -> None:
        """Make the change."""
        file = root / self.path
        if not self.behind:
            assert not file.exists(), f"{self.path} is there already"
            file.write_text(self.text, encoding="utf-8")
            return
        lines = file.read_text(encoding="utf-8").split("\n")
        found = [n for n, line in enumerate(lines, start=1) if line.startswith(self.behind)]
        assert len(found) == 1, f"{self.path} has to hold once: {self.behind}"
        lines.insert(found[0], self.text)
        file.write_text("\n".join(lines), encoding="utf-8")


@dataclass(frozen=True)
class Addition:
    """One kind of addition."""

    guide: str
    """How its line in CONTRIBUTING.md starts."""
    edits: tuple[Edit, ...]
    program: str
    """Run in the copy; prints ``works`` at its end."""
    checks: tuple[str, ...] = ()
    """Tests of the copy that have to pass, as pytest takes them."""

    @property
    def touched(self) -> set[str]:
        """The files that are changed or made."""
        return {edit.path for edit in self.edits}


TOOL_MODULE = '''\
"""The tool that counts the lines of a file."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.tools.path_argument import file_meant
from analysis.tools.tool import ToolContext, ToolOutput, ToolResult, tool


@tool(200, title="Count lines")
def zz_example(context: ToolContext, path: str) -> ToolOutput:
    """Count the lines of a file. Use it to see whether a file is worth reading.

    Args:
        path: File, relative to the root.
    """
    file = file_meant(path, context.code)
    return LineCount(file, len(context.code.lines(file)))


@dataclass(frozen=True, slots=True)
class LineCount(ToolOutput):
    """How long a file is."""

    path: str
    n_lines: int

    def text(self, context: ToolContext) -> ToolResult:
        """Return it in one line."""
        text = f"{self.path}: {self.n_lines} lines"
        return ToolResult(text, "high", text, paths=(self.path,))
'''
TOOL_SECTION = """
### `zz_example` (agent, agents)

Count the lines of a file. Use it to see whether a file is worth reading.

At most 200 characters.

| parameter | type | default | meaning |
| --- | --- | --- | --- |
| `path` | string | required | File, relative to the root. |"""
TOOL_PROGRAM = """\
import asyncio, json, sys
from pathlib import Path

from analysis.engine import Engine
from analysis.llm.messages import ToolCall
from analysis.mcp.tool_calls import ToolCalls
from analysis.tools.prompt_code import PromptCode
from analysis.tools.registry import AGENT_TOOLS, announcements
from analysis.tools.tool import ToolContext
from analysis.tools.toolbox import Toolbox
from tests.mcp.client import ask, refused, serving

root = Path(sys.argv[1])


async def main():
    with Engine.open(root) as engine:
        engine.prepare()
        code = PromptCode(engine.access, engine.index.file_table().paths)
        box = Toolbox(ToolContext(engine.access, engine.index, code), AGENT_TOOLS)
        assert "zz_example" in [spec.name for spec in box.specs]
        result = await box.run(ToolCall("1", "zz_example", json.dumps({"path": "a.py"})))
        assert result.text == "a.py: 2 lines", result
        written = json.dumps({"file": "a.py", "path": ""})
        wrong = await box.run(ToolCall("2", "zz_example", written))
        assert wrong.problem == "malformed" and "no argument 'file'" in wrong.text, wrong
    (announced,) = [item for item in announcements(organisation=False) if item.name == "zz_example"]
    assert announced.title == "Count lines"
    assert list(announced.schema["properties"]) == ["path", "max_tokens"]
    async with serving(root) as client:
        assert "zz_example" in [tool.name for tool in (await client.list_tools()).tools]
        found = await ask(client, "zz_example", path="a.py")
        assert found == {"path": "a.py", "n_lines": 2, "left_out": 0}, found
        error = await refused(client, "zz_example", file="a.py")
        assert "no argument 'file'" in error["message"], error


asyncio.run(main())
print("works")
"""

SIGNAL_PROGRAM = """\
import sys
from pathlib import Path

from analysis.engine import Engine
from analysis.retrieval.search import search

with Engine.open(Path(sys.argv[1])) as engine:
    engine.prepare()
    (found,) = search(engine.index, "f").candidates
assert found.score > 9, found
assert "ends in the example's letters" in found.reasons, found.reasons
print("works")
"""

LANGUAGE_TABLE = '''\
"""A language that looks like Go."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, LanguageTable

TABLE = LanguageTable(
    definitions={
        "function_declaration": DefinitionRule("function"),
        "type_spec": DefinitionRule("class", body="type"),
    },
    wrappers=frozenset({"type_declaration"}),
)
'''
LANGUAGE_CASES = """\
=== what defines
// Runs.
func run(a int) {
}
type T struct {}
---
function 2-3 func run(a int)  # Runs.
class 4-4 type T
"""
LANGUAGE_PROGRAM = """\
import sys
from pathlib import Path

from analysis.engine import Engine

root = Path(sys.argv[1])
(root / "b.zz").write_text("package b\\n\\n// Opens.\\nfunc open() {\\n}\\n")
with Engine.open(root) as engine:
    engine.prepare()
    (symbol,) = engine.outline("b.zz").symbols
assert (symbol.signature, symbol.docstring) == ("func open()", "Opens."), symbol
print("works")
"""

ADDITIONS = {
    "language": Addition(
        guide="- **a language**",
        edits=(
            Edit("analysis/parsing/grammars/zz_example.py", LANGUAGE_TABLE),
            Edit(
                "analysis/parsing/grammars/__init__.py",
                "zzlang zz_example tree_sitter_go language",
                behind="zig zig tree_sitter_zig",
            ),
            Edit("analysis/parsing/languages.py", "zzlang zz", behind="zig zig"),
            Edit("tests/parsing/languages/zzlang_cases.txt", LANGUAGE_CASES),
        ),
        program=LANGUAGE_PROGRAM,
        checks=("tests/parsing/languages/test_cases.py", "-k", "zzlang or every_language"),
    ),
    "signal": Addition(
        guide="- **a ranking signal**",
        edits=(
            Edit(
                "analysis/retrieval/signals.py",
                '        "zz_example": [float(path.endswith(".py")) for path in paths],',
                behind='        "near": ',
            ),
            Edit(
                "analysis/retrieval/weights.py",
                '        "zz_example": 9.0,  # the ending of a file; not scaled',
                behind='        "near": 0.15',
            ),
            Edit(
                "analysis/retrieval/reasons.py",
                '    "zz_example": "ends in the example\'s letters",',
                behind='    "joined words": ',
            ),
        ),
        program=SIGNAL_PROGRAM,
        checks=("tests/retrieval/test_signals.py",),
    ),
    "tool": Addition(
        guide="- **a tool**",
        edits=(
            Edit("analysis/tools/zz_example.py", TOOL_MODULE),
            Edit(
                "analysis/tools/registry.py",
                "from analysis.tools.zz_example import zz_example",
                behind="from analysis.tools.ask import ask",
            ),
            Edit(
                "analysis/tools/registry.py",
                '    (zz_example, ("agent", "mcp")),',
                behind='    (skim_file, ("iterative",)),',
            ),
            Edit(
                "docs/tools.md",
                TOOL_SECTION,
                behind="The models of modes and `agents` are named behind each tool.",
            ),
        ),
        program=TOOL_PROGRAM,
        checks=("tests/repo/test_tools_docs.py",),
    ),
}


def copied(root: Path) -> Path:
    """A copy of what the program and its checks need."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            left_out = shutil.ignore_patterns("__pycache__", "node_modules", "e2e")
            shutil.copytree(source, root / name, ignore=left_out)
        else:
            shutil.copy(source, root / name)
    return root


def run_in(copy: Path, *command: str) -> str:
    """Run Python in the copy, which hides the package that is installed."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("name", ADDITIONS)
def test_an_addition_works(name: str, tmp_path: Path):
    addition = ADDITIONS[name]
    copy = copied(tmp_path / "copy")
    for edit in addition.edits:
        edit.apply(copy)
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text("def f():\n    return 1\n")
    assert run_in(copy, "-c", addition.program, str(project)).endswith("works\n")
    if addition.checks:
        run_in(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *addition.checks)


@pytest.mark.parametrize("name", ADDITIONS)
def test_the_guide_names_what_an_addition_touches(name: str):
    addition = ADDITIONS[name]
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("\n")
    (line,) = [line for line in guide if line.startswith(addition.guide)]
    for path in addition.touched:
        folder = f"{path.rpartition('/')[0]}/"
        named = path if (ROOT / path).exists() else folder
        assert f"`{named}`" in line, f"{named} is not named in: {line}"
