import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from analysis.engine import Engine, code_base
from analysis.errors import BadInput, IndexUnavailable, NotFound, NothingToSearch
from analysis.settings import IndexSettings, Settings
from analysis.workspace.buffers import OpenBuffers
from tests.cli.program import SHOP, write_files


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return write_files(tmp_path / "shop-repo", SHOP)


def test_opening_is_cheap(repo: Path):
    heavy = {"numpy", "jedi", "litellm", "tree_sitter", "rich", "typer", "sqlite3", "yaml"}
    code = (
        "import sys; from pathlib import Path; from analysis.engine import Engine;"
        f"Engine.open(Path({str(repo)!r})); print(sorted({heavy!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], check=True, capture_output=True)
    assert done.stdout.decode().strip() == "[]"


@pytest.mark.parametrize(("name", "error"), [("nowhere", NotFound), ("README.md", BadInput)])
def test_what_is_no_folder_cannot_be_opened(repo: Path, name: str, error: type[BadInput]):
    with pytest.raises(error):
        Engine.open(repo / name)


def test_only_what_changed_is_read(repo: Path):
    with Engine.open(repo) as engine:
        assert engine.refresh().parsed == len(SHOP)
        assert engine.refresh().parsed == 0
        (repo / "shop/store.py").write_text("USERS = []\n", "utf-8")
        assert engine.refresh_paths(["shop/store.py"]).parsed == 1
    with Engine.open(repo) as again:
        assert again.refresh().parsed == 0


def test_many_files_are_not_all_looked_at_for_each_question(repo: Path, monkeypatch):
    monkeypatch.setattr(code_base, "_MANY_FILES", 1)
    monkeypatch.setattr(code_base, "_GOOD_FOR_S", 1e9)
    with Engine.open(repo) as engine:
        assert engine.prepare().parsed == len(SHOP)
        (repo / "shop/new.py").write_text("NEW = 1\n", "utf-8")
        unseen = engine.prepare()
        assert (unseen.parsed, unseen.total, unseen.complete) == (0, len(SHOP), True)
        engine.refresh_paths(["shop/new.py"])
        assert engine.prepare().total == len(SHOP) + 1
        (repo / "shop/new.py").unlink()
        assert engine.refresh().total == len(SHOP)


def test_few_files_are_looked_at_for_each_question(repo: Path):
    with Engine.open(repo) as engine:
        engine.prepare()
        (repo / "shop/new.py").write_text("NEW = 1\n", "utf-8")
        assert engine.prepare().parsed == 1


def test_refreshes_at_the_same_time_read_each_file_once(repo: Path):
    with Engine.open(repo) as engine, ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda _: engine.refresh(), range(4)))
    assert sum(report.parsed for report in reports) == len(SHOP)
    assert all(report.complete for report in reports)


def test_progress_ends_with_all_files(repo: Path):
    seen: list[tuple[int, int]] = []
    with Engine.open(repo) as engine:
        engine.refresh(lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(SHOP), len(SHOP))


def test_open_buffers_are_what_is_seen(repo: Path):
    buffers = OpenBuffers()
    with Engine.open(repo, buffers=buffers) as engine:
        assert {use.path for use in engine.references("load_user").references} == {"shop/auth.py"}
        text = "\n\ndef load_user(name):\n    return load_user(name)\n"
        buffers.open("shop/store.py", text, 2)
        assert engine.symbol("shop/store.py", "load_user").info.line == 3
        found = engine.references("load_user", scope="shop/store.py")
        assert [(use.line, use.column) for use in found.references] == [(4, 11)]
        buffers.close("shop/store.py")
        assert engine.symbol("shop/store.py", "load_user").info.line == 6


def test_an_index_that_is_moved_while_it_is_read_is_read_where_it_is_then(
    repo: Path, tmp_path: Path
):
    moved = Settings(index=IndexSettings(cache_dir=str(tmp_path / "elsewhere")))
    with Engine.open(repo) as engine:
        assert engine.prepare(lambda _: engine.use_settings(moved)).total == len(SHOP)
        assert engine.status().searched == len(SHOP)
        assert str(engine.status().path).startswith(str(tmp_path / "elsewhere"))


def test_nothing_to_search_is_said_at_once(repo: Path):
    (repo / ".scopeignore").write_text("*\n", "utf-8")
    with Engine.open(repo) as engine, pytest.raises(NothingToSearch, match="scopeignore"):
        engine.prepare()


def test_a_closed_engine_says_so(repo: Path):
    engine = Engine.open(repo)
    engine.refresh()
    engine.close()
    with pytest.raises(IndexUnavailable):
        engine.refresh()
    engine.close()
