"""A connection to the organisation's index: who is asked, how it is made, and what may go wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from analysis.documents.links import public_url
from analysis.errors import BadInput, ScopeError

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg_pool import ConnectionPool

_CONNECT_S = 5
_MOST_CONNECTIONS = 4
_STATEMENT_MS = 30_000
"""A reader's statement takes no longer: whoever waits so long has gone."""
PREFIX = "org:"


class OrganisationUnavailable(ScopeError):
    """The organisation's index cannot be asked now; that of the code on this machine can."""

    kind = "organisation_unavailable"


_LOCAL_GOES_ON = "Code on this machine can be asked meanwhile: name its folder."


class Organisation:
    """The index of an organisation as one login sees it; safe to use from several threads."""

    def __init__(self, pool: ConnectionPool, name: str, address: str = "") -> None:
        self._pool = pool
        self.name = name
        """What the address is called in sentences; holds no password."""
        self.address = public_url(address)
        """The address, without login and password."""

    @classmethod
    def open(cls, address: str) -> Organisation:
        """Return the organisation at an address; connects when it is first asked.

        Args:
            address: ``postgresql://user@host/database``, or the name of a service of libpq's
                service file; empty for what the environment says (``PGSERVICE``, ``PGHOST`` ...).

        Raises:
            BadInput: The address holds a password or is none, or the extra is not installed.
        """
        try:
            from psycopg_pool import ConnectionPool
        except ImportError as error:
            raise BadInput(
                "The organisation's index needs a library that is not installed.",
                "Install it with: pip install 'scope-lsp[org]'.",
            ) from error
        conninfo, name = _conninfo(address)
        pool = ConnectionPool(
            conninfo,
            min_size=0,
            max_size=_MOST_CONNECTIONS,
            open=False,
            timeout=_CONNECT_S + 1,
            reconnect_timeout=0,
        )
        return cls(pool, name, address)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    @contextmanager
    def reading(self) -> Iterator[Connection[Any]]:
        """Return a transaction that sees one state of all repositories until it ends.

        Raises:
            OrganisationUnavailable: The server is away, goes away, or has another schema.
        """
        with self._connection() as conn:
            conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            conn.execute(f"SET LOCAL statement_timeout = {_STATEMENT_MS}")
            _check_schema(conn)
            yield conn

    @contextmanager
    def writing(self, *, checked: bool = True) -> Iterator[Connection[Any]]:
        """Return a transaction that is made visible as a whole when it ends, or not at all.

        Args:
            checked: Whether the schema has to be ours; no before it is made.

        Raises:
            OrganisationUnavailable: As for ``reading``.
        """
        with self._connection() as conn:
            if checked:
                _check_schema(conn)
            yield conn

    @contextmanager
    def _connection(self) -> Iterator[Connection[Any]]:
        """Return a transaction on a pooled connection, the driver's errors put into sentences."""
        import psycopg

        self._check_reachable()
        try:
            with self._pool.connection() as conn:
                yield conn
        except psycopg.errors.InsufficientPrivilege as error:
            raise OrganisationUnavailable(
                f"The organisation's index at {self.name} does not allow that to your login.",
                "Ask whoever runs it for the role 'scope_reader', or to publish 'scope_publisher'.",
            ) from error
        except psycopg.errors.QueryCanceled as error:
            raise OrganisationUnavailable(
                f"The organisation's index at {self.name} took longer than"
                f" {_STATEMENT_MS // 1000} seconds.",
                _LOCAL_GOES_ON,
            ) from error
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise OrganisationUnavailable(
                f"The connection to the organisation's index at {self.name} was lost.",
                f"Ask again; nothing was left half done. {_LOCAL_GOES_ON}",
            ) from error

    def _check_reachable(self) -> None:
        """Connect for the first time by hand: a pool only says that it waited in vain."""
        import psycopg

        if not self._pool.closed:
            return
        try:
            psycopg.connect(str(self._pool.conninfo)).close()
        except psycopg.Error as error:
            reason = str(error).strip().splitlines()[0].removeprefix("connection failed: ")
            raise OrganisationUnavailable(
                f"The organisation's index at {self.name} does not answer: {reason}.",
                _LOCAL_GOES_ON,
            ) from error
        self._pool.open()


def lacks_driver() -> bool:
    """Return whether the library that talks to the server is not installed."""
    return find_spec("psycopg_pool") is None


def server_of(conn: Connection[Any]) -> str:
    """Return the host and the database that a connection leads to."""
    host = conn.info.host
    where = "this machine" if host.startswith("/") or not host else f"{host}:{conn.info.port}"
    return f"{where}/{conn.info.dbname}"


def schema_version(conn: Connection[Any]) -> int:
    """Return the number of the last migration; 0 for a database without our tables."""
    if _one(conn, "SELECT to_regclass('scope.migrations') IS NOT NULL"):
        return int(_one(conn, "SELECT coalesce(max(version), 0) FROM scope.migrations"))
    return 0


def _check_schema(conn: Connection[Any]) -> None:
    from analysis.org.migrating import LATEST

    version = schema_version(conn)
    if version == LATEST:
        return
    if not version:
        raise OrganisationUnavailable(
            "The database holds no organisation's index.",
            "Whoever runs it makes one with 'scope org init'.",
        )
    older = version < LATEST
    raise OrganisationUnavailable(
        f"The organisation's index has schema {version}; this program needs {LATEST}.",
        "Whoever runs it brings it up with 'scope org init'." if older else "Update Scope.",
    )


def _one(conn: Connection[Any], query: str) -> Any:
    row = conn.execute(query).fetchone()
    return row[0] if row else None


def _conninfo(address: str) -> tuple[str, str]:
    """Return how libpq connects, and a name without secrets."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    is_url = "://" in address
    try:
        parts: dict[str, Any] = conninfo_to_dict(address) if is_url else {}
    except psycopg.Error as error:
        raise BadInput(
            "The address of the organisation's index cannot be read.",
            "Write it as postgresql://user@host/database.",
        ) from error
    if any(parts.get(name) for name in ("password", "sslpassword")):
        raise BadInput(
            "A password does not belong on a command line.",
            "Leave it out: PGPASSFILE, PGPASSWORD or a service file can hold it.",
        )
    if address and not is_url:
        parts["service"] = address
    parts.setdefault("application_name", "scope")
    parts.setdefault("connect_timeout", _CONNECT_S)
    host = str(parts.get("host") or os.environ.get("PGHOST") or "")
    if is_url and _is_elsewhere(host) and not os.environ.get("PGSSLMODE"):
        # Encrypted, and by the server that is meant: less is not asked for by anybody's silence.
        parts.setdefault("sslmode", "verify-full")
        if not os.environ.get("PGSSLROOTCERT"):
            parts.setdefault("sslrootcert", "system")
    shown = address if not is_url else f"{host or 'this machine'}/{parts.get('dbname', '')}"
    return make_conninfo("", **parts), repr(shown.rstrip("/") or "the database of the environment")


def _is_elsewhere(host: str) -> bool:
    return bool(host) and not host.startswith("/") and host not in ("localhost", "127.0.0.1", "::1")
