"""What a run sends, and who has to agree to it: scopes and approvals from the engine's side."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analysis.calls import ApprovalRequest, Decision
from analysis.engine import Engine
from analysis.events import Notice, RunFinished
from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import ModelReply
from analysis.models import AskRequest, Position
from analysis.settings import settings_from
from analysis.workspace.buffers import OpenBuffers
from tests.fakes.scripted_model import ScriptedModel

QUESTION = "How does authenticate check the password?"
ENOUGH = json.dumps({"sufficient_context": True, "preliminary_insights": "It compares lengths."})
DOCUMENT = "## Summary\n\n`authenticate()` at `auth.py:1-2` asks `check()`.\n"
AUTH = """\
def authenticate(name, password):
    return check(password)


def check(password):
    return len(password) > 3
"""
FAR = ModelFacts("test/far", "api.example.com")
NEAR = ModelFacts("test/near", "127.0.0.1:8080")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "auth.py").write_text(AUTH)
    return tmp_path / "code"


class Person:
    """Somebody who answers from a list; an exception is raised."""

    def __init__(self, *answers: Decision) -> None:
        self.answers = list(answers)
        self.asked: list[ApprovalRequest] = []

    async def __call__(self, request: ApprovalRequest) -> Decision:
        self.asked.append(request)
        return self.answers.pop(0)


class Session:
    """An engine with a scripted model."""

    def __init__(self, root: Path, facts: ModelFacts = FAR, **raw: Any) -> None:
        settings, problems = settings_from({"model": {"tokensPerMinute": 10**9}, **raw})
        assert not problems
        self.buffers = OpenBuffers()
        self.engine = Engine.open(root, settings, self.buffers)
        self.model = ScriptedModel(
            *[ModelReply(text) for _ in range(3) for text in (ENOUGH, DOCUMENT)], facts=facts
        )
        self.engine.use_model(self.model)
        self.notices: list[str] = []

    async def ask(self, person: Person | None, **more: Any) -> RunFinished:
        request = AskRequest(QUESTION, mode="pipeline", **more)
        async for event in self.engine.ask(request, approver=person):
            if isinstance(event, Notice):
                self.notices.append(event.message)
            if isinstance(event, RunFinished):
                last = event
        return last

    @property
    def sent(self) -> str:
        """Everything that went to the model."""
        return "\n".join(m.content for r in self.model.requests for m in r.messages)


@pytest.fixture
def session(root: Path) -> Iterator[type[Session]]:
    opened: list[Session] = []

    class Opened(Session):
        def __init__(self, *args: Any, **raw: Any) -> None:
            super().__init__(root, *args, **raw)
            opened.append(self)

    yield Opened
    for one in opened:
        one.engine.close()


ON_REQUEST = {"approval": "on-request"}
ALWAYS = {"approval": "always"}


@pytest.mark.parametrize(
    ("facts", "settings", "answers", "n_asked", "n_sent"),
    [
        (FAR, {}, [], 0, 2),
        (FAR, ON_REQUEST, ["once"], 1, 2),
        (FAR, ON_REQUEST, ["deny"], 1, 0),
        (NEAR, ON_REQUEST, [], 0, 2),
        (NEAR, ALWAYS, ["once", "once"], 2, 2),
        (NEAR, ALWAYS, ["once", "deny"], 2, 1),
        (NEAR, ALWAYS, ["session"], 1, 2),
        (NEAR, ALWAYS, ["always"], 1, 2),
        (FAR, {**ON_REQUEST, "approvalFor": ["selection"]}, [], 0, 2),
        (FAR, {**ON_REQUEST, "approvalFor": ["workspace"]}, ["deny"], 1, 0),
        (NEAR, {**ON_REQUEST, "approvalFor": ["ask_model"]}, ["deny"], 1, 0),
    ],
)
async def test_decisions(session, facts, settings, answers, n_asked, n_sent):
    person = Person(*answers)
    run = session(facts, **settings)
    finished = await run.ask(person)
    assert (len(person.asked), len(run.model.requests)) == (n_asked, n_sent)
    assert finished.stop_reason == ("not_approved" if "deny" in answers else "done")
    assert "auth.py" in finished.answer.markdown


async def test_a_name_that_means_nothing_is_told(session):
    names = ["leavin", "leaving", "selection", "read_file", "ask_model"]
    run = session(NEAR, approval="on-request", approvalFor=names)
    await run.ask(Person("once"))
    assert run.notices == ["'approval_for' names 'leavin', which is no scope and no tool."]


async def test_what_is_shown_before_it_is_sent(session):
    person = Person("once")
    await session(**ON_REQUEST).ask(person, selection="x", location=Position("auth.py", 1, 0))
    (asked,) = person.asked
    assert asked.scopes == ("input", "state", "selection", "workspace", "findings")
    assert (asked.tool, asked.files) == ("ask_model", ("auth.py",))
    assert (asked.host, asked.model) == ("api.example.com", "test/far")
    assert asked.tokens > 100


async def test_with_nobody_to_ask_nothing_leaves(session):
    run = session(**ON_REQUEST)
    finished = await run.ask(None)
    assert (run.model.requests, finished.stop_reason) == ([], "not_approved")
    assert "Sending code to the model was not approved" in finished.answer.markdown
    assert run.notices == [
        "Nothing was sent to the model 'test/far' at api.example.com: it needs an approval, and "
        "there is nobody to ask. Approve it when you are asked, or set 'approval' to 'never'."
    ]


async def test_how_long_an_approval_holds(session):
    first = session(**ON_REQUEST)
    person = Person("once", "session")
    for n_asked in (1, 2, 2):
        await first.ask(person)
        assert len(person.asked) == n_asked
    another = session(**ON_REQUEST)
    person = Person("always")
    await another.ask(person)
    assert len(person.asked) == 1, "a session is one program"
    nobody = Person()
    await session(**ON_REQUEST).ask(nobody)
    assert nobody.asked == [], "for ever is for ever"
    other_host = session(ModelFacts("test/far", "elsewhere.example.com"), **ON_REQUEST)
    person = Person("deny")
    await other_host.ask(person)
    assert len(person.asked) == 1, "but for no other host"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"/x": 3}', "\x00"])
async def test_a_damaged_file_of_approvals_grants_nothing(session, text: str):
    file = Path(os.environ["XDG_CONFIG_HOME"]) / "scope" / "approvals.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    person = Person("always")
    await session(**ON_REQUEST).ask(person)
    assert len(person.asked) == 1
    assert [entry["tool"] for entry in next(reversed(json.loads(file.read_text()).values()))] == [
        "ask_model"
    ]


SELECTED: dict[str, Any] = {
    "location": Position("auth.py", 1, 0),
    "symbol": "authenticate",
    "selection": "CANARY_SELECTION",
    "diagnostic": "CANARY_PROBLEM",
}
EVERYTHING = ["input", "state", "selection", "diagnostics", "open_files", "workspace", "findings"]


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ("selection", "CANARY_SELECTION"),
        ("diagnostics", "CANARY_PROBLEM"),
        ("open_files", "CANARY_UNSAVED"),
        ("state", "in authenticate."),
        ("findings", "It compares lengths."),
        ("history", "nothing of it"),
    ],
)
async def test_a_scope_that_is_not_allowed_is_not_sent(session, missing: str, words: str):
    allowed = [kind for kind in EVERYTHING if kind != missing]
    for scopes, is_sent in ((EVERYTHING, missing != "history"), (allowed, False)):
        run = session(NEAR, allowedScopes=scopes)
        run.buffers.open("auth.py", AUTH + "\n\ndef authenticate_CANARY_UNSAVED():\n    pass\n", 1)
        await run.ask(None, **SELECTED)
        if missing == "open_files" and not is_sent:
            assert run.model.requests == []  # There is no other file.
        else:
            assert run.model.requests
        assert (words in run.sent) is is_sent, (scopes, words)


@pytest.mark.parametrize("missing", ["input", "workspace"])
async def test_a_model_is_not_asked_without_what_it_needs(session, missing: str):
    run = session(allowedScopes=[kind for kind in EVERYTHING if kind != missing])
    finished = await run.ask(None, **SELECTED)
    assert run.model.requests == []
    assert finished.answer.stats.mode == "offline"
    assert any("'allowed_scopes' lacks" in notice for notice in run.notices)


def test_the_preview_names_what_is_sent_and_what_is_withheld(session):
    run = session(allowedScopes=["input", "workspace", "state"])
    found = run.engine.preview(AskRequest(QUESTION, mode="pipeline", **SELECTED))
    assert found.scopes == ("input", "state", "workspace")
    assert found.withheld == ("selection", "diagnostics", "findings")
    assert run.model.requests == []


def test_the_preview_of_nothing_says_why(session):
    run = session(allowedScopes=["input"])
    found = run.engine.preview(AskRequest(QUESTION, mode="pipeline", **SELECTED))
    assert (found.model, found.scopes) == ("none", ())
    assert "'allowed_scopes' lacks" in found.notes[0]
