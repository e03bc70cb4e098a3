"""What a login does not see must not show in anything: two logins, one of whom sees less."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from analysis.errors import BadInput
from analysis.org.answer_document import answer_data
from analysis.org.asking import Asking
from analysis.org.choosing import COUNTS, visible_heads
from analysis.org.migrating import migrate
from analysis.org.organisation import Organisation, OrganisationUnavailable
from analysis.org.upkeep import allow, deny, organisation_status
from analysis.settings import Settings
from tests.org.cluster import Cluster
from tests.org.conftest import publish, repository
from tests.org.test_publishing import RETRY, TABLES

HIDDEN = "def merge_with_acquired_company(retry):\n    '''Retry times and times again.'''\n"
QUESTIONS = ("retry", "merge with the acquired company", "how often is a call retried", "secrets")
ALL = ("repositories", "readers", "heads", *TABLES)


@pytest.fixture
def two(org: Organisation, settings: Settings, tmp_path: Path) -> None:
    """A repository that alice and bob see, and one that only bob sees."""
    publish(org, repository(tmp_path / "web", {"retry.py": RETRY}), settings, "alice", "bob")
    hidden = {"merge.py": HIDDEN, "retry.py": RETRY * 3, "pyproject.toml": "[project]\nname='h'\n"}
    publish(org, repository(tmp_path / "hidden", hidden), settings, "bob")


def as_login(cluster: Cluster, database: str, login: str) -> Organisation:
    return Organisation.open(cluster.address(database, login))


def told(organisation: Organisation) -> list[object]:
    """Everything that an organisation tells of itself, without times and random numbers."""
    asking = Asking(organisation)
    found: list[object] = []
    for question in QUESTIONS:
        try:
            found.append({**answer_data(asking.ask(question)), "server": ""})
        except BadInput as error:
            found.append(str(error))
    for name in ("hidden", "nowhere"):
        try:
            asking.ask("retry", repository=name)
        except BadInput as error:
            found.append(str(error).replace(name, "NAME"))
    status = organisation_status(organisation)
    return [*found, status.files, [(one.name, one.chunks) for one in status.repositories]]


@pytest.mark.usefixtures("two")
def test_an_unseen_repository_is_as_one_that_does_not_exist(
    cluster: Cluster, database: str, settings: Settings, tmp_path: Path
):
    with psycopg.connect(cluster.address(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {database}_alone")
    alone = cluster.address(f"{database}_alone")
    with Organisation.open(alone) as only_web:
        migrate(only_web)
        publish(only_web, tmp_path / "web", settings, "alice")
    with (
        as_login(cluster, database, "alice") as less,
        as_login(cluster, f"{database}_alone", "alice") as nothing_else,
        as_login(cluster, database, "bob") as more,
    ):
        assert told(less) == told(nothing_else)
        assert told(more) != told(less)


@pytest.mark.usefixtures("two")
def test_sql_of_ones_own_gets_no_further(cluster: Cluster, database: str):
    with psycopg.connect(cluster.address(database)) as admin:
        found = admin.execute("SELECT id FROM scope.repositories WHERE name = 'hidden'").fetchone()
    assert found is not None
    with psycopg.connect(cluster.address(database, "alice"), autocommit=True) as alice:
        for table in ALL:
            column = "id" if table == "repositories" else "repo"
            query = f"SELECT count(*) FROM scope.{table} WHERE {column} = %s"
            assert alice.execute(query, found).fetchone() == (0,), table
        for table in TABLES:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                alice.execute(f"SELECT count(*) FROM scope.{table}0")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                alice.execute(f"DELETE FROM scope.{table}")
            seen = "SELECT count(*) FROM pg_stats WHERE schemaname = 'scope' AND tablename = %s"
            assert alice.execute(seen, (table,)).fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            alice.execute("INSERT INTO scope.readers VALUES (%s, 'alice')", found)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            alice.execute("SET ROLE bob")


@pytest.mark.usefixtures("two")
def test_choosing_reads_no_row_of_a_repository_that_is_not_seen(cluster: Cluster, database: str):
    """How long it takes would tell of rows that are read and then left out."""
    with as_login(cluster, database, "alice") as alice, alice.reading() as conn:
        audiences = sorted({head.audience for head in visible_heads(conn)})
        plan = conn.execute(f"EXPLAIN (ANALYZE) {COUNTS}", (audiences, ["retry", "merge"]))
        lines = [line for (line,) in plan]
    assert [line for line in lines if "summaries" in line]
    assert not [line for line in lines if "Removed by" in line]


@pytest.mark.usefixtures("two")
def test_repositories_share_an_audience_if_they_have_the_same_readers(
    org: Organisation, settings: Settings, tmp_path: Path
):
    def audiences() -> list[int]:
        """Of web, hidden and third; their summaries are kept with them."""
        query = (
            "SELECT r.audience, array_agg(DISTINCT s.audience) FROM scope.repositories r"
            " JOIN scope.summaries s ON s.repo = r.id GROUP BY r.id ORDER BY r.name DESC"
        )
        with org.reading() as conn:
            rows = conn.execute(query).fetchall()
        assert [found for _, found in rows] == [[own] for own, _ in rows]
        return [own for own, _ in rows]

    publish(org, repository(tmp_path / "third", {"a.py": RETRY}), settings)
    assert len(set(audiences())) == 3
    allow(org, "third", "bob")
    web, third, hidden = audiences()
    assert third == hidden != web
    with org.writing() as conn:
        conn.execute("INSERT INTO scope.readers SELECT id, 'alice' FROM scope.repositories"
                     " ON CONFLICT DO NOTHING")  # fmt: skip
    assert len(set(audiences())) == 1
    publish(org, repository(tmp_path / "third", {"b.py": RETRY}, "Two"), settings)
    deny(org, "hidden", "alice")
    assert audiences() == [web, web, hidden]


@pytest.mark.usefixtures("two")
def test_a_function_that_looks_at_rows_is_not_shown_the_hidden_ones(
    cluster: Cluster, database: str
):
    """A condition of the asker's own must not run before the rule: it could tell what it saw."""
    with psycopg.connect(cluster.address(database, "alice"), autocommit=True) as alice:
        spied: list[str] = []
        alice.add_notice_handler(lambda notice: spied.append(notice.message_primary or ""))
        alice.execute(
            "CREATE FUNCTION pg_temp.spy(t text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS"
            " $$ BEGIN RAISE NOTICE '%', t; RETURN true; END $$"
        )
        alice.execute("SELECT FROM scope.symbols WHERE pg_temp.spy(name)")
        alice.execute("SELECT FROM scope.repositories WHERE pg_temp.spy(name)")
    assert {"retry", "web"} <= set(spied)
    assert not [name for name in spied if "merge" in name or "hidden" in name]


@pytest.mark.usefixtures("two")
def test_who_is_let_in_sees_and_who_is_not_is_told_what_to_ask_for(
    org: Organisation, cluster: Cluster, database: str
):
    def seen_by_alice() -> list[str]:
        with as_login(cluster, database, "alice") as alice:
            return [one.name for one in organisation_status(alice).repositories]

    assert seen_by_alice() == ["web"]
    allow(org, "hidden", "alice")
    assert seen_by_alice() == ["hidden", "web"]
    deny(org, "hidden", "alice")
    assert seen_by_alice() == ["web"]
    with (
        as_login(cluster, database, "stranger") as stranger,
        pytest.raises(OrganisationUnavailable, match="scope_reader"),
    ):
        organisation_status(stranger)


@pytest.mark.usefixtures("two")
def test_a_role_that_is_gone_opens_nothing(org: Organisation, cluster: Cluster, database: str):
    with org.writing() as conn:
        conn.execute("INSERT INTO scope.readers SELECT id, 'gone' FROM scope.repositories")
    with as_login(cluster, database, "alice") as alice:
        assert [one.name for one in organisation_status(alice).repositories] == ["web"]


@pytest.mark.usefixtures("two")
def test_a_reader_cannot_publish(
    cluster: Cluster, database: str, settings: Settings, tmp_path: Path
):
    with (
        as_login(cluster, database, "alice") as alice,
        pytest.raises(OrganisationUnavailable, match="scope_publisher"),
    ):
        publish(alice, tmp_path / "web", settings, name="other")


def test_a_publisher_that_owns_nothing_can_publish(
    org: Organisation, cluster: Cluster, database: str, settings: Settings, tmp_path: Path
):
    with org.writing() as conn:
        conn.execute("GRANT scope_publisher TO stranger")
    root = repository(tmp_path / "web", {"retry.py": RETRY})
    try:
        with as_login(cluster, database, "stranger") as builder:
            assert publish(builder, root, settings, "alice").state == "new"
            repository(root, {"retry.py": RETRY + "\n"}, "Two")
            assert len(publish(builder, root, settings).sent) == 1
    finally:
        with org.writing() as conn:
            conn.execute("REVOKE scope_publisher FROM stranger")
    with as_login(cluster, database, "alice") as alice:
        assert [one.place.symbol for one in Asking(alice).ask("retry").places] == ["retry"]
