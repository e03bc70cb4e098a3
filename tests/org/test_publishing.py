from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import psycopg
import pytest

from analysis.errors import BadInput
from analysis.org.organisation import Organisation
from analysis.org.publishing import Publisher
from analysis.org.upkeep import Collected, collect, organisation_status
from analysis.settings import Settings
from tests.org.cluster import Cluster
from tests.org.conftest import git, publish, repository

RETRY = '''def retry(call, times):
    """Call until it does not fail."""
    for _ in range(times - 1):
        try:
            return call()
        except OSError:
            continue
    return call()
'''
KEY = "AKIA" + "Q3EGRIPFWHVN7TZX"
TABLES = ("contents", "members", "symbols", "segments", "postings", "identifiers", "summaries",
          "packages")  # fmt: skip


def rows(org: Organisation, query: str, *values: object) -> list[tuple[Any, ...]]:
    with org.writing() as conn:
        found: list[tuple[Any, ...]] = conn.execute(query, values).fetchall()
        return found


def summary(org: Organisation, name: str) -> dict[str, tuple[int, int]]:
    found = rows(
        org,
        "SELECT term, chunks, named FROM scope.summaries JOIN scope.repositories r ON r.id = repo"
        " WHERE r.name = %s",
        name,
    )
    return {term: (chunks, named) for term, chunks, named in found}


def test_only_what_changed_travels(org: Organisation, settings: Settings, tmp_path: Path):
    root = repository(tmp_path / "web", {"retry.py": RETRY, "b.py": "B = 1\n", "c.py": "C = 2\n"})
    first = publish(org, root, settings)
    assert (first.state, len(first.sent), first.kept) == ("new", 3, 0)
    assert publish(org, root, settings).state == "current"
    repository(root, {"b.py": "B = 'beta'\n"}, "Two")
    second = publish(org, root, settings)
    assert (second.sent, second.removed, second.kept) == (("b.py",), ("b.py",), 2)
    assert organisation_status(org).repositories[0].commit == git(root, "rev-parse", "HEAD")


def test_a_summary_kept_up_step_by_step_is_that_of_a_first_publication(
    org: Organisation, settings: Settings, tmp_path: Path
):
    root = repository(tmp_path / "web", {"retry.py": RETRY, "b.py": "def beta(): pass\n"})
    publish(org, root, settings)
    repository(root, {"b.py": "def gamma(): return beta\n", "d.py": RETRY + RETRY}, "Two")
    publish(org, root, settings)
    (root / "retry.py").unlink()
    repository(root, {}, "Three")
    publish(org, root, settings)
    publish(org, root, settings, name="fresh")
    assert summary(org, "web") == summary(org, "fresh")
    assert "gamma" in summary(org, "web")


def test_a_preview_sends_nothing(org: Organisation, settings: Settings, tmp_path: Path):
    root = repository(tmp_path / "web", {"retry.py": RETRY})
    publisher = Publisher(org, root, settings)
    publisher.refresh()
    assert publisher.preview().sent == ("retry.py",)
    publisher.close()
    assert organisation_status(org).repositories == ()


def test_no_secret_reaches_the_store(
    org: Organisation, settings: Settings, tmp_path: Path, cluster: Cluster, database: str
):
    files = {
        "client.py": f'def connect():\n    return open_bucket("{KEY}")\n',
        ".env": "TOKEN=hunter2hunter2\n",
        ".gitignore": "local.py\n",
    }
    root = repository(tmp_path / "web", files)
    (root / "local.py").write_text("IGNORED_THING = 1\n")
    (root / "untracked.py").write_text("UNTRACKED_THING = 1\n")
    done = publish(org, root, settings)
    assert done.left_out == (".env",)
    assert [*done.struck_out] == ["client.py"]
    everything: list[bytes] = []
    with psycopg.connect(cluster.address(database)) as conn:
        for table in TABLES:
            for row in conn.execute(f"SELECT * FROM scope.{table}"):
                everything += [_opened(value) for value in row]
    text = b"\n".join(everything).lower()
    assert b"open_bucket" in text
    for gone in (KEY, KEY[4:], "hunter2", "ignored_thing", "untracked_thing"):
        assert gone.lower().encode() not in text


def _opened(value: object) -> bytes:
    if isinstance(value, bytes | memoryview):
        data = bytes(value)
        try:
            return zlib.decompress(data)
        except zlib.error:
            return data
    return str(value).encode()


def test_an_older_commit_does_no_harm(org: Organisation, settings: Settings, tmp_path: Path):
    root = repository(tmp_path / "web", {"a.py": "A = 1\n"})
    old = git(root, "rev-parse", "HEAD")
    repository(root, {"a.py": "A = 2\n"}, "Two")
    new = git(root, "rev-parse", "HEAD")
    publish(org, root, settings)
    git(root, "checkout", "--quiet", old)
    assert publish(org, root, settings, branch="main").state == "older"
    assert organisation_status(org).repositories[0].commit == new


def test_what_branches_share_is_kept_once(org: Organisation, settings: Settings, tmp_path: Path):
    root = repository(tmp_path / "web", {"a.py": "A = 1\n", "b.py": RETRY})
    publish(org, root, settings)
    git(root, "checkout", "--quiet", "-b", "topic")
    repository(root, {"a.py": "A = 2\n"}, "Two")
    done = publish(org, root, settings)
    assert (done.branch, done.sent, done.kept) == ("topic", ("a.py",), 0 + 1)
    assert rows(org, "SELECT count(*) FROM scope.contents") == [(3,)]
    assert [one.branch for one in organisation_status(org).repositories] == ["main", "topic"]


def test_nothing_is_shared_across_repositories(
    org: Organisation, settings: Settings, tmp_path: Path
):
    one = repository(tmp_path / "one", {"a.py": RETRY})
    other = repository(tmp_path / "other", {"a.py": RETRY})
    assert publish(org, one, settings).sent == publish(org, other, settings).sent == ("a.py",)
    assert rows(org, "SELECT count(*) FROM scope.contents") == [(2,)]


def test_what_no_commit_has_is_collected(org: Organisation, settings: Settings, tmp_path: Path):
    root = repository(tmp_path / "web", {"a.py": "A = 1\n"})
    publish(org, root, settings)
    repository(root, {"a.py": "A = 2\n"}, "Two")
    publish(org, root, settings)
    assert collect(org) == Collected(contents=1, segments=1)
    assert collect(org) == Collected(contents=0, segments=0)


@pytest.mark.parametrize("what", ["changed", "no repository", "inside"])
def test_only_a_commit_is_published(
    org: Organisation, settings: Settings, tmp_path: Path, what: str
):
    root = tmp_path / "plain"
    root.mkdir()
    if what != "no repository":
        repository(root, {"a/b.py": "A = 1\n"})
        (root / "a/b.py").write_text("A = 2\n" if what == "changed" else "A = 1\n")
    with pytest.raises(BadInput):
        Publisher(org, root / "a" if what == "inside" else root, settings)


def test_manifests_say_what_a_repository_makes_and_needs(
    org: Organisation, settings: Settings, tmp_path: Path
):
    files = {
        "pyproject.toml": '[project]\nname = "My_Lib"\ndependencies = ["requests>=2", "x.y"]\n',
        "web/package.json": '{"name": "@o/web", "dependencies": {"zod": "1"}}',
        "go.mod": "module example.org/m\n\nrequire (\n\tgithub.com/a/b v1.2.3\n)\n",
        "broken/package.json": "{",
    }
    publish(org, repository(tmp_path / "web", files), settings)
    found = rows(org, "SELECT relation, ecosystem, name FROM scope.packages ORDER BY 2, 1, 3")
    assert found == [
        ("is", "go", "example.org/m"),
        ("needs", "go", "github.com/a/b"),
        ("is", "npm", "@o/web"),
        ("needs", "npm", "zod"),
        ("is", "pypi", "my-lib"),
        ("needs", "pypi", "requests"),
        ("needs", "pypi", "x-y"),
    ]


def test_what_no_database_takes_is_published_all_the_same(
    org: Organisation, settings: Settings, tmp_path: Path
):
    files = {
        "a.py": 'ZERO = "a\0b"\n\n\ndef wombat_total(cart):\n    return sum(cart)\n',
        "package.json": '{"name": "n\\u0000\\ud800"}',
        "deep/package.json": '{"a":' * 50_000,
        "deep/pyproject.toml": "a = " + "[" * 100_000,
    }
    publish(org, repository(tmp_path / "odd", files), settings)
    signatures = [text for (text,) in rows(org, "SELECT signature FROM scope.symbols")]
    assert any(text.startswith('ZERO = "a\u2400b"') for text in signatures)
    assert rows(org, "SELECT name FROM scope.packages") == [("n\u2400?",)]


@pytest.mark.parametrize(
    "name", ["../x", "a/../b", "a//b", "/a", "a\0b", "\x1b[2J", "\u202ex", " ", "x" * 301]
)
def test_a_name_that_no_path_can_begin_with_is_refused(
    org: Organisation, settings: Settings, tmp_path: Path, name: str
):
    root = repository(tmp_path / "web", {"b.py": "B = 1\n"})
    with pytest.raises(BadInput, match="cannot be called"):
        publish(org, root, settings, name=name)
