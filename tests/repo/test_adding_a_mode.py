"""A mode is what CONTRIBUTING.md lists and nothing else: here one is added to a copy, and asked."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPEC = '''\
"""Answers with the first file."""

from analysis.modes.mode_spec import ModeSpec
from analysis.modes.topology import END, START, Edge

PHASES = (Edge(START, "discovery"), Edge("discovery", END))
MODE = ModeSpec(
    __name__,
    "nobody: the first file is the answer",
    "names the first file",
    phases=PHASES,
)
'''
RUN = '''\
"""The one step of the mode."""

from analysis.documents import Section
from analysis.events import PhaseStarted, RunFinished
from analysis.modes.ending import finished
from analysis.modes.job import Job


async def run(job: Job) -> RunFinished:
    """Answer with the first file."""
    job.emit(PhaseStarted("discovery"))
    first = min(job.index.file_table().paths)
    return finished(job, [Section("Summary", f"The first file is {first}.")])
'''
PROGRAM = """\
import asyncio, sys
from pathlib import Path

from analysis.engine import Engine
from analysis.models import AskRequest
from analysis.modes.registry import topology_of
from analysis.modes.topology import mermaid
from analysis.settings import settings_from, Settings

chosen, problems = settings_from({"answer": {"mode": "zz_example"}}, Settings())
assert not problems and chosen.answer.mode == "zz_example"
assert "START --> discovery" in mermaid(topology_of("zz_example"))


async def main():
    with Engine.open(Path(sys.argv[1])) as engine:
        request = AskRequest("What is first?", mode="zz_example")
        events = [event async for event in engine.ask(request)]
    assert [e.phase for e in events if e.type == "phase"] == ["indexing", "discovery"]
    assert "The first file is a.py." in events[-1].answer.markdown
    assert events[-1].answer.stats.mode == "zz_example"


asyncio.run(main())
print("works")
"""


def test_a_mode_is_a_package_and_its_name(tmp_path: Path):
    copy, project = tmp_path / "copy", tmp_path / "project"
    shutil.copytree(
        ROOT / "analysis", copy / "analysis", ignore=shutil.ignore_patterns("__pycache__")
    )
    package = copy / "analysis" / "modes" / "zz_example"
    package.mkdir()
    (package / "__init__.py").write_text(SPEC)
    (package / "run.py").write_text(RUN)
    models = copy / "analysis" / "models.py"
    text, n_names = re.subn(
        r"^(ModeName = Literal\[[^]]*)", r'\1, "zz_example"', models.read_text("utf-8"), flags=re.M
    )
    assert n_names == 1
    models.write_text(text, encoding="utf-8")
    project.mkdir()
    (project / "a.py").write_text("def f():\n    return 1\n")
    assert run_in(copy, "-c", PROGRAM, str(project)) == "works\n"
    asked = ("ask", str(project), "-q", "What is first?", "--mode", "zz_example")
    assert "The first file is a.py." in scope(copy, *asked)
    assert "zz_example names the first file" in " ".join(scope(copy, "ask", "--help").split())
    assert "START --> discovery" in scope(copy, "graph", "zz_example")
    assert "zz_example" in scope(copy, "graph", "--help")


def scope(copy: Path, *arguments: str) -> str:
    """What the program of the copy writes."""
    return run_in(
        copy, "-c", "import sys; from analysis.cli.main import main; sys.exit(main())", *arguments
    )


def run_in(copy: Path, *command: str) -> str:
    """Run Python in the copy."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_guide_says_so():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("\n")
    (line,) = [line for line in guide if line.startswith("- **a mode**")]
    for named in ("`analysis/modes/`", "`ModeName` in `analysis/models.py`", "`docs/modes.md`"):
        assert named in line
