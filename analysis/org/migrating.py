"""The schema of the organisation's index, in steps that are each made once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analysis.org.organisation import schema_version

if TYPE_CHECKING:
    from analysis.org.organisation import Organisation

_FOLDER = Path(__file__).with_name("migrations")
LATEST = 3
"""The number of the last migration that this program knows."""
_LOCK = 7_263_001
"""Whoever migrates holds this advisory lock: two at once would make the same tables."""


def migrate(organisation: Organisation) -> list[str]:
    """Bring the schema up to ``LATEST``, in one transaction; return the steps that were made."""
    with organisation.writing(checked=False) as conn:
        conn.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        conn.execute("CREATE SCHEMA IF NOT EXISTS scope")
        conn.execute(
            "CREATE TABLE IF NOT EXISTS scope.migrations (version integer PRIMARY KEY,"
            " applied_at timestamptz NOT NULL DEFAULT now())"
        )
        version = schema_version(conn)
        made = [path for path in migrations() if int(path.name[:4]) > version]
        for path in made:
            conn.execute(path.read_bytes())
            conn.execute("INSERT INTO scope.migrations VALUES (%s)", (int(path.name[:4]),))
        return [path.stem for path in made]


def migrations() -> list[Path]:
    """Return the files of all steps, in order."""
    return sorted(_FOLDER.glob("[0-9]*.sql"))
