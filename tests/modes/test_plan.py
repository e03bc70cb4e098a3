"""Plan mode from the question to the document, with a model that says what it is told to."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from analysis.engine import Engine
from analysis.events import ToolCalled, ToolReturned, UsageReported
from analysis.llm.messages import ModelReply, ModelRequest, OnPiece
from analysis.models import AskRequest, RefState
from analysis.modes.plan.state import GENERIC_STEP, NO_RESULTS
from analysis.stopping import StopFlag
from tests.fakes.canaries import CANARIES
from tests.fakes.scripted_model import ScriptedModel
from tests.support.auth_shop import write
from tests.support.plan_script import (
    DOCUMENT,
    FILES,
    FOUND,
    QUESTION,
    READ,
    Scripted,
    decide,
    node_of,
    plan,
    play,
    reply,
    together,
    use,
)

STEP = ["setup_executor", "executor_llm", "aggregate", "refinery"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "shop", FILES)


async def test_a_step_is_planned_carried_out_and_written_down(root: Path):
    script = Scripted(planner=[plan("Find login")], executor_llm=[READ, FOUND])
    done = await play(root, script)
    assert done.path == [
        "planner", "setup_executor", "executor_llm", "tool_node", "executor_llm", "aggregate",
        "refinery", "synthesizer", "__end__",
    ]  # fmt: skip
    assert done.stop_reason == "done"
    assert done.answer.stats.llm_calls == 5
    assert {ref.state for ref in done.answer.references} == {RefState.OK}
    assert len(done.answer.references) == 2
    [text] = done.findings.values()
    assert "def login(user, password)" in text
    assert text.endswith("\n---\n" + FOUND.text)
    kinds = [type(event) for event in done.events]
    assert kinds.count(ToolCalled) == kinds.count(ToolReturned) == 1
    assert kinds.count(UsageReported) == 5
    assert "what the steps of a plan have found" in script.prompts("synthesizer")[0]
    assert FOUND.text in script.prompts("synthesizer")[0]
    assert "def login(user, password)" in script.prompts("synthesizer")[0]


async def test_the_state_has_ten_fields_and_is_kept_after_each_node(root: Path):
    script = Scripted(planner=[plan("Find login")], executor_llm=[READ, FOUND])
    done = await play(root, script)
    assert [state["next"] for state in done.states] == done.path
    assert [state["node"] for state in done.states] == ["__start__", *done.path[:-1]]
    assert list(done.states[-1]["state"]) == [
        "input", "chat_history", "plan", "current_step", "findings", "response", "loop_decision",
        "messages", "executor_call_count", "iteration_count",
    ]  # fmt: skip
    assert done.states[-1]["state"]["response"] == DOCUMENT
    assert json.loads(
        (root / ".scope" / "runs").iterdir().__next__().joinpath("end.json").read_text()
    )
    assert (root / ".scope" / ".gitignore").read_text() == "*\n"


async def test_the_plan_is_made_again_until_the_findings_suffice(root: Path):
    script = Scripted(
        planner=[plan("Find login", "Find tokens"), plan("Find tokens"), plan("Find hashing")],
        executor_llm=[FOUND, reply("make_token() signs."), reply("sha256.")],
        refinery=[
            decide("CONTINUE", "tokens are missing"),
            decide("CONTINUE", "hashing is missing"),
            decide("FINISH"),
        ],
    )
    done = await play(root, script)
    assert done.path == [*(["planner", *STEP] * 3), "synthesizer", "__end__"]
    assert list(done.findings) == [
        "step_0: Find login", "step_1: Find tokens", "step_2: Find hashing"
    ]  # fmt: skip
    first, second, third = script.prompts("planner")
    assert "- Find tokens" not in first
    assert "- Find tokens" in second
    assert FOUND.text in second
    assert "- Find tokens" not in third
    assert "tokens are missing" in done.reasons
    assert "1 of 2" in script.prompts("refinery")[0]


async def test_independent_steps_run_at_once_and_are_kept_in_the_plans_order(root: Path):
    def carry_out(request: ModelRequest) -> ModelReply:
        text = "\n".join(message.content for message in request.messages)
        name = next(word for word in ("one", "two", "three", "last") if f"Find {word}" in text)
        has_read = any(message.role == "tool" for message in request.messages)
        if name == "two" and not has_read:
            return use("read_file", path="auth/tokens.py")
        return reply(f"{name} is found")

    script = Scripted(
        planner=[plan(*together("Find one", "Find two", "Find three"), "Find last"), plan()],
        executor_llm=carry_out,
        refinery=[decide("CONTINUE"), decide("FINISH")],
    )
    done = await play(root, script)
    assert done.path[:6] == [
        "planner", "setup_executor", "executor_llm", "tool_node", "executor_llm", "aggregate"
    ]  # fmt: skip
    assert [key.split(": ")[1] for key in done.findings] == ["Find one", "Find two", "Find three"]
    assert done.findings["step_1: Find two"].endswith("---\ntwo is found")
    assert script.count("executor_llm") == 4
    for prompt in script.prompts("executor_llm"):
        assert sum(f"Find {name}" in prompt for name in ("one", "two", "three", "last")) == 1


async def test_a_step_sees_its_findings_and_conversation_and_nothing_else(root: Path):
    script = Scripted(
        planner=[plan("Find login", "Find tokens"), plan("Find tokens")],
        executor_llm=[READ, FOUND, reply("make_token() signs.")],
        refinery=[decide("CONTINUE"), decide("FINISH")],
    )
    await play(root, script)
    first, second, third = script.prompts("executor_llm")
    assert "Find tokens" not in first
    assert QUESTION in third
    assert FOUND.text in third
    assert "def login(user, password)" in second
    assert "def login(user, password)" not in third  # the conversation of another step


async def test_the_document_says_how_it_was_found(root: Path):
    script = Scripted(
        planner=[plan("Find [login](http://x.example/y)")], executor_llm=[READ, FOUND]
    )
    done = await play(root, script)
    told = done.answer.markdown.partition("## How this was answered\n\n")[2]
    assert told.splitlines()[:2] == [
        "- Plans: 1 | Steps: 1 | Stop: FINISH",
        "- Step 0, `Find [login](http://x.example/y)`: read `auth/login.py`.",
    ]


def test_a_preview_shows_the_first_request(root: Path):
    model = ScriptedModel(reply("never said"))
    with Engine.open(root) as engine:
        engine.use_model(model)
        found = engine.preview(AskRequest(QUESTION, mode="plan"))
    assert not model.requests
    assert [phase.is_exact for phase in found.phases] == [True, False, False]
    assert found.phases[0].tokens_in > 100
    assert "auth/login.py" not in {file.path for file in found.files}


async def test_what_a_step_says_without_a_look_is_no_evidence(root: Path):
    script = Scripted(planner=[plan("Find login")], executor_llm=[reply("It is in auth/magic.py.")])
    done = await play(root, script)
    assert "no tool was used" in script.prompts("refinery")[0]
    [prompt] = script.prompts("synthesizer")
    assert "magic" not in prompt
    assert "def login(user, password)" in prompt  # what ranking found
    assert done.stop_reason == "done"


class Crowd(ScriptedModel):
    """Holds each step's call until as many are there as may be, and counts them."""

    def __init__(self, script: Scripted, expected: int) -> None:
        super().__init__(script)
        self.expected = expected
        self.n_now = 0
        self.most = 0
        self.full = asyncio.Event()

    async def complete(
        self, request: ModelRequest, stop: StopFlag, on_piece: OnPiece
    ) -> ModelReply:
        is_step = node_of(request) == "executor_llm"
        if is_step:
            self.n_now += 1
            self.most = max(self.most, self.n_now)
            if self.n_now >= self.expected:
                self.full.set()
            await asyncio.wait_for(self.full.wait(), 60)
            for _ in range(50):
                await asyncio.sleep(0)  # Whoever else may begin now does.
        reply = await super().complete(request, stop, on_piece)
        self.n_now -= is_step
        return reply


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({}, 2), ({"plan": {"parallel_steps": 1}}, 1), ({"plan": {"parallel_steps": 4}}, 4)],
    ids=["two by default", "one", "all"],
)
async def test_so_many_steps_run_at_once(root: Path, settings: dict[str, Any], expected: int):
    script = Scripted(planner=[plan(*together("Find one", "Find two", "Find three", "Find four"))])
    model = Crowd(script, expected)
    done = await play(root, script, settings, model=model)
    assert model.most == expected
    assert len(done.findings) == 4


async def test_one_of_several_steps_that_fails_does_not_sink_the_others(root: Path):
    def carry_out(request: ModelRequest) -> ModelReply:
        if "Find one" in request.messages[1].content:
            raise KeyError("a fault")
        return reply("two is found")

    script = Scripted(planner=[plan(*together("Find one", "Find two"))], executor_llm=carry_out)
    done = await play(root, script)
    assert done.stop_reason == "done"
    assert "failed" in done.findings["step_0: Find one"]
    assert done.findings["step_1: Find two"] == "two is found"


BAD = reply("I would rather not.")


@pytest.mark.parametrize(
    ("first", "steps"),
    [
        (BAD, [GENERIC_STEP]),
        (reply({"steps": "Find login"}), [GENERIC_STEP]),
        (plan(), [GENERIC_STEP]),
        (reply('["Find login", "Find tokens"]'), ["Find login", "Find tokens"]),
        (plan("Find login", {"description": "Find b"}), ["Find login", "Find b"]),
        (plan("Find\n login", " "), ["Find login"]),
        (plan(*(f"Find {n}" for n in range(30))), [f"Find {n}" for n in range(12)]),
    ],
    ids=[
        "no plan",
        "no list",
        "empty at first",
        "a bare list",
        "texts and objects",
        "lines",
        "too many",
    ],
)
async def test_a_planner_that_fails_gives_the_one_generic_step(
    root: Path, first: ModelReply, steps: list[str]
):
    done = await play(root, Scripted(planner=[first]))
    planned = next(state for state in done.states if state["node"] == "planner")
    assert [step["description"] for step in planned["state"]["plan"]] == steps
    assert done.stop_reason == "done"


async def test_a_planner_that_fails_later_keeps_the_steps_that_are_left(root: Path):
    script = Scripted(
        planner=[plan("Find login", "Find tokens"), BAD],
        refinery=[decide("CONTINUE"), decide("FINISH")],
    )
    done = await play(root, script)
    assert list(done.findings) == ["step_0: Find login", "step_1: Find tokens"]


async def test_a_planner_that_finds_nothing_missing_ends_the_search_without_a_call(root: Path):
    script = Scripted(planner=[plan("Find login"), plan()], refinery=[decide("CONTINUE")])
    done = await play(root, script)
    assert script.count("refinery") == 1
    assert done.stop_reason == "done"
    assert "nothing missing" in done.reasons


@pytest.mark.parametrize("answer", [BAD, decide("MAYBE")], ids=["no object", "no such decision"])
async def test_a_refinery_that_fails_goes_on_while_steps_are_left(root: Path, answer: ModelReply):
    script = Scripted(
        planner=[plan("Find login", "Find tokens"), plan("Find tokens")], refinery=[answer]
    )
    done = await play(root, script)
    assert script.count("planner") == 2
    assert done.path[-2:] == ["synthesizer", "__end__"]
    assert "1 step is left" in done.reasons
    assert "no steps are left" in done.reasons


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (use("read_file", path="nothing.py"), "nothing.py"),
        (use("read_file", wrong="auth/login.py"), "schema"),
        (use("write_file", path="x"), "no tool 'write_file'"),
    ],
    ids=["no such file", "bad arguments", "no such tool"],
)
async def test_tool_errors_go_back_as_results(root: Path, call: ModelReply, words: str):
    script = Scripted(planner=[plan("Find login")], executor_llm=[call, FOUND])
    done = await play(root, script)
    assert words in script.prompts("executor_llm")[1]
    [returned] = [event for event in done.events if isinstance(event, ToolReturned)]
    assert not returned.ok
    assert done.stop_reason == "done"


async def test_a_model_without_tool_calls_may_write_them_and_ids_are_unique(root: Path):
    written = reply('{"name": "read_file", "arguments": {"path": "auth/login.py"}}')
    script = Scripted(planner=[plan("Find login")], executor_llm=[written, READ, READ, FOUND])
    done = await play(root, script)
    called = [event.call_id for event in done.events if isinstance(event, ToolCalled)]
    assert len(called) == len(set(called)) == 3
    [text] = done.findings.values()
    assert "def login(user, password)" in text


async def test_a_step_without_any_words_found_nothing(root: Path):
    done = await play(root, Scripted(planner=[plan("Find login")], executor_llm=[reply("")]))
    assert list(done.findings.values()) == [NO_RESULTS]


async def test_a_follow_up_knows_the_earlier_question_and_answer(root: Path):
    script = Scripted(planner=[plan("Find login")])
    earlier = await play(root, script)
    assert earlier.answer.document is not None
    history = earlier.states[-1]["state"]["chat_history"]
    assert [turn["role"] for turn in history] == ["user", "assistant"]
    again = Scripted(planner=[plan("Find hashing")])
    done = await play(
        root, again, question="And how is it hashed?", follow_up=earlier.answer.document
    )
    [prompt] = again.prompts("planner")
    assert QUESTION in prompt
    assert "checks the password and calls" in prompt
    roles = [turn["role"] for turn in done.states[-1]["state"]["chat_history"]]
    assert roles == ["user", "assistant"] * 2


async def test_what_is_kept_holds_no_secret(root: Path):
    secret = CANARIES["github"]
    (root / "auth" / "keys.py").write_text(f'TOKEN = "{secret}"\n')
    script = Scripted(
        planner=[plan(f"Find {secret}")],
        executor_llm=[use("read_file", path="auth/keys.py"), reply(f"It is {secret}.")],
    )
    await play(root, script, question=f"Who uses {secret}?")
    kept = "".join(
        path.read_text() for path in (root / ".scope" / "runs").rglob("*") if path.is_file()
    )
    assert "redacted" in kept
    assert secret not in kept
    assert not any(secret in text for text in script.prompts("synthesizer"))


async def test_a_folder_that_is_a_link_keeps_nothing(root: Path, tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    (root / ".scope").symlink_to(tmp_path / "elsewhere")
    done: Any = await play(root, Scripted(planner=[plan("Find login")]))
    assert not list((tmp_path / "elsewhere").rglob("*.json"))
    assert done.stop_reason == "done"
