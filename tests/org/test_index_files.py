from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import shutil
import sqlite3
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from analysis.cli.main import main
from analysis.errors import BadInput, IndexUnavailable
from analysis.index.code_index import CodeIndex
from analysis.org.index_files import IndexCopy, IndexPublisher, fetch_index
from analysis.retrieval.search import search
from analysis.settings import Settings
from analysis.workspace.files import LocalFileBackend
from tests.org.conftest import git, repository
from tests.org.test_publishing import KEY, RETRY

FILES = {
    "retry.py": RETRY,
    "b.py": "def beta(): pass\n",
    "client.py": f'def connect():\n    return open_bucket("{KEY}")\n',
    ".env": "TOKEN=hunter2hunter2\n",
}


def put(root: Path, url: str, settings: Settings) -> IndexCopy:
    publisher = IndexPublisher(root, settings, url)
    planned = publisher.refresh()
    publisher.publish(planned)
    publisher.close()
    return planned


def elsewhere(tmp_path: Path) -> Settings:
    """The settings of a machine that has no index yet."""
    return Settings.model_validate({"index": {"cache_dir": str(tmp_path / "laptop"), "workers": 0}})


def read_by(root: Path, settings: Settings) -> tuple[int, list[str]]:
    """How many files a refresh parses, and where a search then leads."""
    index = CodeIndex.open(LocalFileBackend(root), settings.index)
    report = index.refresh()
    found = search(index, "how often is a call retried").files
    names = [row.path for row in index.symbols_named("connect")]
    assert not index.damaged
    assert index.notices == ()
    index.close()
    return report.parsed, [*found[:1], *names]


@pytest.mark.parametrize("store", ["file", "memory", "http"])
def test_a_fetched_index_spares_all_reading_but_of_what_differs(
    tmp_path: Path, settings: Settings, store: str
):
    root = repository(tmp_path / "web", FILES)
    url = "memory://web/index" if store == "memory" else (tmp_path / "store").as_uri()
    assert put(root, url, settings).struck_out == ("client.py",)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(root), str(clone))
    (clone / "b.py").write_text("def gamma(): pass\n")
    laptop = elsewhere(tmp_path)
    if store == "http":
        handler = functools.partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "store"))
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            fetched = fetch_index(clone, laptop, f"http://127.0.0.1:{server.server_port}")
            server.shutdown()
    else:
        fetched = fetch_index(clone, laptop, url)
    # What was edited, what lost a secret, and the file that never travels.
    assert fetched.read_anew == 3
    assert read_by(clone, laptop) == (3, ["retry.py", "client.py"])


def test_a_fetched_index_answers_as_one_that_was_built_here(tmp_path: Path, settings: Settings):
    root = repository(tmp_path / "web", FILES)
    put(root, "memory://web/same", settings)
    laptop = elsewhere(tmp_path)
    fetch_index(root, laptop, "memory://web/same")
    read_by(root, laptop)
    built = Settings.model_validate({"index": {"cache_dir": str(tmp_path / "b"), "workers": 0}})
    read_by(root, built)

    def all_rows(kept: Settings) -> set[tuple[object, ...]]:
        (file,) = Path(str(kept.index.cache_dir)).glob("web-*.sqlite")
        with sqlite3.connect(file) as conn:
            rows = conn.execute(
                "SELECT path, hash, language, line_count, name, line, line_end FROM files"
                " LEFT JOIN symbols ON file_id = id"
            )
            return set(rows)

    assert all_rows(laptop) == all_rows(built)


def test_no_secret_is_in_the_file(tmp_path: Path, settings: Settings):
    root = repository(tmp_path / "web", FILES)
    put(root, (tmp_path / "store").as_uri(), settings)
    for path in (tmp_path / "store").iterdir():
        data = path.read_bytes().lower()
        assert b"hunter2" not in data
        assert KEY.lower().encode() not in data
        assert KEY[4:].lower().encode() not in data


@pytest.mark.parametrize("damage", ["bytes", "version", "trigger", "no json", "nothing"])
def test_an_index_that_cannot_be_believed_leaves_the_one_here_alone(
    tmp_path: Path, settings: Settings, damage: str
):
    root = repository(tmp_path / "web", FILES)
    store = tmp_path / "store"
    put(root, store.as_uri(), settings)
    laptop = elsewhere(tmp_path)
    before = read_by(root, laptop)
    spoil(store, damage)
    with pytest.raises((BadInput, IndexUnavailable)):
        fetch_index(root, laptop, store.as_uri())
    assert read_by(root, laptop) == (0, before[1])


def spoil(store: Path, damage: str) -> None:
    about = json.loads((store / "index.json").read_text())
    file = store / about["file"]
    if damage == "bytes":
        file.write_bytes(file.read_bytes()[:-4096] + bytes(4096))
    elif damage == "version":
        (store / "index.json").write_text(json.dumps({**about, "parsers": "others"}))
    elif damage == "trigger":
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as conn:
            conn.execute("CREATE TRIGGER t AFTER UPDATE ON files BEGIN DELETE FROM meta; END")
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        file.rename(store / f"{digest}.sqlite")
        new = {**about, "sha256": digest, "file": f"{digest}.sqlite"}
        (store / "index.json").write_text(json.dumps(new))
    elif damage == "no json":
        (store / "index.json").write_text("<html>")
    else:
        shutil.rmtree(store)


def test_by_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    root = repository(tmp_path / "web", FILES)
    url = (tmp_path / "store").as_uri()
    assert main(["index", str(root), "--publish", url, "--yes"]) == 0
    assert "client.py: secrets are struck out" in capsys.readouterr().err
    assert main(["index", str(root), "--fetch", url]) == 0
    assert "2 files read" in capsys.readouterr().out
