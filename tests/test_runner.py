"""A run that is followed from inside an event loop, as the editor does it."""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest

from analysis.documents import editor_target
from analysis.engine import Engine
from analysis.errors import ModelNotConfigured, NothingToSearch
from analysis.events import (
    Event,
    PhaseStarted,
    RunFinished,
    TextDelta,
)
from analysis.models import AskRequest
from analysis.stopping import StopFlag
from tests.cli.program import SHOP, write_files

REQUEST = AskRequest("How does authentication work?")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return write_files(tmp_path / "shop-repo", SHOP)


async def events_of(engine: Engine, request: AskRequest = REQUEST, **options) -> list[Event]:
    async with aclosing(engine.ask(request, **options)) as events:
        return [event async for event in events]


def listing(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


def text_of(document: str | None) -> str:
    assert document is not None
    return Path(document).read_text("utf-8")


def finished(events: list[Event]) -> RunFinished:
    last = events[-1]
    assert isinstance(last, RunFinished)
    return last


async def test_the_last_event_holds_the_written_document(repo: Path):
    with Engine.open(repo) as engine:
        events = await events_of(engine, output=editor_target(repo))
    answer = finished(events).answer
    assert answer.document is not None
    assert Path(answer.document).parent == repo / ".scope"
    assert text_of(answer.document) == answer.markdown
    phases = [event.phase for event in events if isinstance(event, PhaseStarted)]
    assert (phases[0], phases[-1]) == ("indexing", "writing")
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert text.strip()
    assert text.strip() in answer.markdown


async def test_without_a_target_nothing_is_written(repo: Path):
    before = listing(repo)
    with Engine.open(repo) as engine:
        answer = finished(await events_of(engine)).answer
    assert answer.document is None
    assert listing(repo) == before


async def test_a_stopped_run_ends_with_a_document(repo: Path):
    stop = StopFlag()
    stop.set()
    with Engine.open(repo) as engine:
        last = finished(await events_of(engine, stop=stop, output=editor_target(repo)))
    assert last.stop_reason == last.answer.stats.stop_reason == "cancelled"
    assert last.answer.document is not None
    assert "still being read" in last.answer.markdown


@pytest.mark.parametrize("phase", ["indexing", "discovery", "verification"])
async def test_a_cancelled_task_writes_what_was_found_and_stays_cancelled(repo: Path, phase: str):
    reached = asyncio.Event()

    async def follow(engine: Engine) -> None:
        async with aclosing(engine.ask(REQUEST, output=editor_target(repo))) as events:
            async for event in events:
                if isinstance(event, PhaseStarted) and event.phase == phase:
                    reached.set()
                    await asyncio.sleep(30)

    with Engine.open(repo) as engine:
        task = asyncio.create_task(follow(engine))
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(list((repo / ".scope").glob("*.md"))) == 1


async def test_questions_at_the_same_time(repo: Path):
    with Engine.open(repo) as engine:
        runs = [events_of(engine, output=editor_target(repo)) for _ in range(3)]
        answers = [finished(events).answer for events in await asyncio.gather(*runs)]
    assert len({answer.document for answer in answers}) == 3
    assert sum(answer.stats.files_parsed for answer in answers) == len(SHOP)


async def test_what_cannot_be_asked_is_raised(repo: Path, tmp_path: Path):
    with Engine.open(repo) as engine, pytest.raises(ModelNotConfigured):
        await events_of(engine, AskRequest("What is it?", mode="agent"))
    (tmp_path / "empty").mkdir()
    with Engine.open(tmp_path / "empty") as engine, pytest.raises(NothingToSearch):
        await events_of(engine)
