"""In every mode each call of the model is in the events, so that a trace can stand for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.events import ModelReplied, Notice
from analysis.llm.messages import ModelReply, ModelRequest, ToolCall, Usage
from analysis.modes.stop_reasons import STOP_REASONS
from tests.fakes.scripted_model import ScriptedModel
from tests.support.auth_shop import FILES, asked, write


def eager(request: ModelRequest) -> ModelReply:
    """Call the first tool that is there, else say something that fits no schema."""
    used = Usage(100, 10)
    if not request.tools:
        return ModelReply("## Summary\n\n`login()` at `auth/login.py:6-10`.\n", usage=used)
    arguments = {"query": f"login {len(request.messages)}", "search_terms": ["login"]}
    tool = request.tools[0]
    known = {name: arguments[name] for name in tool.parameters["properties"] if name in arguments}
    return ModelReply("", (ToolCall("c", tool.name, json.dumps(known)),), used, "tool_calls")


@pytest.mark.parametrize("mode", ["pipeline", "agent", "plan", "iterative"])
async def test_replies(mode: str, tmp_path: Path):
    write(tmp_path / "shop", FILES)
    answer, events = await asked(tmp_path / "shop", ScriptedModel(eager), mode=mode)
    replies = [event for event in events if isinstance(event, ModelReplied)]
    assert len(replies) == answer.stats.llm_calls > 1
    assert sum(reply.tokens_in for reply in replies) == answer.stats.tokens_in
    assert answer.stats.stop_reason in STOP_REASONS
    assert "auth/login.py" in answer.markdown
    assert all(reply.purpose for reply in replies)


@pytest.mark.parametrize("mode", ["pipeline", "plan", "iterative"])
@pytest.mark.parametrize(
    ("text", "is_held_up"),
    [
        ("I'm sorry, I can't help with that.", False),
        ("## Summary\n\n`quux()` at `auth/ghost.py:1-9`.\n\n## Key Files\n\n- it\n", False),
        ("## Summary\n\n`login()` at `auth/login.py:6-10`.\n", True),
    ],
)
async def test_an_answer_without_a_place_that_holds_is_not_left_alone(
    mode: str, text: str, is_held_up: bool, tmp_path: Path
):
    """A refusal says nothing of the code: the reader gets what is known without the model."""
    write(tmp_path / "shop", FILES)
    model = ScriptedModel(lambda _: ModelReply(text, usage=Usage(100, 10)))
    answer, events = await asked(tmp_path / "shop", model, mode=mode)
    assert text.partition("`")[0].strip() in answer.markdown
    added = "## What was found without the model" in answer.markdown
    assert ("> **Nothing here is verified:**" in answer.markdown) == added
    noticed = any(isinstance(e, Notice) and "could be verified" in e.message for e in events)
    assert (added, noticed) == (not is_held_up, not is_held_up)
    assert "[auth/login.py:6-10](../auth/login.py#L6-L10)" in answer.markdown
    assert answer.markdown.count("## Key Files\n") <= 1
