from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from analysis.org.migrating import migrate
from analysis.org.organisation import Organisation
from analysis.org.publishing import Publication, Publisher
from analysis.settings import Settings
from tests.org.cluster import Cluster

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    running = Cluster()
    with psycopg.connect(running.address(), autocommit=True) as admin:
        for login in ("alice", "bob", "stranger"):
            admin.execute(f"CREATE ROLE {login} LOGIN")
    yield running
    running.remove()


@pytest.fixture
def database(cluster: Cluster) -> str:
    """The name of an empty database."""
    name = f"org{next(_numbers)}"
    with psycopg.connect(cluster.address(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    return name


@pytest.fixture
def org(cluster: Cluster, database: str) -> Iterator[Organisation]:
    """An organisation's index with nothing in it, as its owner sees it; alice and bob may read."""
    with Organisation.open(cluster.address(database)) as organisation:
        migrate(organisation)
        with organisation.writing() as conn:
            conn.execute("GRANT scope_reader TO alice, bob")
        yield organisation


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings.model_validate(
        {"index": {"cache_dir": str(tmp_path_factory.mktemp("cache")), "workers": 0}}
    )


def repository(root: Path, files: dict[str, str], message: str = "One") -> Path:
    """Write files into a repository and commit them; made if it is not there."""
    root.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    if not (root / ".git").exists():
        git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "-m", message)
    return root


def git(root: Path, *args: str) -> str:
    identity = ["-c", "user.name=T", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", "-C", str(root), *identity, *args], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def publish(
    organisation: Organisation,
    root: Path,
    settings: Settings,
    *readers: str,
    name: str | None = None,
    branch: str | None = None,
) -> Publication:
    publisher = Publisher(organisation, root, settings, name, branch)
    try:
        publisher.refresh()
        return publisher.publish(readers)
    finally:
        publisher.close()


def installed_package(name: str, folder: Path) -> Path:
    """Make a repository of an installed package."""
    (found,) = [
        Path(p) / name
        for p in sys.path
        if p.endswith("site-packages") and (Path(p) / name).is_dir()
    ]
    files = {
        f"{name}/{path.relative_to(found).as_posix()}": path.read_text("utf-8")
        for path in sorted(found.rglob("*.py"))
    }
    return repository(folder / name, files)
