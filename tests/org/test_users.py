from __future__ import annotations

from pathlib import Path

import pytest

from analysis.cli.main import main
from analysis.errors import BadInput
from analysis.org.organisation import Organisation
from analysis.org.users import mentions_across
from analysis.settings import Settings
from tests.org.cluster import Cluster
from tests.org.conftest import publish, repository

MANIFEST = '[project]\nname = "{name}"\ndependencies = [{needs}]\n'


@pytest.fixture
def library(org: Organisation, settings: Settings, tmp_path: Path) -> None:
    made = {"pyproject.toml": MANIFEST.format(name="our-lib", needs=""),
            "our_lib/net.py": "def send_twice(): pass\n"}  # fmt: skip
    user = {
        "pyproject.toml": MANIFEST.format(name="user", needs='"Our_Lib>=1"'),
        "a.py": "from our_lib.net import send_twice\n\nsend_twice()\n",
        "b.py": "call = client.send_twice\nsend_twice_more = 1\n",
    }
    stranger = {"c.py": "def send_twice(): pass\n"}
    for name, files in (("lib", made), ("user", user), ("stranger", stranger)):
        publish(org, repository(tmp_path / name, files), settings, "alice")
    publish(org, repository(tmp_path / "hidden", user), settings, "bob")


@pytest.mark.usefixtures("library")
def test_mentions_are_kept_apart_by_what_speaks_for_them(cluster: Cluster, database: str):
    with Organisation.open(cluster.address(database, "alice")) as alice:
        found = mentions_across(alice, "send_twice", "lib")
    assert (found.packages, found.visible) == (("our-lib",), 2)
    shown = {
        one.head.name: [(m.nearness, m.path, m.line) for m in one.mentions]
        for one in found.repositories
    }
    assert shown == {
        "stranger": [("neither", "c.py", 1)],
        "user": [("imports", "a.py", 1), ("imports", "a.py", 3), ("needs", "b.py", 1)],
    }
    assert [one.manifests for one in found.repositories] == [(), ("pyproject.toml",)]


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("repo", ["nowhere", "stranger"])
def test_a_repository_that_makes_no_package_is_said(org: Organisation, repo: str):
    with pytest.raises(BadInput):
        mentions_across(org, "send_twice", repo)


@pytest.mark.usefixtures("library")
def test_by_command(cluster: Cluster, database: str, capsys: pytest.CaptureFixture[str]):
    address = cluster.address(database, "alice")
    assert main(["org", "mentions", "send_twice", "--of", "lib", "--at", address]) == 0
    shown = capsys.readouterr().out
    assert "a.py:3" in shown
    assert "Imports the package" in shown
    assert "2 repositories were looked through" in shown
