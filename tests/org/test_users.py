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
    made = {
        "pyproject.toml": MANIFEST.format(name="our-lib", needs=""),
        "src/our_lib/__init__.py": "from our_lib.net import Client, send_twice\n",
        "src/our_lib/net.py": "def send_twice(): pass\n\n\n"
        "class Client:\n    def send(self): pass\n",
    }
    user = {
        "pyproject.toml": MANIFEST.format(name="user", needs='"Our_Lib>=1"'),
        "a.py": "from our_lib.net import send_twice\n\nsend_twice()\n",
        "b.py": "call = client.send_twice\nsend_twice_more = 1\n",
        "compat.py": "from our_lib import send_twice as again\n",
        "c.py": "from compat import again\n\nagain()\n",
        "own.py": "def send_twice(): pass\n\n\nsend_twice()\n",
    }
    sure = {"s.py": "import our_lib\n\nour_lib.Client().send()\nour_lib.send_twice()\n"}
    stranger = {"c.py": "def send_twice(): pass\n"}
    parts = (("lib", made), ("user", user), ("sure", sure), ("stranger", stranger))
    for name, files in parts:
        publish(org, repository(tmp_path / name, files), settings, "alice")
    publish(org, repository(tmp_path / "hidden", user), settings, "bob")


@pytest.mark.usefixtures("library")
def test_the_three_answers_are_kept_apart(cluster: Cluster, database: str):
    with Organisation.open(cluster.address(database, "alice")) as alice:
        found = mentions_across(alice, "send_twice", "lib")
    assert (found.packages, found.visible) == (("our-lib",), 3)
    assert [(one.path, one.line) for one in found.definitions] == [
        ("package/src/our_lib/net.py", 1)
    ]
    shown = {
        one.head.name: {
            answer: [(m.path, m.line) for m in one.mentions if m.answer == answer]
            for answer in ("uses", "may use", "does not use")
        }
        for one in found.repositories
    }
    assert shown == {
        "stranger": {"uses": [], "may use": [], "does not use": [("c.py", 1)]},
        "sure": {"uses": [("s.py", 4)], "may use": [], "does not use": []},
        "user": {
            "uses": [("a.py", 1), ("a.py", 3), ("c.py", 1), ("c.py", 3), ("compat.py", 1)],
            "may use": [("b.py", 1)],
            "does not use": [("own.py", 1), ("own.py", 4)],
        },
    }
    complete = {one.head.name: one.complete for one in found.repositories}
    assert complete == {"stranger": False, "sure": True, "user": False}
    assert [one.manifests for one in found.repositories] == [(), (), ("pyproject.toml",)]


@pytest.mark.usefixtures("library")
def test_a_method_is_followed_through_its_class(cluster: Cluster, database: str):
    with Organisation.open(cluster.address(database, "alice")) as alice:
        found = mentions_across(alice, "Client.send", "lib")
    assert [(one.path, one.line) for one in found.definitions] == [
        ("package/src/our_lib/net.py", 5)
    ]
    uses = {
        one.head.name: [m.line for m in one.mentions if m.answer == "uses"]
        for one in found.repositories
    }
    assert uses == {"sure": [3], "user": []}


def test_an_import_that_leads_nowhere_leaves_the_answer_open(
    org: Organisation, settings: Settings, tmp_path: Path
):
    # Without __init__.py nothing tells where the package begins.
    made = {"pyproject.toml": MANIFEST.format(name="our-lib", needs=""),
            "our_lib/net.py": "def send_twice(): pass\n"}  # fmt: skip
    user = {"pyproject.toml": MANIFEST.format(name="user", needs='"our-lib"'),
            "a.py": "from our_lib.net import send_twice\n\nsend_twice()\n"}  # fmt: skip
    for name, files in (("lib", made), ("user", user)):
        publish(org, repository(tmp_path / name, files), settings)
    (one,) = mentions_across(org, "send_twice", "lib").repositories
    assert {mention.answer for mention in one.mentions} <= {"uses", "may use"}
    assert one.complete == all(mention.answer == "uses" for mention in one.mentions)


def test_a_package_of_scripts_is_resolved_by_its_name(
    org: Organisation, settings: Settings, tmp_path: Path
):
    made = {"package.json": '{"name": "our-lib"}',
            "src/index.ts": "export function sendTwice(): void {}\n"}  # fmt: skip
    user = {"package.json": '{"name": "user", "dependencies": {"our-lib": "1"}}',
            "a.ts": 'import { sendTwice } from "our-lib";\n\nsendTwice();\n',
            "b.ts": "function sendTwice() {}\nsendTwice();\n"}  # fmt: skip
    for name, files in (("lib", made), ("user", user)):
        publish(org, repository(tmp_path / name, files), settings)
    (one,) = mentions_across(org, "sendTwice", "lib").repositories
    assert [(m.path, m.line, m.answer) for m in one.mentions] == [
        ("a.ts", 1, "uses"), ("a.ts", 3, "uses"),
        ("b.ts", 1, "does not use"), ("b.ts", 2, "does not use"),
    ]  # fmt: skip


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
    assert "Uses it:" in shown
    assert "May use it:" in shown
    assert "3 repositories were looked through" in shown
