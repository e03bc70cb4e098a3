"""A mode is what CONTRIBUTING.md lists and nothing else: here one is added to a copy, and asked."""

from __future__ import annotations

import os
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
MODE = ModeSpec(__name__, "nobody: the first file is the answer", phases=PHASES)
'''
RUN = '''\
"""The one step of the mode."""

from analysis.documents import DocumentParts, Section, render
from analysis.events import PhaseStarted, RunFinished
from analysis.models import Answer, RunStats
from analysis.modes.job import Job


async def run(job: Job) -> RunFinished:
    """Answer with the first file."""
    job.emit(PhaseStarted("discovery"))
    first = min(job.index.file_table().paths)
    stats = RunStats("first")
    summary = Section("Summary", f"The first file is {first}.")
    parts = DocumentParts(job.request.question, job.target, stats, (summary,), ())
    return RunFinished(Answer(render(parts, job.view), (), stats))
'''
PROGRAM = """\
import asyncio, sys
from pathlib import Path

from analysis.engine import Engine
from analysis.models import AskRequest
from analysis.modes.registry import topology_of
from analysis.modes.topology import mermaid
from analysis.settings import settings_from, Settings

chosen, problems = settings_from({"answer": {"mode": "first"}}, Settings())
assert not problems and chosen.answer.mode == "first"
assert "START --> discovery" in mermaid(topology_of("first"))


async def main():
    with Engine.open(Path(sys.argv[1])) as engine:
        events = [event async for event in engine.ask(AskRequest("What is first?", mode="first"))]
    assert [e.phase for e in events if e.type == "phase"] == ["indexing", "discovery"]
    assert "The first file is a.py." in events[-1].answer.markdown
    assert events[-1].answer.stats.mode == "first"


asyncio.run(main())
print("works")
"""


def test_a_mode_is_a_package_and_its_name(tmp_path: Path):
    copy, project = tmp_path / "copy", tmp_path / "project"
    shutil.copytree(
        ROOT / "analysis", copy / "analysis", ignore=shutil.ignore_patterns("__pycache__")
    )
    package = copy / "analysis" / "modes" / "first"
    package.mkdir()
    (package / "__init__.py").write_text(SPEC)
    (package / "run.py").write_text(RUN)
    models = copy / "analysis" / "models.py"
    text = models.read_text(encoding="utf-8")
    assert text.count('"iterative"]') == 1
    models.write_text(text.replace('"iterative"]', '"iterative", "first"]'), encoding="utf-8")
    project.mkdir()
    (project / "a.py").write_text("def f():\n    return 1\n")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(project)],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "works\n"


def test_the_guide_says_so():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("\n")
    (line,) = [line for line in guide if line.startswith("- **a mode**")]
    for named in ("`analysis/modes/`", "`ModeName` in `analysis/models.py`", "`docs/modes.md`"):
        assert named in line
