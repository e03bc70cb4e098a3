"""Who answers, when the asker leaves it open."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.documents import read_document
from analysis.events import Decided
from analysis.modes.mode_choice import choose
from analysis.modes.query_profile import profile
from tests.fakes.scripted_model import ScriptedModel
from tests.support.auth_shop import DOCUMENT, FILES, SECOND, asked, write

CASES = [
    ("pipeline", "Where is the session cookie signed?"),
    ("pipeline", "Who calls `Session.send`?"),
    ("pipeline", "Which files deal with the whole permission system across all modules?"),
    ("pipeline", "What is `OrderBook`?"),
    ("pipeline", "How does authentication work?"),
    ("pipeline", "How does the cache decide which entries to evict?"),
    ("pipeline", "What is the difference between a request and an application context?"),
    ("pipeline", "Why does login fail after a password reset?"),
    ("pipeline", "Give me an overview of the architecture of the plugin system"),
    ("pipeline", "What happens when a view raises an exception?"),
    ("pipeline", "How does a request get to the right view function?"),
    ("pipeline", "What is the life cycle of a request across the whole application?"),
    (
        "plan",
        "How does authentication work, how are permissions checked and where do sessions live?",
    ),
    ("plan", "Give me an overview of the architecture and how the layers interact"),
    ("plan", "Trace an order from the basket to the invoice, and explain how refunds work"),
    ("plan", "Why does the worker hang? Where is the lock taken, and how should it be released?"),
]


@pytest.mark.parametrize(("mode", "question"), CASES)
def test_the_mode_fits_the_question(mode: str, question: str):
    found = profile(question)
    choice = choose(found)
    assert choice.mode == mode, found
    assert choice.sentence.startswith(f"Mode: {mode}, chosen because it ")


def test_a_problem_in_the_editor_is_a_fault_to_find():
    found = profile("What is this?", "Cannot find name 'total'.")
    assert (found.query_type, choose(found).mode) == ("debug", "pipeline")


@pytest.mark.parametrize(
    ("model", "settings", "mode", "reason"),
    [
        (None, {}, "offline", "no model is set"),
        (SECOND, {}, "pipeline", "it is a simple question (26 of 100)"),
        (SECOND, {"model": {"never_send": True}}, "offline", "'model.never_send' is set"),
    ],
)
async def test_the_document_and_an_event_say_why(tmp_path: Path, model, settings, mode, reason):
    write(tmp_path / "shop", FILES)
    scripted = ScriptedModel(model, DOCUMENT) if model else None
    answer, events = await asked(
        tmp_path / "shop", scripted, "How does login work?", settings, mode="auto"
    )
    assert answer.stats.mode == mode
    assert (
        f"## How this was answered\n\n- Mode: {mode}, chosen because {reason}." in answer.markdown
    )
    said = [event for event in events if isinstance(event, Decided)]
    assert said[0] == Decided(f"answer in mode {mode}", f"Mode: {mode}, chosen because {reason}.")
    assert answer.document is not None
    assert read_document(Path(answer.document)).front.mode == mode


async def test_who_chose_the_mode_is_told_nothing_about_it(tmp_path: Path):
    write(tmp_path / "shop", FILES)
    answer, _ = await asked(tmp_path / "shop", ScriptedModel(SECOND, DOCUMENT), mode="pipeline")
    assert "How this was answered" not in answer.markdown
