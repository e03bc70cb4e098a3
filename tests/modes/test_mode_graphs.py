"""The drawn graphs are those of the runs: plan mode's is the one that runs, the others are held to
the phases that runs go through."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from analysis.engine import Engine
from analysis.errors import BadInput, ModelUnavailable
from analysis.events import Event, PhaseStarted, RunFinished
from analysis.llm.messages import ModelReply, ToolCall, Usage
from analysis.models import AskRequest
from analysis.modes.registry import MODES, topology_of
from analysis.modes.topology import END, START, ascii_art, mermaid
from analysis.settings import Settings, settings_from
from analysis.stopping import StopFlag
from tests.fakes.scripted_model import ScriptedModel
from tests.support.auth_shop import write
from tests.support.plan_script import DOCUMENT, FILES, QUESTION, reply

# The topology that plan mode was designed with.
DESIGNED = """
graph TD
    START([__start__]) --> planner
    subgraph "Outer Loop: Plan-Refine Cycle"
        planner --> setup_executor
        subgraph "Inner Loop: ReAct Executor"
            setup_executor --> executor_llm
            executor_llm -- "tool_calls exist & count < max" --> tool_node
            tool_node --> executor_llm
        end
        executor_llm -- "no tool_calls | count >= max" --> aggregate
        aggregate --> refinery
    end
    refinery -- "CONTINUE & iter < max" --> planner
    refinery -- "FINISH | iter >= max" --> synthesizer
    synthesizer --> END([__end__])
"""
_EDGE = re.compile(r'^\s*(\w+)(?:\(\[\w+\]\))? (?:-- "([^"]*)" )?--> (\w+)', re.MULTILINE)


def edges_in(diagram: str) -> set[tuple[str, str, str]]:
    return {(source, target, label) for source, label, target in _EDGE.findall(diagram)}


def test_plan_mode_has_the_topology_that_it_was_designed_with():
    drawn = mermaid(topology_of("plan")).replace("END_", "END")
    assert len(edges_in(DESIGNED)) == 10
    assert edges_in(drawn) == edges_in(DESIGNED)


def test_the_documentation_shows_the_graph_that_runs():
    page = (Path(__file__).parents[2] / "docs" / "modes.md").read_text("utf-8")
    [diagram] = re.findall(r"```mermaid\n(.*?)```", page, re.DOTALL)
    assert edges_in(diagram) == edges_in(mermaid(topology_of("plan")))


def search(**fields: Any) -> ModelReply:
    return ModelReply(json.dumps(fields), usage=Usage(500, 50))


def call(name: str, **arguments: Any) -> ModelReply:
    made = ToolCall("c1", name, json.dumps(arguments))
    return ModelReply("", (made,), Usage(500, 50), "tool_calls")


ENOUGH = search(sufficient_context=True)
GONE = ModelReply("", failure=ModelUnavailable("The host is gone."), finish_reason="failed")
WRITTEN = reply(DOCUMENT)
NOTHING = "Zzyzx qwxv?"


STOPPED = "stopped before it began"

RUNS: dict[str, list[tuple[str, list[Any]]]] = {
    "offline": [(QUESTION, []), (NOTHING, []), ("Who uses make_token?", []), (QUESTION, [STOPPED])],
    "pipeline": [
        (QUESTION, [search(additional_files_needed=["nothing.py"]), ENOUGH, WRITTEN]),
        (QUESTION, [GONE]),
        (NOTHING, []),
        (QUESTION, [STOPPED]),
    ],
    "iterative": [
        (
            QUESTION,
            [
                search(confidence=20, tool_calls=[{"tool": "browse_file", "path": "README.md"}]),
                search(confidence=99, keep_files=["auth/login.py"]),
                WRITTEN,
            ],
        ),
        (QUESTION, [GONE]),
        (QUESTION, [STOPPED]),
    ],
    "agent": [
        (
            QUESTION,
            [
                call("read_lines", path="auth/login.py", start=1, end=10),
                call(
                    "generate_scoped_context",
                    question=QUESTION,
                    relevant_file_paths=["auth/login.py"],
                    insights="login() calls make_token().",
                ),
                WRITTEN,
            ],
        ),
        (QUESTION, [GONE]),
        (QUESTION, [STOPPED]),
    ],
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "shop", FILES)


async def phases(root: Path, mode: str, question: str, answers: list[Any]) -> list[str]:
    """The phases of a run between its start and its end."""
    settings, _ = settings_from({"model": {"tokens_per_minute": 10_000_000}}, Settings())
    events: list[Event] = []
    with Engine.open(root, settings) as engine:
        engine.use_model(ScriptedModel(*(answers or [WRITTEN])))
        stop = StopFlag()
        if answers == [STOPPED]:
            stop.set()
        async for event in engine.ask(AskRequest(question, mode=mode), stop=stop):
            events.append(event)
    assert isinstance(events[-1], RunFinished)
    named = [event.phase for event in events if isinstance(event, PhaseStarted)]
    return [START, *(phase for phase in named if phase not in ("indexing", "writing")), END]


@pytest.mark.parametrize("mode", RUNS)
async def test_runs_go_along_the_edges_and_use_all_of_them(root: Path, mode: str):
    seen: set[tuple[str, str]] = set()
    for question, answers in RUNS[mode]:
        steps = await phases(root, mode, question, answers)
        seen |= set(itertools.pairwise(steps))
    declared = {(edge.source, edge.target) for edge in topology_of(mode).edges}
    assert seen == declared


def test_the_runs_of_every_mode_with_phases_are_watched():
    """A mode without an entry in ``RUNS`` shows a graph that nothing holds to its runs."""
    assert set(RUNS) == {name for name, spec in MODES.items() if spec.phases}


@pytest.mark.parametrize("mode", MODES)
def test_every_graph_can_be_drawn(mode: str):
    graph = topology_of(mode)
    assert graph.nodes[0] == START
    assert graph.nodes[-1] == END
    for edge in graph.edges:
        assert {edge.source, edge.target} <= set(graph.nodes)
    assert all(node in mermaid(graph) for node in graph.nodes)
    assert all(node in ascii_art(graph) for node in graph.nodes)


def test_text_shows_ways_back_and_ways_aside():
    lines = [line.strip() for line in ascii_art(topology_of("plan")).splitlines()]
    assert "|   tool_node    |" in lines
    assert any(line.endswith("--^ executor_llm") for line in lines)
    assert any(line.endswith("--> aggregate  (no tool_calls | count >= max)") for line in lines)


@pytest.mark.parametrize("mode", ["auto", "x"])
def test_there_is_no_graph_of_other_words(mode: str):
    with pytest.raises(BadInput, match="There are: offline"):
        topology_of(mode)
