"""What whoever runs the organisation's index does: look at it, clean it up, let somebody see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from analysis.errors import BadInput
from analysis.org.organisation import schema_version

if TYPE_CHECKING:
    from psycopg import Connection

    from analysis.org.organisation import Organisation


@dataclass(frozen=True, slots=True)
class RepositoryStatus:
    """What is visible of a repository."""

    name: str
    branch: str
    commit: str
    published_at: datetime
    files: int
    chunks: int
    readers: tuple[str, ...]
    """Roles of the database that see it, as far as the login that asks sees them."""


@dataclass(frozen=True, slots=True)
class OrganisationStatus:
    """The repositories that a login sees."""

    address: str
    schema: int
    login: str
    repositories: tuple[RepositoryStatus, ...]

    @property
    def files(self) -> int:
        """Return the number of all files."""
        return sum(one.files for one in self.repositories)


@dataclass(frozen=True, slots=True)
class Collected:
    """What was removed because no visible commit has it."""

    contents: int
    segments: int


def organisation_status(organisation: Organisation) -> OrganisationStatus:
    """Return what the login of a connection sees."""
    with organisation.reading() as conn:
        rows = conn.execute(
            "SELECT r.name, h.branch, h.commit_id, h.published_at, h.n_files, h.n_chunks,"
            " array(SELECT role::text FROM scope.readers w WHERE w.repo = r.id ORDER BY role)"
            " FROM scope.repositories r JOIN scope.heads h ON h.repo = r.id"
            " ORDER BY r.name, h.branch"
        ).fetchall()
        (login,) = conn.execute("SELECT current_user::text").fetchone() or ("",)
        found = tuple(
            RepositoryStatus(name, branch, commit, published_at, files, chunks, tuple(readers))
            for name, branch, commit, published_at, files, chunks, readers in rows
        )
        return OrganisationStatus(organisation.name, schema_version(conn), login, found)


def collect(organisation: Organisation) -> Collected:
    """Remove what no visible commit has any more, one repository at a time."""
    with organisation.writing() as conn:
        names = [name for (name,) in conn.execute("SELECT name FROM scope.repositories")]
    contents = segments = 0
    for name in names:
        with organisation.writing() as conn:
            repo = locked_repository(conn, name)
            if repo is None:
                continue
            contents += conn.execute(
                "DELETE FROM scope.contents c WHERE repo = %s AND NOT EXISTS (SELECT FROM"
                " scope.members m WHERE m.repo = c.repo AND m.content = c.id)",
                (repo,),
            ).rowcount
            conn.execute(
                "DELETE FROM scope.symbols s WHERE repo = %s AND NOT EXISTS (SELECT FROM"
                " scope.contents c WHERE c.repo = s.repo AND c.id = s.file_id)",
                (repo,),
            )
            segments += drop_dead_segments(conn, repo)
    return Collected(contents, segments)


def drop_dead_segments(conn: Connection[Any], repo: int) -> int:
    """Remove the postings of segments in which no file is alive; return how many segments."""
    dropped = 0
    for table, column in (("postings", "segment"), ("identifiers", "segment"), ("segments", "id")):
        dropped = conn.execute(
            f"DELETE FROM scope.{table} WHERE repo = %s AND {column} NOT IN"
            " (SELECT segment FROM scope.contents WHERE repo = %s)",
            (repo, repo),
        ).rowcount
    return dropped


def locked_repository(conn: Connection[Any], name: str) -> int | None:
    """Take a repository's lock, held until the transaction ends; return its number, if it has one.

    Publishers and whoever cleans up wait for each other here.
    """
    conn.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 7263))", (name,))
    row = conn.execute("SELECT id FROM scope.repositories WHERE name = %s", (name,)).fetchone()
    return int(row[0]) if row else None


def allow(organisation: Organisation, repository: str, role: str) -> None:
    """Let a role of the database see a repository.

    Raises:
        BadInput: There is no such repository or role.
    """
    with organisation.writing() as conn:
        repo = _known(conn, repository)
        if conn.execute("SELECT FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is None:
            raise BadInput(
                f"The database has no role {role!r}.",
                "Make it with CREATE ROLE, or check the name.",
            )
        conn.execute(
            "INSERT INTO scope.readers VALUES (%s, %s) ON CONFLICT DO NOTHING", (repo, role)
        )


def deny(organisation: Organisation, repository: str, role: str) -> None:
    """Let a role see a repository no more.

    Raises:
        BadInput: There is no such repository, or the role did not see it.
    """
    with organisation.writing() as conn:
        repo = _known(conn, repository)
        done = conn.execute("DELETE FROM scope.readers WHERE repo = %s AND role = %s", (repo, role))
        if not done.rowcount:
            raise BadInput(f"The role {role!r} was not allowed to see {repository!r}.")


def _known(conn: Connection[Any], repository: str) -> int:
    repo = locked_repository(conn, repository)
    if repo is None:
        raise BadInput(f"There is no repository {repository!r}.", "See 'scope org status'.")
    return repo
