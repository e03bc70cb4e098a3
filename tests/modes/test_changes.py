"""Questions with changes attached, without a model and with one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from analysis.engine import Engine
from analysis.events import RunFinished
from analysis.llm.messages import ModelReply, ModelRequest
from analysis.models import Answer, AskRequest, RefState
from analysis.settings import Settings, settings_from
from tests.fakes.scripted_model import ScriptedModel
from tests.support.shop import SHOP, open_shop
from tests.workspace.repositories import git

ABOUT = "What do my changes affect?"
SECRET = "AKIAIOSFODNN7EXAMPLA"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The shop, in which ``charge`` was changed, and ``_reserve_stock`` dropped."""
    root = tmp_path / "repo"
    open_shop(
        root, {**SHOP, "shop/keys.py": f'KEY = "{SECRET}"\n\n\ndef sign():\n    return KEY\n'}
    )
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    payment, orders = root / "shop/payment.py", root / "shop/orders.py"
    payment.write_text(payment.read_text().replace("amount <= 0", "amount < 1"))
    text = orders.read_text()
    orders.write_text(text[: text.index("    def _reserve_stock")].rstrip() + "\n")
    return root


@pytest_asyncio.fixture
async def engine(root: Path) -> AsyncIterator[Engine]:
    with Engine.open(root, Settings()) as engine:
        yield engine


async def asked(engine: Engine, question: str, changes: str | None, **more: object) -> Answer:
    request = AskRequest(question, changes=changes, **more)  # type: ignore[arg-type]
    events = [event async for event in engine.ask(request)]
    assert isinstance(events[-1], RunFinished)
    return events[-1].answer


def above_the_fold(answer: Answer) -> str:
    return answer.markdown.partition("<details>")[0]


async def test_a_question_about_changes_is_answered_with_them(engine: Engine) -> None:
    answer = await asked(engine, ABOUT, "uncommitted")
    text = above_the_fold(answer)
    assert "2 files, with definitions: 1 changed and 1 gone." in text
    assert "- `charge` ([shop/payment.py:4-8]" in text
    assert "has changed at [shop/payment.py:6]" in text
    assert "`checkout` ([shop/web.py:7-14]" in text
    assert "calls it at [shop/web.py:13]" in text
    assert "`OrderBook._reserve_stock`, which stood in `shop/orders.py`" in text
    assert "its name still stands at [shop/orders.py:20]" in text
    assert {reference.state for reference in answer.references} == {RefState.OK}
    assert [(entry.symbol, entry.relation) for entry in answer.path] == [
        ("charge", "start"),
        ("checkout", "called_by"),
    ]


async def test_a_question_about_the_code_gets_them_beside_its_answer(engine: Engine) -> None:
    question = "How does checkout place an order?"
    answer = await asked(engine, question, "uncommitted")
    text = above_the_fold(answer)
    assert text.index("## Summary") < text.index("## What has changed")
    assert "`charge` ([shop/payment.py:4-8]" in text
    plain = await asked(engine, question, None)
    assert "What has changed" not in plain.markdown
    assert plain.path[0] == answer.path[0]


async def test_they_are_limited_to_what_is_attached_with_them(engine: Engine) -> None:
    answer = await asked(engine, ABOUT, "uncommitted", within=("shop/orders.py",))
    assert "1 file, with definitions: 1 gone." in answer.markdown
    assert "charge" not in above_the_fold(answer)


async def test_a_clean_repository_and_none_are_told_apart(engine: Engine, root: Path) -> None:
    git(root, "commit", "-qam", "second")
    answer = await asked(engine, ABOUT, "uncommitted")
    assert "Nothing has changed since commit" in above_the_fold(answer)
    answer = await asked(engine, ABOUT, "HEAD")
    assert "Changed in commit" in above_the_fold(answer)
    (root / ".git").rename(root.parent / "gone")
    answer = await asked(engine, ABOUT, "uncommitted")
    assert "What has changed is not known." in answer.markdown
    assert "there is no git repository" in above_the_fold(answer)


# The limit on tokens a minute is shared, and not what is tested here.
SETTINGS = {"model": {"tokensPerMinute": 10**9}, "answer": {"mode": "pipeline"}}


async def sent(root: Path, request: AskRequest, **settings: object) -> list[str]:
    """Return every text that a model would get."""
    texts: list[str] = []

    def say(request: ModelRequest) -> ModelReply:
        texts.extend(message.content for message in request.messages)
        if request.schema is not None:
            return ModelReply('{"sufficient_context": true}')
        return ModelReply("## Summary\n\n`charge` at shop/payment.py:4-8 has changed.\n")

    found, problems = settings_from({**SETTINGS, **settings})
    assert not problems
    with Engine.open(root, found) as engine:
        engine.use_model(ScriptedModel(say))
        async for _ in engine.ask(request):
            pass
    assert texts
    return texts


@pytest.mark.parametrize("mode", ["pipeline", "agent", "iterative", "plan"])
async def test_a_model_sees_what_has_changed(root: Path, mode: str) -> None:
    text = "\n".join(await sent(root, AskRequest(ABOUT, mode=mode, changes="uncommitted")))
    assert "was|     if amount <= 0:" in text
    assert "6|     if amount < 1:" in text
    assert "was|     def _reserve_stock(self, basket):" in text


async def test_a_secret_does_not_leave_by_a_change(root: Path) -> None:
    keys = root / "shop/keys.py"
    keys.write_text('KEY = "none"\n\n\ndef sign():\n    return KEY\n')
    (root / "shop/more.py").write_text(f'OTHER = "{SECRET}"\n')
    (root / ".env").write_text(f"KEY={SECRET}\n")
    text = "\n".join(await sent(root, AskRequest(ABOUT, changes="uncommitted")))
    assert "change of shop/keys.py" in text
    assert "change of shop/more.py" in text
    assert SECRET not in text
    assert "change of .env" not in text


async def test_what_is_out_of_scope_is_not_sent(root: Path) -> None:
    (root / ".scopeignore").write_text("orders.py\n")
    text = "\n".join(await sent(root, AskRequest(ABOUT, changes="uncommitted")))
    assert "was|     if amount <= 0:" in text
    assert "_reserve_stock(self" not in text
    allowed = ["input", "workspace", "findings"]
    request = AskRequest(ABOUT, changes="uncommitted")
    text = "\n".join(await sent(root, request, allowedScopes=allowed))
    assert "was|" not in text


async def test_a_change_that_does_not_fit_is_cut_and_said_to_be(root: Path) -> None:
    lines = "".join(f"value_{n} = {n}  # {'x' * 60}\n" for n in range(900))
    (root / "shop/a_big.py").write_text(lines)
    text = "\n".join(await sent(root, AskRequest(ABOUT, changes="uncommitted")))
    assert "… (cut): 1 of its changes are not shown as a whole" in text
    assert "2 more changed files did not fit." in text
    assert "899| value_898" not in text


async def test_the_preview_shows_what_would_be_sent(root: Path) -> None:
    found, _ = settings_from(SETTINGS)
    with Engine.open(root, found) as engine:
        engine.use_model(ScriptedModel(ModelReply("")))
        preview = engine.preview(AskRequest(ABOUT, changes="uncommitted"))
    assert "changes" in preview.scopes
    ranges = {file.path: file.ranges for file in preview.files}
    assert any(first <= 6 <= last for first, last in ranges["shop/payment.py"])
