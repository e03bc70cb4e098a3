"""What questions share is made once; what nobody asks for is not made, and changes nothing else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType

import pytest

from analysis.engine import Engine
from analysis.retrieval.search import SearchOptions, search
from analysis.settings import Settings
from tests.cli.program import write_files

FILES = {
    "shop/store.py": "class Store:\n    def load(self, name):\n        return name\n",
    "shop/login.py": "def check_login(store, name):\n    return store.load(name)\n",
    "README.md": "# Shop\n\nIt loads names from the store.\n",
}
# What is made for a state of the index, and not for a question.
SHARED = {"_made", "_factors", "_field_norms", "_filled"}


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    write_files(tmp_path / "code", FILES)
    settings = Settings.model_validate({"index": {"cacheDir": str(tmp_path / "cache")}})
    engine = Engine.open(tmp_path / "code", settings)
    engine.refresh()
    return engine


def called(work: Callable[[], object]) -> set[str]:
    """The functions of ours that run in some work."""
    names: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and "/analysis/" in frame.f_code.co_filename:
            names.add(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return names


def test_the_first_question_finds_made_what_all_share(engine: Engine):
    with engine:
        assert called(engine.get_ready) >= SHARED
        names = called(lambda: search(engine.index, "How is a login checked?"))
        assert "rank_definitions" in names
        assert names.isdisjoint(SHARED)


@pytest.mark.parametrize(
    "query", ["How is a login checked?", "store names", "login.py", "Where is load called?", ""]
)
def test_places_are_the_same_if_nothing_else_is_asked_for(engine: Engine, query: str):
    with engine:
        for top_k in (1, 3, 20):
            whole = search(engine.index, query, SearchOptions(top_k=top_k))
            alone = search(engine.index, query, SearchOptions(top_k=top_k, only_places=True))
            kept = whole.candidates if whole.candidates == alone.candidates else ()
            assert replace(whole, candidates=kept, more={}, explain={}) == replace(alone, more={})


def test_files_are_neither_ranked_nor_looked_into_for_places_alone(engine: Engine):
    options = SearchOptions(top_k=1)
    with engine:
        query = "How is a login checked?"
        assert called(lambda: search(engine.index, query, options)) >= {"rank", "in_file"}
        alone = replace(options, only_places=True)
        names = called(lambda: search(engine.index, query, alone))
        assert names.isdisjoint({"rank", "signals_for", "in_file"})


def test_a_query_that_names_files_is_told_from_others(engine: Engine):
    with engine:
        found = {q: search(engine.index, q).names_files for q in ("login.py", "login", "")}
    assert found == {"login.py": True, "login": False, "": False}
