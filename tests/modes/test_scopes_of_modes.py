"""In every mode with a model: what is out of scope is never sent, and a denied tool never runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analysis.calls import ApprovalRequest, Decision
from analysis.engine import Engine
from analysis.events import RunFinished, ToolReturned
from analysis.llm.messages import ModelReply, ModelRequest, ToolCall, ToolSpec
from analysis.models import AskRequest, Position
from analysis.modes.registry import MODES as SPECS
from analysis.settings import settings_from
from analysis.tools.toolbox import Toolbox
from analysis.workspace.buffers import OpenBuffers
from tests.fakes.scripted_model import ScriptedModel
from tests.tools.workbench import open_workbench

QUESTION = (
    "Why does login reject a password, step by step from the view to authenticate and check, "
    "and what would have to change to allow a hint?"
)
SAVED = """\
def authenticate(name, password):
    return check(password)


def check(password):
    return len(password) > 3
"""
UNSAVED = (
    SAVED
    + """

def check_again(password):
    hint = "CANARY_UNSAVED"
    return check(password) and password != hint
"""
)
OTHER = """\
from auth import authenticate


def login(request):
    return authenticate(request.name, request.password)
"""
KINDS = ["input", "state", "selection", "diagnostics", "workspace", "findings", "history"]
WORDS = {"path": "auth.py", "name": "check_again", "pattern": "hint", "query": "hint check_again"}
MODES = sorted(name for name, spec in SPECS.items() if spec.needs_model)


class Curious(ScriptedModel):
    """A model that asks for the unsaved file by every tool and in every form it is offered."""

    def __init__(self) -> None:
        super().__init__(self.say)
        self.did_look: set[str] = set()

    def say(self, request: ModelRequest) -> ModelReply:
        has_looked = any(message.role == "tool" for message in request.messages)
        if request.tools and not has_looked:
            calls = tuple(
                ToolCall(f"c{number}", spec.name, json.dumps(arguments_for(spec)))
                for number, spec in enumerate(request.tools)
                if spec.name != "generate_scoped_context"
            )
            self.did_look |= {call.name for call in calls}
            return ModelReply("", calls, finish_reason="tool_calls")
        name = request.schema.name.removeprefix("First") if request.schema else ""
        return ModelReply(json.dumps(DATA[name]) if name in DATA else "## Summary\n\nIt checks.\n")


DATA: dict[str, Any] = {
    "ScopeExplorationOutput": {
        "additional_files_needed": ["auth.py"],
        "symbols_to_read": [{"path": "auth.py", "symbol": "check_again"}],
    },
    "RoundOutput": {
        "confidence": 10,
        "keep_files": ["auth.py"],
        "tool_calls": [
            {"tool": "browse_file", "path": "auth.py"},
            {"tool": "skim_file", "path": "auth.py", "symbol": "check_again"},
            {"tool": "search_codebase", "term": "hint"},
            {"tool": "list_directory", "path": ""},
        ],
    },
    "Plan": {"steps": ["Look at check_again"]},
    "Refinement": {"decision": "FINISH", "reason": "enough"},
}


def arguments_for(spec: ToolSpec) -> dict[str, Any]:
    """Arguments that lead a tool to the unsaved function."""
    given: dict[str, Any] = {}
    for name in spec.parameters.get("properties", {}):
        for part, value in WORDS.items():
            if part in name or (part == "query" and name in {"term", "text", "keywords"}):
                given[name] = [value] if name.endswith("s") else value
        if name in {"symbol", "symbol_name", "function_name"}:
            given[name] = "check_again"
        if "line" in name:
            given[name] = 1 if "start" in name or "from" in name else 30
    return given


class Person:
    """Lets every request through, and no tool."""

    def __init__(self) -> None:
        self.tools: set[str] = set()

    async def __call__(self, request: ApprovalRequest) -> Decision:
        if request.model:
            return "once"
        self.tools.add(request.tool)
        return "deny"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "code"
    root.mkdir()
    (root / "auth.py").write_text(SAVED)
    (root / "views.py").write_text(OTHER)
    return root


@pytest.fixture
def model() -> Curious:
    return Curious()


@pytest.fixture
def opened(root: Path, model: Curious) -> Iterator[Any]:
    engines: list[Engine] = []

    def opened(**raw: Any) -> Engine:
        # The limit on tokens a minute is shared, and not what is tested here.
        settings, problems = settings_from({"model": {"tokensPerMinute": 10**9}, **raw})
        assert not problems
        buffers = OpenBuffers()
        buffers.open("auth.py", UNSAVED, 1)
        engines.append(Engine.open(root, settings, buffers))
        engines[-1].use_model(model)
        return engines[-1]

    yield opened
    for engine in engines:
        engine.close()


async def ask(engine: Engine, mode: str, person: Person | None = None) -> list[Any]:
    request = AskRequest(
        QUESTION, mode=mode, location=Position("views.py", 4, 0), selection="CANARY_SELECTED"
    )
    events = [event async for event in engine.ask(request, approver=person)]
    assert isinstance(events[-1], RunFinished)
    assert events[-1].answer.stats.mode == mode
    return events


def sent(model: Curious) -> str:
    """What went to the model of what is not its own words."""
    return "\n".join(
        message.content
        for request in model.requests
        for message in request.messages
        if message.role != "assistant"
    )


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_in_scope_is_found_by_a_curious_model(opened, model: Curious, mode: str):
    await ask(opened(), mode)
    assert "CANARY_UNSAVED" in sent(model), "else the next test proves nothing"
    assert "CANARY_SELECTED" in sent(model)


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_not_is_never_sent(opened, model: Curious, mode: str):
    allowed = [kind for kind in KINDS if kind != "selection"]
    await ask(opened(allowedScopes=allowed), mode)
    assert model.requests
    assert "CANARY" not in sent(model)
    assert "hint =" not in sent(model)
    assert "check_again(" not in sent(model)


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "pipeline"])
async def test_a_denied_tool_is_a_result(opened, model: Curious, mode: str):
    person = Person()
    events = await ask(opened(approval="always"), mode, person)
    returned = [event for event in events if isinstance(event, ToolReturned)]
    assert returned
    assert not any(event.ok for event in returned)
    assert person.tools == {event.tool for event in returned} >= model.did_look
    assert "The user denied" in sent(model)


async def test_a_tool_that_needs_the_workspace_cannot_be_called_without_it(tmp_path: Path):
    bench = open_workbench(tmp_path / "shop")
    for scopes, is_ok in ((None, True), (("input", "workspace"), True), (("input",), False)):
        bench.context.request = AskRequest(QUESTION, scopes=scopes)
        call = ToolCall("1", "list_directory", "{}")
        result = await Toolbox(bench.context, ["list_directory"]).run(call)
        assert result.ok is is_ok
        assert ("needs workspace, which is not in the scope of this run" in result.text) != is_ok


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "pipeline"])
async def test_without_findings_no_step_builds_upon_another(opened, model: Curious, mode: str):
    request = AskRequest(QUESTION, mode=mode)
    engine = opened(allowedScopes=[kind for kind in KINDS if kind != "findings"])
    events = [event async for event in engine.ask(request)]
    answer = events[-1].answer
    assert answer.stats.mode == "pipeline"
    assert "each step sees 'findings' of those before" in answer.markdown
