from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psycopg
import pytest

from analysis.cli.main import main
from analysis.errors import BadInput
from analysis.org.asking import Asking
from analysis.org.migrating import migrate, migrations
from analysis.org.organisation import Organisation, OrganisationUnavailable
from analysis.org.upkeep import organisation_status
from analysis.settings import Settings
from tests.org.cluster import Cluster
from tests.org.conftest import publish, repository
from tests.org.test_publishing import RETRY


def test_a_server_that_is_away_is_said_and_the_local_index_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    root = repository(tmp_path / "web", {"retry.py": RETRY})
    away = f"org:postgresql://me@/org?host={tmp_path}"
    assert main(["ask", away, "-q", "retry"]) == 2
    said = capsys.readouterr().err
    assert "does not answer" in said
    assert "Code on this machine can be asked meanwhile" in said
    assert main(["analyze", "--repo", str(root), "-q", "retry", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0]["symbol"] == "retry"


def test_a_database_without_an_index_says_how_to_make_one(cluster: Cluster, database: str):
    with (
        Organisation.open(cluster.address(database)) as organisation,
        pytest.raises(OrganisationUnavailable, match="scope org init"),
    ):
        Asking(organisation).ask("retry")


@pytest.mark.parametrize(("version", "said"), [(1, "scope org init"), (99, "Update Scope")])
def test_another_schema_is_said(org: Organisation, version: int, said: str):
    with org.writing() as conn:
        conn.execute("DELETE FROM scope.migrations")
        conn.execute("INSERT INTO scope.migrations VALUES (%s)", (version,))
    with pytest.raises(OrganisationUnavailable, match=said):
        Asking(org).ask("retry")


def test_an_older_schema_is_brought_up_with_what_it_holds(cluster: Cluster, database: str):
    with Organisation.open(cluster.address(database)) as organisation:
        with organisation.writing(checked=False) as conn:
            conn.execute(
                "CREATE SCHEMA scope; CREATE TABLE scope.migrations (version integer PRIMARY KEY,"
                " applied_at timestamptz NOT NULL DEFAULT now())"
            )
            for number, path in enumerate(migrations()[:2], 1):
                conn.execute(path.read_bytes())
                conn.execute("INSERT INTO scope.migrations VALUES (%s)", (number,))
            conn.execute(
                "INSERT INTO scope.repositories VALUES"
                " (1, 'a', '', 'main', 1, ''), (2, 'b', '', 'main', 1, '')"
            )
            conn.execute("INSERT INTO scope.readers VALUES (1, 'alice')")
            conn.execute("INSERT INTO scope.summaries VALUES (1, 'retry', 3, 1), (2, 'call', 2, 0)")
        assert migrate(organisation) == ["0003_audiences"]
        assert migrate(organisation) == []
        with organisation.reading() as conn:
            found = conn.execute(
                "SELECT r.name, s.term, s.chunks, s.named FROM scope.summaries s"
                " JOIN scope.repositories r ON r.id = s.repo AND r.audience = s.audience"
                " ORDER BY r.name"
            ).fetchall()
            audiences = conn.execute("SELECT count(DISTINCT audience) FROM scope.repositories")
            assert audiences.fetchone() == (2,)
    assert found == [("a", "retry", 3, 1), ("b", "call", 2, 0)]


@pytest.mark.parametrize("table", ["segments", "members"])
def test_a_repository_that_is_not_whole_is_said_and_the_others_answer(
    org: Organisation, settings: Settings, tmp_path: Path, table: str
):
    publish(org, repository(tmp_path / "web", {"retry.py": RETRY}), settings)
    publish(org, repository(tmp_path / "torn", {"retry.py": RETRY}), settings)
    with org.writing() as conn:
        conn.execute(
            f"DELETE FROM scope.{table}"
            " WHERE repo = (SELECT id FROM scope.repositories WHERE name = 'torn')"
        )
    answer = Asking(org).ask("retry")
    assert [one.head.name for one in answer.places] == ["web"]
    assert "'torn' is not whole" in " ".join(answer.notes)


def test_one_published_by_another_version_is_said(
    org: Organisation, settings: Settings, tmp_path: Path
):
    publish(org, repository(tmp_path / "web", {"retry.py": RETRY}), settings)
    publish(org, repository(tmp_path / "old", {"retry.py": RETRY}), settings)
    with org.writing() as conn:
        conn.execute("UPDATE scope.repositories SET format = 1 WHERE name = 'old'")
    answer = Asking(org).ask("retry")
    assert [one.head.name for one in answer.places] == ["web"]
    assert "another version of Scope and not searched: 'old'" in " ".join(answer.notes)
    assert len(publish(org, tmp_path / "old", settings).sent) == 1
    assert len(Asking(org).ask("retry").places) == 2


def test_a_connection_lost_in_the_middle_is_said(
    org: Organisation, cluster: Cluster, database: str
):
    def lose() -> None:
        with org.reading() as conn:
            with psycopg.connect(cluster.address(database), autocommit=True) as admin:
                admin.execute("SELECT pg_terminate_backend(%s)", (conn.info.backend_pid,))
            conn.execute("SELECT 1")

    with pytest.raises(OrganisationUnavailable, match="was lost"):
        lose()
    assert organisation_status(org).repositories == ()


def test_two_publishers_at_once_take_turns(org: Organisation, settings: Settings, tmp_path: Path):
    root = repository(tmp_path / "web", {f"m{n}.py": RETRY for n in range(20)})
    states: list[str] = []
    threads = [
        threading.Thread(target=lambda: states.append(publish(org, root, settings).state))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(states) == ["current", "current", "new"]


_PUBLISH = """
import sys
from pathlib import Path
from analysis.org.organisation import Organisation
from analysis.org.publishing import Publisher
from analysis.settings import Settings
settings = Settings.model_validate({"index": {"cache_dir": sys.argv[3], "workers": 0}})
publisher = Publisher(Organisation.open(sys.argv[1]), Path(sys.argv[2]), settings)
publisher.refresh()
print("ready", flush=True)
publisher.publish()
"""


def test_no_half_generation_is_seen_whenever_a_publisher_is_killed(
    org: Organisation, cluster: Cluster, database: str, settings: Settings, tmp_path: Path
):
    root = repository(tmp_path / "web", {f"m{n}.py": RETRY for n in range(30)})
    publish(org, root, settings)
    chance = random.Random(7)
    for turn in range(4):
        repository(root, {f"m{n}.py": RETRY + f"T = {turn}\n" for n in range(30)}, str(turn))
        command = [sys.executable, "-c", _PUBLISH, cluster.address(database), str(root)]
        process = subprocess.Popen([*command, str(tmp_path / "cache")], stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(chance.random() * 0.2)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        answer = Asking(org).ask("retry", 30)
        assert len(answer.places) == 30
        assert answer.notes == ()
        assert len({one.lines for one in answer.places}) == 1


def test_a_password_is_not_taken_from_the_command_line():
    with pytest.raises(BadInput, match="does not belong on a command line"):
        Organisation.open("postgresql://me:word@localhost/org")


def test_the_whole_way_by_commands(
    cluster: Cluster, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    root = repository(tmp_path / "web", {"retry.py": RETRY, ".env": "A=1\n"})
    address = cluster.address(database)
    assert main(["org", "init", address]) == 0
    assert main(["index", str(root), "--publish", address, "--yes", "--reader", "alice"]) == 0
    assert "Never sent, for what such files hold: .env" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    assert main(["ask", f"org:{address}", "-q", "how often is a call retried"]) == 0
    assert "retry.py:1-8" in capsys.readouterr().out
    for name, value in (("PGHOST", str(cluster.folder)), ("PGDATABASE", database),
                        ("PGUSER", "postgres")):  # fmt: skip
        monkeypatch.setenv(name, value)
    assert main(["analyze", "--org", "-q", "retry", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["places"][0]["repository"] == "web"
    assert main(["org", "deny", "web", "alice"]) == 0
    assert main(["org", "gc"]) == 0
    assert main(["org", "status"]) == 0
    assert "1 repositories, 1 files" in capsys.readouterr().out
