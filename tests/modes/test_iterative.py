"""Iterative mode on a small code base, with a model that says what it is told to."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from analysis.engine import Engine
from analysis.errors import ModelUnavailable
from analysis.events import (
    Decided,
    Event,
    TextDelta,
    ToolCalled,
    ToolReturned,
)
from analysis.llm.messages import ModelReply, ModelRequest, Usage
from analysis.models import Answer, AskRequest, RefState
from analysis.modes.iterative.rounds import CallWanted
from analysis.stopping import StopFlag
from analysis.tools.registry import ITERATIVE_TOOLS, TOOLS
from tests.fakes.scripted_model import ScriptedModel
from tests.support.auth_shop import ANSWER, write
from tests.support.auth_shop import asked as asked_in

FILES = {
    "auth/login.py": (
        '"""Logs users in."""\n\nfrom auth.tokens import make_token\n\n\n'
        "def login(user, password):\n"
        '    """Check a password and return a token."""\n'
        "    if not user.check(password):\n"
        "        raise PermissionError(user)\n"
        "    return make_token(user)\n"
        "\n\ndef logout(user):\n    user.token = None\n"
    ),
    "auth/tokens.py": (
        '"""Tokens of users."""\n\nfrom auth.keys import KeyRing\n\n\n'
        "def make_token(user):\n"
        '    """Return a signed token."""\n'
        "    return KeyRing().sign(user.name)\n"
    ),
    "auth/keys.py": (
        '"""Keys that sign."""\n\nimport hmac\n\n\n'
        "class KeyRing:\n"
        '    """All keys, the newest first."""\n\n'
        "    def __init__(self):\n        self.keys = [b'']\n\n"
        "    def sign(self, text):\n"
        "        return hmac.new(self.keys[0], text.encode(), 'sha256').hexdigest()\n"
    ),
    "shop/cart.py": (
        "def total(cart):\n"
        '    """Sum up, without a password."""\n'
        "    return sum(item.price for item in cart)\n"
    ),
    "web/views.py": (
        "from auth.login import login\n\n\n"
        "def post_form(request):\n    return login(request.user, request.form)\n"
    ),
}
QUESTION = "How does the form decide which password a user has to give at login?"
DOCUMENT = ModelReply(ANSWER, usage=Usage(2_000, 300))


def said(confidence: Any, *tool_calls: dict[str, Any], **fields: Any) -> ModelReply:
    """One round's answer."""
    data = {"confidence": confidence, "tool_calls": list(tool_calls), **fields}
    return ModelReply(json.dumps(data), usage=Usage(1_000, 100))


def search(term: str, **more: Any) -> dict[str, Any]:
    return {"tool": "search_codebase", "term": term, **more}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    write(folder, FILES)
    return folder


async def asked(
    root: Path, *replies: Any, question: str = QUESTION, **more: Any
) -> tuple[Answer, list[Event], ScriptedModel]:
    model = ScriptedModel(*replies)
    answer, events = await asked_in(root, model, question, mode="iterative", **more)
    return answer, events, model


def decisions(events: list[Event]) -> list[str]:
    return [event.decision for event in events if isinstance(event, Decided)]


def prompts(model: ScriptedModel) -> list[str]:
    return [request.messages[-1].content for request in model.requests]


def report_of(answer: Answer) -> str:
    return answer.markdown.split("## How this was answered\n\n")[1].split("<!--")[0].strip()


async def test_rounds_go_on_until_the_model_is_confident(root: Path):
    answer, events, model = await asked(
        root,
        said(25, search("make_token"), {"tool": "list_directory", "path": "auth"},
             insights="login() calls make_token()."),
        said(65, search("KeyRing"), keep_files=["auth/login.py", "auth/tokens.py"]),
        said(95, keep_files=["auth/login.py", "tokens.py", "auth/keys.py"]),
        DOCUMENT,
    )  # fmt: skip
    assert answer.stats.mode == "iterative"
    assert answer.stats.stop_reason == "confidence_threshold_reached"
    assert answer.stats.llm_calls == len(model.requests) == 4
    assert "Confidence: 95% | Rounds: 3 | Stop: confidence_threshold_reached" in report_of(answer)
    states = {(ref.path, ref.line_start): ref.state for ref in answer.references}
    assert states["auth/login.py", 6] is RefState.OK
    assert states["nowhere.py", 3] is RefState.UNVERIFIED
    calls = [event.tool for event in events if isinstance(event, ToolCalled)]
    assert calls == ["search_codebase", "list_directory", "search_codebase"]
    assert all(event.ok for event in events if isinstance(event, ToolReturned))
    streamed = "".join(event.text for event in events if isinstance(event, TextDelta))
    body = answer.markdown.split("---\n", 2)[2].split("<!--")[0]
    assert streamed.split() == body.split()


async def test_each_round_says_what_was_asked_found_kept_and_dropped(root: Path):
    answer, events, _ = await asked(
        root,
        said(25, search("sign")),
        said(96, keep_files=["auth/login.py", "auth/keys.py"], reasoning="All of it is there."),
        DOCUMENT,
    )
    said_so = decisions(events)
    assert said_so[0] == "at most 4 rounds, confidence 92, 9,600 lines"
    assert said_so[1] == "confidence 25, 92 needed"
    assert re.fullmatch(r"gather \d+ places?, \d+ by the call graph", said_so[2])
    assert said_so[3] == "confidence 96, 92 needed"
    assert re.fullmatch(r"keep 2 files, drop \d", said_so[4])
    assert said_so[5] == "stop: confidence_threshold_reached"
    first, second = report_of(answer).splitlines()[1:]
    assert first.startswith("- Round 1: confidence 25, 92 needed; asked `search_codebase(sign)`: ")
    assert "kept `auth/login.py` and `auth/keys.py`; dropped " in second
    assert "`shop/cart.py`" in second


async def test_prompts_show_each_piece_of_code_once(root: Path):
    _, _, model = await asked(
        root, said(10, search("KeyRing")), said(20, search("sum")), said(95), DOCUMENT
    )
    first, second, third, last = prompts(model)
    assert "Round 1 of at most 4. The search ends at a confidence of 92." in first
    assert "By its wording it is a medium question" in first
    assert "search_codebase(term, pattern, regex)" in model.requests[0].messages[0].content
    assert "class KeyRing:" in second
    assert "class KeyRing:" not in third
    assert "Gathered, not shown again:" in third
    assert "auth/keys.py:6-13 KeyRing" in third
    assert "search_codebase(KeyRing): " in third
    assert "class KeyRing:" in last


async def test_a_class_is_gathered_with_its_methods_only_once(root: Path):
    _, _, model = await asked(
        root, said(10, search("self.keys"), search("class KeyRing")), said(95), DOCUMENT
    )
    second = prompts(model)[1]
    assert second.count("def sign(self, text)") == 1
    assert "KeyRing in auth/keys.py>>>" in second


async def test_what_calls_and_what_is_called_comes_along(root: Path):
    answer, events, model = await asked(
        root, said(10, search("make_token", pattern="auth/tokens.py")), said(95), DOCUMENT,
        question="How are the prices of items in a cart summed up?",
    )  # fmt: skip
    gathered = [e for e in events if isinstance(e, Decided) and e.decision.startswith("gather")]
    assert "login (calls make_token)" in gathered[0].reason
    assert "KeyRing (called by make_token)" in gathered[0].reason
    assert "def login(user, password):" in prompts(model)[1]
    assert "by the call graph" in report_of(answer)


async def test_dropped_files_stay_away_until_they_are_asked_for(root: Path):
    answer, _, model = await asked(
        root,
        said(10, search("KeyRing"), keep_files=["auth/tokens.py"]),
        said(20, search("def login"), keep_files=["auth/tokens.py", "auth/keys.py"]),
        said(95, keep_files=["auth/login.py"]),
        DOCUMENT,
    )  # fmt: skip
    _, second, third, last = prompts(model)
    assert "def login(user, password):" not in second
    assert "def login(user, password):" in third
    assert "file auth/login.py>>>" in last
    assert "file auth/keys.py>>>" not in last
    assert answer.stats.llm_calls == 4


@pytest.mark.parametrize(
    ("replies", "settings", "reason", "n_calls", "confidence"),
    [
        pytest.param(
            [said(95)], {}, "confidence_threshold_reached", 2, "95%", id="confident at once"
        ),
        pytest.param(
            [said(50, search(t)) for t in ("login", "token", "sign", "key")],
            {}, "max_rounds", 5, "50%", id="never confident",
        ),
        pytest.param(
            [said(10, search("login"), complexity=0), said(20, search("key"))],
            {}, "max_rounds", 3, "20%", id="simple, says the model",
        ),
        pytest.param(
            [said(91, search("login"), complexity=100)],
            {}, "confidence_threshold_reached", 2, "91%", id="complex, says the model",
        ),
        pytest.param([said(40)], {}, "no_more_actions", 2, "40%", id="nothing to look up"),
        pytest.param(
            [said(40, search("login")), said(60, search("login"))],
            {}, "no_more_actions", 3, "60%", id="the same again",
        ),
        pytest.param(
            [ModelReply("Hm."), ModelReply("Well.")],
            {}, "no_more_actions", 3, "unknown", id="no usable answer",
        ),
        pytest.param(
            [said(40, {"tool": "browse_file", "path": "long.py"})],
            {"iterative": {"max_lines": 100}}, "budget_exhausted", 2, "40%", id="lines",
        ),
        pytest.param(
            [ModelReply(said(40, search("login")).text, usage=Usage(66_000, 100))],
            {"budget": {"tokens": 100_000}}, "budget_exhausted", 2, "40%", id="tokens",
        ),
        pytest.param(
            [ModelReply("Hm."), *(said(50, search(t)) for t in ("login", "token", "sign"))],
            {}, "max_rounds", 5, "50%", id="a repair takes the place of a round",
        ),
    ],
)  # fmt: skip
async def test_the_four_ends(root, replies, settings, reason, n_calls, confidence):
    write(root, {"long.py": "".join(f"X{n} = {n}\n" for n in range(200))})
    answer, events, model = await asked(root, *replies, DOCUMENT, settings=settings)
    assert answer.stats.stop_reason == reason
    assert f"stop: {reason}" in decisions(events)
    assert f"stop_reason: {reason}\n" in answer.markdown
    assert answer.stats.llm_calls == len(model.requests) == n_calls
    n_rounds = n_calls - 1 - (replies[0].text == "Hm.")
    line = f"Confidence: {confidence} | Rounds: {n_rounds} | Stop: {reason}"
    assert report_of(answer).splitlines()[0] == f"- {line}"
    assert "checks the password" in answer.markdown


@pytest.mark.parametrize(
    ("given", "understood"),
    [
        (150, 100), (-3, 0), ("85%", 85), (0.85, 85), (85.4, 85), (1, 1), (0, 0), (100, 100),
        ("40", 40),
    ],
)  # fmt: skip
async def test_confidence_is_a_number_from_0_to_100(root: Path, given: Any, understood: int):
    _, events, _ = await asked(root, said(given), DOCUMENT)
    assert decisions(events)[1] == f"confidence {understood}, 92 needed"


@pytest.mark.parametrize("given", ["high", None, [90], True, float("nan"), float("inf")])
async def test_what_is_no_number_is_mended_once(root: Path, given: Any):
    answer, _, model = await asked(root, said(given), said(95), DOCUMENT)
    assert "That answer cannot be used" in prompts(model)[1]
    assert answer.stats.llm_calls == 3
    assert answer.stats.stop_reason == "confidence_threshold_reached"


async def test_a_model_that_keeps_only_what_is_not_there_is_not_believed(root: Path):
    answer, events, model = await asked(
        root,
        said(99, keep_files=["auth/oauth.py", "../secret.py", "/etc/passwd"]),
        said(99, keep_files=["auth/login.py"]),
        DOCUMENT,
    )
    assert "ignore what is not there" in decisions(events)
    second = prompts(model)[1]
    assert "There is no file auth/oauth.py." in second
    assert "leads outside the code base" in second
    assert answer.stats.llm_calls == 3
    assert "3 things it named could not be found" in report_of(answer)
    assert "root:" not in json.dumps([[m.content for m in r.messages] for r in model.requests])


async def test_calls_that_cannot_be_made_are_told_and_do_no_harm(root: Path):
    answer, events, model = await asked(
        root,
        said(10, {"tool": "read_mind", "term": "x"}, {"tool": "browse_file", "path": "no.py"},
             search("(", regex=True), {"name": "browse_file", "arguments": {"path": "keys.py"}}),
        said(95),
        DOCUMENT,
    )  # fmt: skip
    returned = [event.ok for event in events if isinstance(event, ToolReturned)]
    assert returned == [False, False, False, True]
    second = prompts(model)[1]
    assert "There is no tool 'read_mind'" in second
    assert "There is no file no.py" in second
    assert "part in auth/keys.py>>>" in second
    assert answer.stats.stop_reason == "confidence_threshold_reached"


async def test_a_cancel_keeps_what_was_found(root: Path):
    stop = StopFlag()

    def thinking(request: ModelRequest) -> ModelReply:
        stop.set()
        return ModelReply("", finish_reason="cancelled")

    answer, _, _ = await asked(
        root, said(30, search("sign"), insights="sign() makes the token."), thinking, stop=stop
    )
    assert answer.stats.stop_reason == "cancelled"
    assert "makes the token" in answer.markdown
    assert report_of(answer).startswith("- Confidence: 30% | Rounds: 2\n")


@pytest.mark.parametrize("at", [0, 1, 2])
async def test_a_dead_model_leaves_the_offline_answer(root: Path, at: int):
    dead = ModelReply("", finish_reason="failed", failure=ModelUnavailable("Gone."), was_read=False)
    replies = [said(30, search("sign")), said(95)]
    answer, _, _ = await asked(root, *replies[:at], dead)
    assert answer.stats.stop_reason == "model_unavailable"
    assert answer.stats.llm_calls == at
    assert "auth/login.py" in answer.markdown
    assert answer.document is not None


async def test_a_question_that_ranking_finds_nothing_for_can_still_be_answered(root: Path):
    answer, _, model = await asked(
        root, said(10, search("KeyRing")), said(95, keep_files=["auth/keys.py"]), DOCUMENT,
        question="zyzzyva quux?",
    )  # fmt: skip
    assert "class KeyRing:" in prompts(model)[2]
    assert answer.stats.stop_reason == "confidence_threshold_reached"


async def test_a_preview_is_what_the_first_round_sends(root: Path):
    model = ScriptedModel(said(95), DOCUMENT)
    with Engine.open(root) as engine:
        engine.use_model(model)
        preview = await asyncio.to_thread(
            engine.preview, AskRequest(QUESTION, mode="iterative"), StopFlag()
        )
    assert not model.requests
    assert preview.mode == "iterative"
    assert {file.path for file in preview.files} >= {"auth/login.py", "web/views.py"}
    assert [phase.is_exact for phase in preview.phases] == [True, False, False]


async def test_a_flood_of_names_that_are_not_there_stays_small(root: Path):
    flood = [f"no/such/file_{n}.py" for n in range(500)]
    answer, _, model = await asked(root, said(99, keep_files=flood), said(95), DOCUMENT)
    assert prompts(model)[1].count("There is no file") == 10
    assert answer.stats.stop_reason == "confidence_threshold_reached"


@pytest.mark.parametrize("name", ITERATIVE_TOOLS)
def test_a_call_can_have_every_argument_of_its_tool(name: str):
    spec = TOOLS[name].spec
    wanted = CallWanted(tool=spec.name)
    assert set(wanted.arguments) == set(spec.parameters["properties"])
    assert wanted.label == f"{spec.name}()"


def test_an_empty_symbol_is_none():
    wanted = CallWanted.model_validate({"tool": "skim_file", "path": "a.py", "symbol": ""})
    assert wanted.arguments == {"path": "a.py", "symbol": None, "from_line": 1}


async def test_what_was_asked_for_goes_before_what_ranking_brought(root: Path):
    """The last request has no room for all: what nobody asked for gives way."""
    lines = "".join(f"    password{n} = {n}\n" for n in range(60))
    write(root, {"auth/forms.py": f"def password_form(user):\n{lines}    return user\n"})
    write(root, {"auth/rare.py": f"def rare(x):\n{lines.replace('password', 'x')}    return x\n"})
    _, _, model = await asked(
        root,
        said(25, {"tool": "read_symbols", "names": ["rare"]}),
        said(95),
        DOCUMENT,
        question="Where is the password form of a user?",
        settings={"pipeline": {"final_chars": 1_600}},
    )
    assert "61|     return x" not in prompts(model)[0]
    assert "def password_form" in prompts(model)[0]
    assert "62|     return x" in prompts(model)[-1]
    assert "62|     return user" not in prompts(model)[-1]
