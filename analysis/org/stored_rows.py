"""What the organisation stores of one repository, in the form in which ranking reads an index."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.errors import ScopeError
from analysis.index.lookups import outline_from
from analysis.index.overlay import Tables, lay_over
from analysis.index.packing import read_count
from analysis.index.symbols import COLUMNS, SymbolRow, symbol_from
from analysis.index.tables import Segment, tables_of
from analysis.models import FileOutline, SourceText
from analysis.org.sending import inflated
from analysis.retrieval import weights
from analysis.workspace.files import Loaded

if TYPE_CHECKING:
    from psycopg import Connection

_OF_BRANCH = (
    "scope.contents c JOIN scope.members m ON m.repo = c.repo AND m.content = c.id"
    " WHERE c.repo = %(repo)s AND m.repo = %(repo)s AND m.branch = %(branch)s"
)
_IN_BRANCH = "(SELECT content FROM scope.members WHERE repo = %(repo)s AND branch = %(branch)s)"
_QUALIFIED = ", ".join(f"s.{column.strip()}" for column in COLUMNS.split(","))


@dataclass(frozen=True, slots=True)
class RepositoryHead:
    """The visible commit of a repository."""

    repo: int
    name: str
    url: str
    """Where it is cloned from; empty for nowhere."""
    branch: str
    commit: str
    generation: int
    format: int
    """Of what is packed into its rows."""
    n_files: int
    n_chunks: int
    audience: int
    """Shared by the repositories that have the same readers."""


class PostgresRows:
    """The rows of one repository's visible commit, in one transaction; see ``StoredRows``."""

    def __init__(
        self, conn: Connection[Any], head: RepositoryHead, names: Mapping[str, bool] | None = None
    ) -> None:
        self._conn = conn
        self._of = {"repo": head.repo, "branch": head.branch}
        self.head = head
        self._terms: dict[str, list[tuple[int, str, bytes]]] = {}
        self._names = names or {}
        self._details: dict[int, bytes] = {}

    def keep(self, term: str, rows: list[tuple[int, str, bytes]]) -> None:
        """Take in the rows of a term, so that they are not asked for again."""
        self._terms[term] = rows

    def tables(self) -> Tables:
        """Return the tables of the commit.

        Raises:
            ScopeError: Rows of the commit are missing.
        """
        files = self._all(
            f"SELECT c.id, c.path, c.language, c.line_count, c.segment FROM {_OF_BRANCH}"
            " ORDER BY c.id"
        )
        segments = self._all(
            "SELECT id, files, chunks FROM scope.segments WHERE repo = %(repo)s ORDER BY id"
        )
        known = {segment for segment, _, _ in segments}
        if len(files) != self.head.n_files or any(row[4] not in known for row in files):
            raise ScopeError(
                f"The repository {self.head.name!r} is not whole in the organisation's index.",
                "Publish it again.",
            )
        return lay_over(tables_of(self.head.generation, files, segments), {})

    def text(self, path: str) -> str | None:
        """Return the stored text of a file of the commit; None if it has none of that name."""
        row = self._first(f"SELECT c.body FROM {_OF_BRANCH} AND c.path = %(path)s", path=path)
        return None if row is None else inflated(row[0])

    def load(self, path: str) -> Loaded:
        """Return a file's stored text as the files of a code base do."""
        text = self.text(path)
        source = None if text is None else SourceText(path, text, "utf-8")
        return Loaded(path, source, "unreadable" if text is None else None, len(text or ""), 0)

    def term_rows(self, terms: Sequence[str]) -> Iterator[tuple[int, str, bytes]]:
        """See ``StoredRows``."""
        kept = [row for term in terms for row in self._terms.get(term, ())]
        missing = [term for term in terms if term not in self._terms]
        if missing:
            kept += self._all(
                "SELECT segment, term, data FROM scope.postings"
                " WHERE repo = %(repo)s AND term = ANY(%(terms)s)",
                terms=missing,
            )
        yield from sorted(kept, key=lambda row: row[0])

    def identifier_rows(self, name: str) -> list[tuple[int, bytes]]:
        """See ``StoredRows``."""
        return self._all(
            "SELECT segment, data FROM scope.identifiers"
            " WHERE repo = %(repo)s AND name = %(name)s ORDER BY segment",
            name=name,
        )

    def count_prefixed(self, segments: Mapping[int, Segment], prefix: str) -> dict[str, int]:
        """See ``StoredRows``."""
        totals: dict[str, int] = {}
        for term, head in self._all(
            "SELECT term, substr(data, 1, 5) FROM scope.postings WHERE repo = %(repo)s"
            " AND term >= %(prefix)s AND term < %(after)s",
            prefix=prefix,
            after=prefix + "\U0010ffff",
        ):
            totals[term] = totals.get(term, 0) + read_count(head)[0]
        return totals

    def symbols_named(self, name: str) -> list[SymbolRow]:
        """See ``StoredRows``."""
        if not self._names.get(name, True):
            return []
        rows = self._all(
            f"SELECT c.path, p.qualified_name, {_QUALIFIED} FROM scope.symbols s"
            " JOIN scope.contents c ON c.repo = s.repo AND c.id = s.file_id"
            " LEFT JOIN scope.symbols p"
            " ON p.repo = s.repo AND p.file_id = s.file_id AND p.ord = s.parent"
            " WHERE s.repo = %(repo)s AND c.repo = %(repo)s AND s.name = %(name)s"
            f" AND s.file_id IN {_IN_BRANCH} ORDER BY c.path, s.ord",
            name=name,
        )
        return [
            SymbolRow(path, symbol_from(tuple(record)), parent) for path, parent, *record in rows
        ]

    def signature(self, file_id: int, qualified_name: str) -> str:
        """See ``StoredRows``."""
        row = self._first(
            "SELECT signature FROM scope.symbols WHERE repo = %(repo)s AND file_id = %(file)s"
            " AND qualified_name = %(name)s ORDER BY ord LIMIT 1",
            file=file_id,
            name=qualified_name,
        )
        return row[0] if row else ""

    def symbol_names(self) -> list[str]:
        """See ``StoredRows``."""
        rows = self._all(
            "SELECT DISTINCT name FROM scope.symbols WHERE repo = %(repo)s"
            f" AND file_id IN {_IN_BRANCH} ORDER BY name"
        )
        return [name for (name,) in rows]

    def outline(self, path: str) -> FileOutline | None:
        """See ``StoredRows``."""
        row = self._first(
            f"SELECT c.id, c.language, c.line_count FROM {_OF_BRANCH} AND c.path = %(path)s",
            path=path,
        )
        if row is None:
            return None
        file_id, language, line_count = row
        records = self._all(
            f"SELECT {COLUMNS} FROM scope.symbols WHERE repo = %(repo)s AND file_id = %(file)s"
            " ORDER BY ord",
            file=file_id,
        )
        return outline_from(path, language, line_count, self.details(file_id), records)

    def content_hash(self, path: str) -> bytes | None:
        """See ``StoredRows``."""
        row = self._first(f"SELECT c.hash FROM {_OF_BRANCH} AND c.path = %(path)s", path=path)
        return None if row is None else bytes(row[0])

    def expect(self, file_ids: Iterable[int]) -> None:
        """See ``StoredRows``."""
        missing = [file_id for file_id in file_ids if file_id not in self._details]
        if missing:
            self._details |= self._all(
                "SELECT id, outline FROM scope.contents WHERE repo = %(repo)s"
                " AND id = ANY(%(files)s)",
                files=missing,
            )

    def details(self, file_id: int) -> dict[str, Any]:
        """See ``StoredRows``."""
        self.expect((file_id,))
        packed = zlib.decompress(self._details[file_id])
        data: dict[str, Any] = json.loads(packed.decode("utf-8", "surrogatepass"))
        return data

    def facts(self, file_id: int) -> bytes:
        """See ``StoredRows``."""
        (row,) = self._all(
            "SELECT facts FROM scope.contents WHERE repo = %(repo)s AND id = %(file)s",
            file=file_id,
        )
        return bytes(row[0])

    def _all(self, query: str, **values: object) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._conn.execute(
            query, {**self._of, **values}, binary=True
        ).fetchall()
        return found

    def _first(self, query: str, **values: object) -> tuple[Any, ...] | None:
        rows = self._all(query, **values)
        return rows[0] if rows else None


def rows_of(
    conn: Connection[Any],
    heads: Sequence[RepositoryHead],
    terms: Sequence[str],
    names: Iterable[str],
) -> list[PostgresRows]:
    """Return the rows of some repositories, what a question needs of all of them read together.

    Args:
        conn: A transaction.
        heads: The repositories; nothing of any other is read.
        terms: Words of the question, and others for the same things.
        names: Names that may be defined.
    """
    repos = [head.repo for head in heads]
    written = [sigil + name for name in names for sigil in ("", *weights.SIGILS)]
    defined = set(
        conn.execute(
            "SELECT DISTINCT s.repo, s.name FROM unnest(%s::int4[]) AS wanted (repo)"
            " CROSS JOIN LATERAL (SELECT repo, name FROM scope.symbols"
            " WHERE repo = wanted.repo AND name = ANY(%s::text[]) OFFSET 0) s",
            (repos, written),
        )
    )
    found = {
        head.repo: PostgresRows(conn, head, {n: (head.repo, n) in defined for n in written})
        for head in heads
    }
    kept: dict[tuple[int, str], list[tuple[int, str, bytes]]] = {
        (repo, term): [] for repo in repos for term in terms
    }
    for repo, *row in conn.execute(
        "SELECT p.repo, p.segment, p.term, p.data FROM unnest(%s::int4[]) AS wanted (repo)"
        " CROSS JOIN LATERAL (SELECT repo, segment, term, data FROM scope.postings"
        " WHERE repo = wanted.repo AND term = ANY(%s::text[]) OFFSET 0) p",
        (repos, sorted(set(terms))),
        binary=True,
    ):
        kept[repo, row[1]].append((row[0], row[1], row[2]))
    for (repo, term), rows in kept.items():
        found[repo].keep(term, rows)
    return [found[repo] for repo in repos]
