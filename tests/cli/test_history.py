"""``scope history`` over documents that lie anywhere in a workspace."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from analysis.cli.history import age
from tests.cli.program import call
from tests.support.answers import answer

NOON = datetime(2025, 1, 22, 12, tzinfo=UTC)


def write(folder: Path, name: str, question: str, date: str, cost: str = "0.0") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(
        f"---\nsource_repo: {'../' * 9}{folder.root}\nscope_question: {question}\n"
        f"scan_date: {date}\nmodel_used: a/b\nmode: agent\ncost_usd: {cost}\n---\n\n"
        f"# {question}\n\nSo it is.\n\n<!-- scope:references 2\n-->\n"
    )
    return path


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    write(tmp_path / ".scope", "one.md", "How does login work?", "2025-01-20T10:00:00Z")
    write(tmp_path / "docs/deep", "two.md", "Who calls login?", "2025-01-22T10:00:00Z", "unknown")
    write(tmp_path / "docs", "three.md", "How is a file saved?", "2025-01-21T10:00:00Z", "0.02")
    (tmp_path / "docs" / "plain.md").write_text("# Not an answer\n")
    return tmp_path


def check(workspace: Path, *arguments: str, expected: list[str]) -> None:
    """Compare the questions that a list holds, in their order."""
    done = call("history", *arguments, "--format", "json", cwd=workspace)
    assert done.code == 0
    assert [item["question"] for item in done.json["answers"]] == expected


def test_answers_are_listed_latest_first(workspace: Path) -> None:
    check(
        workspace,
        "list",
        expected=["Who calls login?", "How is a file saved?", "How does login work?"],
    )
    done = call("history", "list", "--format", "json", cwd=workspace)
    first, second, _ = done.json["answers"]
    assert (first["number"], first["mode"], first["cost_usd"]) == (1, "agent", None)
    assert (second["number"], second["cost_usd"], second["model"]) == (2, 0.02, "a/b")


def test_a_search_finds_words_of_the_question(workspace: Path) -> None:
    check(workspace, "search", "LOGIN", expected=["Who calls login?", "How does login work?"])
    check(workspace, "search", "login", "how", expected=["How does login work?"])
    check(workspace, "search", "three", expected=["How is a file saved?"])
    check(workspace, "search", "nothing", expected=[])


@pytest.mark.parametrize("name", ["2", "file saved", "docs/three.md"])
def test_an_answer_is_opened_by_number_words_or_path(workspace: Path, name: str) -> None:
    done = call("history", "open", name, cwd=workspace)
    assert done.code == 0
    assert "# How is a file saved?" in done.out
    assert "scope:references" not in done.out


@pytest.mark.parametrize("name", ["login", "9", "nothing"])
def test_what_is_not_one_answer_is_bad_input(workspace: Path, name: str) -> None:
    assert call("history", "open", name, cwd=workspace).code == 2


def test_an_answer_is_deleted_only_after_a_yes(workspace: Path) -> None:
    path = workspace / "docs" / "three.md"
    assert call("history", "delete", "saved", cwd=workspace).code != 0
    assert path.exists()
    assert call("history", "delete", "saved", "--yes", cwd=workspace).code == 0
    assert not path.exists()


def test_states_are_told_when_they_are_asked_for(workspace: Path) -> None:
    done = call(
        "history", "list", "--states", "--in", "docs/deep", "--format", "json", cwd=workspace
    )
    (answer,) = done.json["answers"]
    assert "problem" in answer or answer["states"] == {}


@pytest.mark.parametrize(
    ("ago", "expected"),
    [
        (timedelta(seconds=3), "now"),
        (timedelta(minutes=5), "5 min"),
        (timedelta(hours=26), "1 d"),
        (timedelta(days=45), "1 mo"),
        (timedelta(days=800), "2 y"),
    ],
)
def test_age_is_told_in_its_largest_unit(ago: timedelta, expected: str) -> None:
    assert age(NOON - ago, NOON) == expected


LOAD = "def load(path):\n    return open(path).read()\n"
SAVE = "def save(path, text):\n    open(path, 'w').write(text)\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / "code"
    (root / "src").mkdir(parents=True)
    (root / "src" / "store.py").write_text(f"import os\n\n\n{LOAD}\n\n{SAVE}")
    answer(root, "load", "`load` is at src/store.py:4-5.")
    answer(root, "both", "`load` (src/store.py:4) and `save` (src/store.py:8-9).")
    return root


def check_citing(folder: Path, where: str, expected: list[str]) -> None:
    """Compare which answers cite a place, and at which lines."""
    done = call("history", "--citing", where, "--in", str(folder), "--format", "json", cwd=folder)
    assert done.code == 0
    assert sorted(
        f"{item['question'].rstrip('?')} "
        f"{ref.get('new_line_start', ref['line_start'])} {ref['state']}"
        for item in done.json["answers"]
        for ref in item["citing"]
    ) == sorted(expected)


def test_answers_are_found_by_the_line_that_they_cite(store: Path) -> None:
    check_citing(store, "src/store.py:5", ["load 4 ok"])
    check_citing(store, "src/store.py:4", ["both 4 ok", "load 4 ok"])
    check_citing(store, "src/store.py:5-8", ["both 8 ok", "load 4 ok"])
    check_citing(store, "src/store.py:1-3", [])
    check_citing(store, "src/store.py", ["both 4 ok", "both 8 ok", "load 4 ok"])
    check_citing(store, str(store / "src" / "store.py") + ":5", ["load 4 ok"])
    assert "load?" in call("history", "--citing", "src/store.py:5", cwd=store).out


def test_lines_of_today_count_when_code_has_moved(store: Path) -> None:
    (store / "src" / "store.py").write_text(f"import os\n\n\n{SAVE}\n\n{LOAD}")
    check_citing(store, "src/store.py:5", ["both 4 moved"])
    (store / "src" / "load.py").write_text(LOAD)
    (store / "src" / "store.py").write_text(f"import os\n\n\n{SAVE}")
    check_citing(store, "src/load.py:1", ["both 1 moved", "load 1 moved"])
    check_citing(store, "src/load.py:2", ["load 1 moved"])


def test_a_file_that_is_gone_can_be_asked_for(store: Path) -> None:
    (store / "src" / "store.py").unlink()
    check_citing(store, "src/store.py", ["both 4 gone", "both 8 gone", "load 4 gone"])
    check_citing(store, "src/store.py:4", [])


@pytest.mark.parametrize(
    "where", ["src/store.py:0", "src/store.py:9-4", "src/nothing.py", "", ":3"]
)
def test_what_is_no_place_is_bad_input(store: Path, where: str) -> None:
    done = call("history", "--citing", where, "--format", "json", cwd=store)
    assert done.code == 2


def test_all_answers_are_listed_without_a_word(store: Path) -> None:
    done = call("history", "--format", "json", cwd=store)
    assert {item["question"] for item in done.json["answers"]} == {"load?", "both?"}
    assert "citing" not in done.json["answers"][0]


def test_options_of_a_list_stand_behind_its_name(store: Path) -> None:
    done = call("history", "--citing", "src/store.py", "list", cwd=store)
    assert done.code == 2
    assert "scope history list" in done.err
