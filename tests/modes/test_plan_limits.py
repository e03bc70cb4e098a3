"""What ends the search of plan mode early, and that a document and a state are left each time."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from analysis.errors import BadInput, ModelUnavailable
from analysis.llm.messages import ModelReply, ModelRequest, Usage
from analysis.modes.plan.saved_runs import saved_run
from analysis.stopping import StopFlag
from tests.support.auth_shop import write
from tests.support.plan_script import (
    DOCUMENT,
    FILES,
    FOUND,
    READ,
    Scripted,
    decide,
    plan,
    play,
    reply,
    together,
    use,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "shop", FILES)


async def test_the_cap_on_iterations_finishes_before_a_call_is_spent(root: Path):
    script = Scripted(planner=[plan("Find login")], refinery=[decide("CONTINUE")])
    done = await play(root, script, {"plan": {"max_iterations": 3}})
    assert script.count("planner") == 3
    assert script.count("refinery") == 2
    assert script.count("synthesizer") == 1
    assert done.stop_reason == "limit"
    assert "3 iterations are the most" in done.reasons
    assert "limit of steps" in done.answer.markdown
    assert "- Plans: 3 | Steps: 3 | Stop: limit\n" in done.answer.markdown


async def test_ten_iterations_are_the_default(root: Path):
    script = Scripted(planner=[plan("Find login")], refinery=[decide("CONTINUE")])
    await play(root, script)
    assert script.count("planner") == 10
    assert script.count("refinery") == 9


async def test_the_cap_on_calls_a_step_aggregates_what_tools_said(root: Path):
    script = Scripted(planner=[plan("Find login")], executor_llm=[READ])
    done = await play(root, script)
    assert script.count("executor_llm") == 5
    assert done.path.count("tool_node") == 4
    [text] = done.findings.values()
    assert text.count("def login(user, password)") >= 1
    assert "5 calls a step are the most" in done.reasons
    assert done.stop_reason == "done"
    asked = [request.messages[-1].content for n, request in script.asked if n == "executor_llm"]
    assert ["last time" in text for text in asked] == [False, False, False, False, True]


@pytest.mark.parametrize("most", [10, 12, 13, 150])
async def test_the_cap_on_visits_leads_to_the_synthesizer(root: Path, most: int):
    script = Scripted(
        planner=[plan("Find login")], executor_llm=[READ], refinery=[decide("CONTINUE")]
    )
    settings: dict[str, Any] = {"plan": {"max_visits": most, "max_iterations": 100}}
    done = await play(root, script, settings)
    assert len(done.states) - 1 == most  # the first one is what the run began with
    assert done.states[-1]["node"] == "synthesizer"
    assert done.stop_reason == "limit"
    assert DOCUMENT.splitlines()[0] in done.answer.markdown


async def test_the_budget_ends_the_search_and_pays_for_the_document(root: Path):
    script = Scripted(
        planner=[plan("Find login")],
        executor_llm=[READ, ModelReply(FOUND.text, usage=Usage(20_000, 1_000))],
        refinery=[decide("CONTINUE")],
    )
    done = await play(root, script, {"budget": {"tokens": 80_000}})
    assert done.stop_reason == "budget_tokens"
    assert script.count("synthesizer") == 1
    stats = done.answer.stats
    assert stats.tokens_in + stats.tokens_out <= 80_000
    assert saved_run(root, "last").stop_reason == "budget_tokens"


def dead(request: ModelRequest) -> ModelReply:
    return ModelReply("", failure=ModelUnavailable("The host is gone."), finish_reason="failed")


def broken(request: ModelRequest) -> ModelReply:
    raise KeyError("a fault of ours")


@pytest.mark.parametrize(
    ("node", "fault", "stop_reason"),
    [
        ("planner", dead, "done"),
        ("refinery", dead, "done"),
        ("executor_llm", dead, "model_unavailable"),
        ("synthesizer", dead, "model_unavailable"),
        ("planner", broken, "failed"),
        ("executor_llm", broken, "failed"),
        ("refinery", broken, "failed"),
        ("synthesizer", broken, "failed"),
    ],
)
async def test_a_fault_in_any_node_leaves_a_document_and_a_state(
    root: Path, node: str, fault: Any, stop_reason: str
):
    script = Scripted(planner=[plan("Find login")], executor_llm=[READ, FOUND])
    setattr(script, node, fault)
    done = await play(root, script)
    assert done.stop_reason == stop_reason
    assert "auth/login.py" in done.answer.markdown
    run = saved_run(root, "last")
    assert run.stop_reason == stop_reason
    if stop_reason == "done":
        return
    assert run.visit(run.numbers()[-1]).next == node
    good = Scripted(planner=[plan("Find login")], executor_llm=[READ, FOUND])
    again = await play(root, good, resume=run.name)
    assert again.path[0] == node
    assert again.stop_reason == "done"
    assert good.count("planner") == (node == "planner")


async def test_what_is_not_approved_ends_the_run_and_is_asked_again_after_a_resume(root: Path):
    script = Scripted(planner=[plan("Find login")])
    done = await play(root, script, {"approval": "always"})
    assert not script.asked
    assert done.stop_reason == "not_approved"
    again = await play(root, script, resume="last")
    assert again.stop_reason == "done"


async def test_the_reason_names_what_a_fallback_stands_for(root: Path):
    done = await play(root, Scripted(planner=dead))
    assert "the planner failed (The host is gone): a generic step stands for it" in done.reasons


async def test_a_run_that_is_stopped_goes_on_where_it_was(root: Path):
    stop = StopFlag()
    replies = iter([READ, FOUND])

    def carry_out(request: ModelRequest) -> ModelReply:
        answer = next(replies)
        if answer is FOUND:
            stop.set()
        return answer

    script = Scripted(planner=[plan("Find login")], executor_llm=carry_out)
    done = await play(root, script, stop=stop)
    assert done.stop_reason == "cancelled"
    assert script.count("synthesizer") == 0
    again = Scripted()
    more = await play(root, again, resume="last")
    assert more.path == ["aggregate", "refinery", "synthesizer", "__end__"]
    assert more.stop_reason == "done"
    assert more.answer.stats.llm_calls == 5
    assert "def login(user, password)" in more.findings["step_0: Find login"]


async def test_re_planning_after_a_resume_targets_what_is_missing(root: Path):
    stop = StopFlag()

    def refine(request: ModelRequest) -> ModelReply:
        stop.set()
        return decide("CONTINUE")

    first = Scripted(planner=[plan("Find login", "Find tokens")], refinery=refine)
    await play(root, first, stop=stop)
    second = Scripted(planner=[plan("Find tokens")])
    done = await play(root, second, resume="last")
    [prompt] = second.prompts("planner")
    assert FOUND.text in prompt
    assert "- Find tokens" in prompt
    assert list(done.findings) == ["step_0: Find login", "step_1: Find tokens"]


async def test_what_was_spent_before_counts_after_a_resume(root: Path):
    spent = ModelReply(FOUND.text, usage=Usage(30_000, 1_000))
    script = Scripted(
        planner=[plan("Find login")], executor_llm=[spent], refinery=[decide("CONTINUE")]
    )
    first = await play(root, script, {"budget": {"tokens": 100_000}})
    assert first.stop_reason == "budget_tokens"
    again = Scripted(planner=[plan("Find more")])
    poor = await play(root, again, {"budget": {"tokens": 100_000}}, resume="last")
    assert poor.stop_reason == "budget_tokens"
    assert again.count("planner") == 0
    rich = await play(root, Scripted(planner=[plan("Find more")]), resume="last")
    assert rich.stop_reason == "done"
    assert rich.answer.stats.tokens_in > first.answer.stats.tokens_in


async def test_a_run_at_its_limit_goes_on_when_the_limit_is_raised(root: Path):
    script = Scripted(planner=[plan("Find login")], refinery=[decide("CONTINUE")])
    await play(root, script, {"plan": {"max_iterations": 1}})
    same = Scripted()
    done = await play(root, same, {"plan": {"max_iterations": 1}}, resume="last")
    assert done.stop_reason == "limit"
    assert not same.asked
    more = Scripted(planner=[plan("Find tokens")])
    done = await play(root, more, {"plan": {"max_iterations": 3}}, resume="last")
    assert done.path[0] == "planner"
    assert done.stop_reason == "done"
    assert list(done.findings) == ["step_0: Find login", "step_1: Find tokens"]


def thorough() -> Scripted:
    """Two steps at once with tools, a new plan, one more step; answers by what is asked."""

    def plan_it(request: ModelRequest) -> ModelReply:
        has_findings = "is found" in request.messages[1].content
        return plan("Find three") if has_findings else plan(*together("Find one", "Find two"))

    def carry_out(request: ModelRequest) -> ModelReply:
        text = request.messages[1].content
        name = next(n for n in ("one", "two", "three") if f"Your step: Find {n}" in text)
        n_results = sum(message.role == "tool" for message in request.messages)
        if n_results == 0:
            return READ
        if n_results == 1 and name == "two":
            return use("read_file", path="auth/tokens.py")
        return reply(f"{name} is found")

    def refine(request: ModelRequest) -> ModelReply:
        return decide("FINISH" if "three is found" in request.messages[1].content else "CONTINUE")

    return Scripted(planner=plan_it, executor_llm=carry_out, refinery=refine)


async def test_every_state_of_a_run_leads_to_the_same_end(root: Path):
    whole = await play(root, thorough())
    run = saved_run(root, "last")
    assert len(whole.findings) == 3
    calls = [visit.usage["llm_calls"] for visit in run.visits()]
    for number in run.numbers():
        part = run.folder.with_name(f"20990101-000000-{number:06}")
        shutil.copytree(run.folder, part)
        (part / "end.json").unlink()
        for later in run.numbers()[number + 1 :]:
            (part / f"{later:04}.json").unlink()
        again = thorough()
        done = await play(root, again, resume=part.name)
        assert done.stop_reason == "done", number
        assert done.findings == whole.findings, number
        assert len(again.asked) == calls[-1] - calls[number], number
        assert done.answer.stats.llm_calls == calls[-1], number
        shutil.rmtree(part)


@pytest.mark.parametrize("n_lost", [0, 1], ids=["before the document", "before the synthesizer"])
async def test_a_limit_is_remembered_over_a_kill(root: Path, n_lost: int):
    script = Scripted(planner=[plan("Find login")], refinery=[decide("CONTINUE")])
    settings: dict[str, Any] = {"plan": {"max_iterations": 1}}
    await play(root, script, settings)
    run = saved_run(root, "last")
    (run.folder / "end.json").unlink()
    for number in run.numbers()[len(run.numbers()) - n_lost :]:
        (run.folder / f"{number:04}.json").unlink()
    again = Scripted()
    done = await play(root, again, settings, resume="last")
    assert [node for node, _ in again.asked] == ["synthesizer"] * n_lost
    assert done.stop_reason == "limit"
    assert "checks the password" in done.answer.markdown


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("20200101-000000-000000", "There is no run"),
        ("../../etc", "There is no run"),
        ("last", "went to its end"),
    ],
)
async def test_runs_that_cannot_go_on(root: Path, name: str, words: str):
    await play(root, Scripted(planner=[plan("Find login")]))
    with pytest.raises(BadInput, match=words):
        await play(root, Scripted(), resume=name)


async def test_a_state_that_is_no_state_is_refused(root: Path):
    await play(root, Scripted(planner=dead, executor_llm=dead))
    folder = saved_run(root, "last").folder
    last = max(folder.glob("[0-9]*.json"))
    last.write_text('{"node": "planner"}')
    with pytest.raises(BadInput, match="cannot be read"):
        await play(root, Scripted(), resume="last")


async def test_the_twenty_newest_runs_are_kept(root: Path):
    runs = root / ".scope" / "runs"
    for number in range(25):
        (runs / f"20200101-0000{number:02}-000000").mkdir(parents=True)
    await play(root, Scripted(planner=[plan("Find login")]))
    kept = sorted(path.name for path in runs.iterdir())
    assert len(kept) == 20
    assert kept[0] == "20200101-000006-000000"
