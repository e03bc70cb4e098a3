"""Agent mode on a small code base, with a model that calls what it is told to."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from analysis.errors import ModelUnavailable
from analysis.events import (
    Decided,
    Event,
    TextDelta,
    ToolCalled,
    ToolReturned,
    UsageReported,
)
from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import ModelReply, ModelRequest, ToolCall, Usage
from analysis.models import Answer, RefState
from analysis.stopping import StopFlag
from tests.fakes.scripted_model import Answer as Reply
from tests.fakes.scripted_model import ScriptedModel
from tests.support.agent_script import (
    BAD,
    GENERATE,
    LOGIN,
    OUTLINE,
    SEARCH,
    TOKEN,
    ran,
    results,
    turn,
)
from tests.support.auth_shop import DOCUMENT, FILES, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    write(folder, FILES)
    return folder


async def test_the_model_looks_around_and_the_document_is_written_from_the_files(root: Path):
    answer, events, model = await ran(
        root, turn(SEARCH), turn(OUTLINE), turn(LOGIN, TOKEN, text="Where is the token made?"),
        turn(GENERATE), DOCUMENT,
    )  # fmt: skip
    assert answer.stats.mode == "agent"
    assert answer.stats.stop_reason == "done"
    assert answer.stats.llm_calls == 5
    states = {(ref.path, ref.line_start): ref.state for ref in answer.references}
    assert states["auth/login.py", 6] is RefState.OK
    assert states["nowhere.py", 3] is RefState.UNVERIFIED
    last = model.requests[-1].messages[-1].content
    assert "login() asks the user and calls make_token()." in last
    assert any("return hashlib.sha256" in text for text in results(model.requests[-1]))
    called = [event.tool for event in events if isinstance(event, ToolCalled)]
    assert called == [
        "search_for_files", "get_file_outline", "read_symbol", "read_symbol",
        "generate_scoped_context",
    ]  # fmt: skip
    returned = [event for event in events if isinstance(event, ToolReturned)]
    assert [event.ok for event in returned] == [True] * 5
    assert len({event.call_id for event in returned}) == 5
    assert all(event.size and event.summary for event in returned)
    assert Decided("call read_symbol", "Where is the token made?") in events
    assert sum(isinstance(event, UsageReported) for event in events) == 5


async def test_the_model_sees_the_steps_the_costs_and_each_result(root: Path):
    _, _, model = await ran(root, turn(SEARCH), turn(OUTLINE, LOGIN), turn(GENERATE), DOCUMENT)
    system = model.requests[0].messages[0].content
    for word in ("SEARCH", "OUTLINE", "DRILL", "CONNECT", "GENERATE", "last resort"):
        assert word in system
    asked, _, places = model.requests[0].messages[1].content.partition("\n\n")
    assert asked == "Question: How does login check the password?"
    assert re.match(r"auth/login.py:6-\d+ def login\(user, password\)", places.splitlines()[1])
    assert "auth/login.py" in results(model.requests[1])[0]
    outline, login = results(model.requests[2])[1:]
    assert "def login(user, password)" in outline
    assert "raise PermissionError(user)" in login


async def check_ending(
    root: Path,
    replies: Sequence[Reply],
    reason: str,
    in_document: str,
    **more: Any,
) -> tuple[Answer, ScriptedModel]:
    answer, _, model = await ran(root, *replies, **more)
    assert answer.stats.stop_reason == reason
    assert f"stop_reason: {reason}\n" in answer.markdown
    assert in_document in " ".join(answer.markdown.split())
    assert answer.document is not None
    assert any(ref.path == "auth/login.py" for ref in answer.references)
    return answer, model


def is_last(request: ModelRequest) -> bool:
    """Whether it asks for the document, as the end of the search or by itself."""
    return not request.tools or request.tool_choice == "none"


def numbered(request: ModelRequest) -> ModelReply:
    """Look at something new in each turn; the document at the end."""
    if is_last(request):
        return DOCUMENT
    return turn(("search_for_files", {"query": f"login {len(request.messages)}"}), LOGIN)


def reading_on(request: ModelRequest) -> ModelReply:
    if is_last(request):
        return DOCUMENT
    number = len(request.messages) + 1
    lines = {"path": "auth/login.py", "line_start": 1, "line_end": number}
    return turn(("read_lines", lines))


async def test_a_cap_on_turns(root: Path):
    settings = {"agent": {"turns": 4}}
    answer, model = await check_ending(
        root, [reading_on], "turns", "as many turns as it may", settings=settings
    )
    assert len(model.requests) == 5
    assert "The most are 4 turns." in answer.markdown
    assert "You have 3 turns left" in model.requests[1].messages[-1].content
    assert "You have 1 turns left" in model.requests[3].messages[-1].content


async def test_a_cap_on_tokens_keeps_enough_for_the_document(root: Path):
    settings = {"budget": {"tokens": 12_000}}
    answer, model = await check_ending(
        root, [reading_on], "budget_tokens", "token budget was used up", settings=settings
    )
    assert is_last(model.requests[-1])
    assert "checks the password" in answer.markdown
    assert answer.stats.tokens_in + answer.stats.tokens_out <= 12_000


async def test_a_cap_on_money(root: Path):
    facts = ModelFacts("test/dear", "nowhere", None, 1e-4, 2e-4)
    await check_ending(
        root, [reading_on], "budget_usd", "money budget was used up",
        settings={"budget": {"usd": 1.0}}, facts=facts,
    )  # fmt: skip


async def test_a_cap_on_time(root: Path):
    settings = {"agent": {"time_s": 0.000_001}}
    answer, model = await check_ending(root, [reading_on], "time", "time limit", settings=settings)
    assert not model.requests
    assert "which is the most" in answer.markdown


async def test_the_same_call_again_is_answered_by_reference_and_the_third_ends(root: Path):
    _, model = await check_ending(
        root, [turn(LOGIN), turn(SEARCH), turn(LOGIN), turn(LOGIN), DOCUMENT], "no_progress",
        "The model made the same call of read_symbol three times.",
    )  # fmt: skip
    assert "You made this very call before" in results(model.requests[3])[-1]
    assert is_last(model.requests[4])


async def test_a_call_whose_result_the_model_no_longer_sees_is_made_again(root: Path):
    write(root, {f"notes{n}.txt": f"login word {n}\n" * 1_000 for n in range(5)})
    reads = [turn(("read_file", {"path": f"notes{n}.txt"})) for n in range(5)]
    settings = {"model": {"request_tokens": 12_000}, "agent": {"full_turns": 2}}
    answer, _, model = await ran(
        root, *reads, reads[0], turn(GENERATE), DOCUMENT, settings=settings
    )
    assert answer.stats.stop_reason == "done"
    again = results(model.requests[6])
    assert not any(text.startswith("notes0.txt") and len(text) > 4_000 for text in again[:-1])
    assert again[-1].startswith("notes0.txt")
    assert len(again[-1]) > 4_000


async def test_three_calls_that_match_no_tool_end_the_search(root: Path):
    _, model = await check_ending(
        root,
        [turn(LOGIN), turn(BAD), turn(("read_symbl", {})), turn(BAD), DOCUMENT],
        "no_progress",
        "Three times in a row the model made no call that matches a tool.",
    )
    assert "path" in results(model.requests[2])[-1]
    assert "Did you mean read_symbol?" in results(model.requests[3])[-1]


async def test_what_is_no_json_goes_back_with_the_schema(root: Path):
    broken = ModelReply("", (ToolCall("c", "read_symbol", '{"path": '),), Usage(10, 5))
    answer, events, model = await ran(root, broken, turn(LOGIN), turn(GENERATE), DOCUMENT)
    assert answer.stats.stop_reason == "done"
    assert "schema" in results(model.requests[1])[0]
    assert next(e for e in events if isinstance(e, ToolCalled)).arguments == {"": '{"path": '}


async def test_a_model_that_only_talks_is_asked_once_and_then_taken_at_its_word(root: Path):
    answer, _, model = await ran(
        root, turn(LOGIN), turn(text="It asks the user."), turn(text="login() asks."), DOCUMENT
    )
    assert answer.stats.stop_reason == "done"
    assert "Call a tool" in model.requests[2].messages[-1].content
    assert "login() asks." in model.requests[-1].messages[-1].content


async def test_a_model_that_looks_at_nothing_leaves_the_offline_answer(root: Path):
    answer, _, model = await ran(root, turn(text="It is simple."), turn(text="It logs in."))
    assert answer.stats.stop_reason == "no_progress"
    assert len(model.requests) == 2
    assert "without a look at the code" in answer.markdown
    assert "auth/login.py" in answer.markdown
    assert "It logs in." not in answer.markdown


async def test_a_document_that_cites_nothing_gets_what_was_read(root: Path):
    """The model talks and gives no place."""
    last = ModelReply("## Summary\n\nIt logs in.\n")
    answer, _, _ = await ran(root, turn(LOGIN), turn(text="Well."), turn(text="Well."), last)
    assert answer.stats.stop_reason == "done"
    assert "It logs in.\n\n## What the model had read\n\n- [auth/login.py:6-10]" in answer.markdown


async def test_a_silent_model_ends_the_search(root: Path):
    answer, _, model = await ran(root, turn(text=""))
    assert answer.stats.stop_reason == "no_progress"
    assert len(model.requests) == 3
    assert "auth/login.py" in answer.markdown


async def test_calls_that_are_written_as_text(root: Path):
    """What models without support for tools are asked to do."""

    def written(name: str, arguments: dict[str, Any]) -> ModelReply:
        text = json.dumps({"tool": name, "arguments": arguments})
        return ModelReply(f"I look.\n```json\n{text}\n```", usage=Usage(10, 5))

    answer, events, model = await ran(root, written(*LOGIN), written(*GENERATE), DOCUMENT)
    assert answer.stats.stop_reason == "done"
    assert "raise PermissionError(user)" in results(model.requests[1])[0]
    assert [e.tool for e in events if isinstance(e, ToolCalled)] == [LOGIN[0], GENERATE[0]]
    assert model.requests[1].messages[2].content == "I look."


@pytest.mark.parametrize("at", [0, 1, 3])
async def test_a_dead_model_leaves_what_was_read(root: Path, at: int):
    dead = ModelReply("", finish_reason="failed", failure=ModelUnavailable("Gone."), was_read=False)
    replies = [turn(LOGIN, text="I read login()."), turn(TOKEN), turn(GENERATE)]
    answer, _ = await check_ending(
        root, [*replies[:at], dead], "model_unavailable", "gave no answer"
    )
    if at:
        assert "What the model had found" in answer.markdown
        assert "What the model had read" in answer.markdown
        assert "[auth/login.py:6-10](../auth/login.py#L6-L10)" in answer.markdown


@pytest.mark.parametrize("during", ["model", "tool"])
async def test_a_cancel_keeps_what_was_read(root: Path, during: str):
    stop = StopFlag()

    def thinking(request: ModelRequest) -> ModelReply:
        stop.set()
        return ModelReply("", finish_reason="cancelled")

    def on_event(event: Event) -> None:
        if isinstance(event, ToolCalled) and event.tool == "search_for_files":
            stop.set()

    second: Reply = thinking if during == "model" else turn(SEARCH)
    answer, _, _ = await ran(
        root, turn(LOGIN), second, stop=stop,
        on_event=on_event if during == "tool" else ignored,
    )  # fmt: skip
    assert answer.stats.stop_reason == "cancelled"
    assert "[auth/login.py:6-10](../auth/login.py#L6-L10)" in answer.markdown


def ignored(event: Event) -> None:
    pass


async def test_a_cancel_after_a_search_keeps_what_it_found(root: Path):
    answer, _, _ = await ran(root, turn(SEARCH), ModelReply("", finish_reason="cancelled"))
    assert answer.stats.stop_reason == "cancelled"
    assert "## Places that may answer it" in answer.markdown
    assert "- [auth/login.py:6-" in answer.markdown


async def test_only_so_many_calls_of_one_turn_are_made(root: Path):
    many = [("search_for_files", {"query": f"login {n}"}) for n in range(10)]
    _, _, model = await ran(root, turn(*many), turn(GENERATE), DOCUMENT)
    texts = results(model.requests[1])
    assert len(texts) == 10
    assert ["Not run" in text for text in texts] == [False] * 8 + [True] * 2


async def test_the_conversation_stays_within_the_limit_of_a_request(root: Path):
    write(root, {f"notes{n}.txt": f"login word {n}\n" * 1_000 for n in range(9)})
    reads = [turn(("read_file", {"path": f"notes{n}.txt"})) for n in range(9)]
    settings = {"model": {"request_tokens": 10_000}, "agent": {"full_turns": 50}}
    answer, events, model = await ran(root, *reads, turn(GENERATE), DOCUMENT, settings=settings)
    assert answer.stats.stop_reason == "done"
    decisions = [event.decision for event in events if isinstance(event, Decided)]
    assert "shorten the conversation" in decisions
    texts = results(model.requests[9])
    assert [len(text) > 4_000 for text in texts][-3:] == [True] * 3
    assert sum(len(text) > 4_000 for text in texts) < 9


async def test_a_follow_up_keeps_the_findings_and_links_the_earlier_document(root: Path):
    first, _, _ = await ran(root, turn(LOGIN), turn(GENERATE), DOCUMENT)
    assert first.document is not None
    source = root / "auth/login.py"
    source.write_text("# A new first line.\n" + source.read_text())
    replies: list[Reply] = [turn(TOKEN), turn(GENERATE), DOCUMENT]
    answer, events, model = await ran(
        root, *replies, question="And who signs it?", follow_up=first.document
    )
    assert model.requests[-1].messages[1] == model.requests[0].messages[1]
    for prompt in (model.requests[0].messages[1].content,):
        assert prompt.startswith("Question: And who signs it?")
        assert "earlier question: How does login check the password?" in prompt
        assert "checks the password and calls `make_token()`" in prompt
        assert "- auth/login.py:7-11 login" in prompt
        assert "auth/login.py:999" not in prompt
        assert "What was not looked at" not in prompt
        assert "](" not in prompt
    name = Path(first.document).name
    line = f"Follows up on [How does login check the password?]({name})"
    assert f"# And who signs it?\n\n{line}\n\n## Summary" in answer.markdown
    assert f"follows: {name}\n" in answer.markdown
    streamed = "".join(event.text for event in events if isinstance(event, TextDelta))
    body = answer.markdown.split("---\n", 2)[2].split("<!--")[0]
    assert streamed.split() == body.split()


async def test_an_earlier_document_that_is_gone_is_no_obstacle(root: Path):
    answer, _, model = await ran(
        root, turn(LOGIN), turn(GENERATE), DOCUMENT, follow_up=str(root / "gone.md")
    )
    assert answer.stats.stop_reason == "done"
    assert "earlier" not in model.requests[0].messages[1].content
    assert "Follows up" not in answer.markdown


async def test_lines_in_sight_are_not_read_out_again(root: Path):
    write(root, {"big.py": "\n".join(f"x{n} = {n}" for n in range(1, 101)) + "\n"})
    first = ("read_lines", {"path": "big.py", "line_start": 1, "line_end": 40})
    second = ("read_lines", {"path": "big.py", "line_start": 20, "line_end": 60})
    _, _, model = await ran(root, turn(first), turn(second), turn(GENERATE), DOCUMENT)
    again = results(model.requests[2])[-1]
    assert "(20-40: shown above)" in again
    assert "41| x41 = 41" in again
    assert "30| x30" not in again
