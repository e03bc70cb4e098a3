"""The rows of a commit on their way to the organisation's database, inside one transaction."""

from __future__ import annotations

import secrets
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis.errors import BadInput
from analysis.index.content_hash import content_hash
from analysis.index.merge import living_rows
from analysis.index.schema import FORMAT, parsers_fingerprint
from analysis.index.symbols import COLUMNS
from analysis.index.tables import load_tables
from analysis.org.manifests import packages_in
from analysis.org.summaries import term_counts, texts_counted
from analysis.org.upkeep import drop_dead_segments
from analysis.steering import unable_to_steer

if TYPE_CHECKING:
    import sqlite3

    from psycopg import Connection

    from analysis.org.checkout import Checkout
    from analysis.org.cleared_files import ClearedFiles
    from analysis.org.comparing import CommitDifference, LocalContent, PublishedRepository

_TYPES = {
    "contents": "int4 int8 text bytea text int4 int8 bytea bytea bytea",
    "members": "int4 text int8",
    "symbols": "int4 int8 int4 int4 text text text int4 int4 text int4 int4 int4 text text int4",
    "segments": "int4 int8 int4 bytea bytea",
    "postings": "int4 int8 text bytea",
    "identifiers": "int4 int8 text bytea",
    "summaries": "int8 text int4 int4 int4",
    "packages": "int4 text text text text",
}
_PARTS = (*_TYPES, "heads")
_LARGEST_ID = 2**31
_SOME_FILES = 500
_Counts = dict[str, tuple[int, int]]


class Sender:
    """Brings one commit of a repository into the database; the transaction makes it visible.

    Args:
        conn: The transaction; its caller holds the repository's lock.
        rows: A transaction on the index of what may leave.
        files: The files of that index.
        checkout: The commit.
        branch: What it is published as.
    """

    def __init__(
        self,
        conn: Connection[Any],
        rows: sqlite3.Connection,
        files: ClearedFiles,
        checkout: Checkout,
        branch: str,
    ) -> None:
        self._conn = conn
        self._rows = rows
        self._files = files
        self._checkout = checkout
        self._branch = branch
        self._repo = 0

    def send(
        self,
        difference: CommitDifference,
        published: PublishedRepository,
        local: Sequence[LocalContent],
        readers: Iterable[str],
    ) -> None:
        """Write what separates the commit from what is there."""
        self._repo = self._repository(published)
        for role in readers:
            self._conn.execute(
                "INSERT INTO scope.readers VALUES (%s, %s) ON CONFLICT DO NOTHING",
                (self._repo, role),
            )
        ids = self._contents(difference.sent, dict(published.contents))
        gone = self._membership(difference, published, ids)
        written = local if difference.rewrites else difference.sent
        added = self._segments(written, ids, moved=difference.rewrites)
        if self._branch == published.branch:
            if difference.rewrites or len(difference.sent) == len(local):
                self._conn.execute("DELETE FROM scope.summaries WHERE repo = %s", (self._repo,))
                audience = self._audience()
                self._load("summaries", ((audience, t, self._repo, *n) for t, n in added.items()))
            else:
                self._summarise(added, self._old_counts(gone), self._shared(difference))
        self._load("packages", self._packages(local))
        self._finish(local)

    def _repository(self, published: PublishedRepository) -> int:
        """Return the repository's number; a new one gets a number that tells nothing."""
        made_with = (FORMAT, parsers_fingerprint())
        if published.id is None:
            repo = secrets.randbelow(_LARGEST_ID)
            self._conn.execute(
                "INSERT INTO scope.repositories VALUES (%s, %s, %s, %s, %s, %s)",
                (repo, self._checkout.name, self._checkout.url, published.branch, *made_with),
            )
            return repo
        if not published.is_current:
            # What was parsed otherwise cannot be searched together with this.
            for table in _PARTS:
                self._conn.execute(f"DELETE FROM scope.{table} WHERE repo = %s", (published.id,))
        self._conn.execute(
            "UPDATE scope.repositories SET url = %s, format = %s, parsers = %s WHERE id = %s",
            (self._checkout.url, *made_with, published.id),
        )
        self._conn.execute("DELETE FROM scope.packages WHERE repo = %s", (published.id,))
        return published.id

    def _contents(
        self, sent: Sequence[LocalContent], known: dict[tuple[str, bytes], int]
    ) -> dict[tuple[str, bytes], int]:
        """Write the texts and symbols of new files; return the ids of all contents."""
        first = max(known.values(), default=0) + 1
        new = {(content.path, content.hash): first + n for n, content in enumerate(sent)}
        self._load("contents", (self._content(c, new[c.path, c.hash]) for c in sent))
        ids = {content.file_id: new[content.path, content.hash] for content in sent}
        select = f"SELECT file_id, {COLUMNS} FROM symbols WHERE file_id = ?"
        self._load(
            "symbols",
            (
                (self._repo, ids[file_id], *row)
                for local_id in ids
                for file_id, *row in self._rows.execute(select, (local_id,))
            ),
        )
        return known | new

    def _content(self, content: LocalContent, content_id: int) -> tuple[Any, ...]:
        source = self._files.load(content.path).source
        if source is None or content_hash(source.text) != content.hash:
            raise BadInput(
                f"The file {content.path!r} changed while it was being published.", "Publish again."
            )
        outline, facts = self._rows.execute(
            "SELECT outline, facts FROM details WHERE file_id = ?", (content.file_id,)
        ).fetchone()
        body = zlib.compress(source.text.encode("utf-8", "surrogatepass"), 6)
        return (
            self._repo, content_id, content.path, content.hash, content.language,
            content.line_count, 0, body, outline, facts,
        )  # fmt: skip

    def _membership(
        self,
        difference: CommitDifference,
        published: PublishedRepository,
        ids: Mapping[tuple[str, bytes], int],
    ) -> list[int]:
        """Make the branch hold the commit's contents; return those that it holds no more."""
        new = [*difference.sent, *difference.shared]
        gone_paths = set(difference.removed)
        kept_keys = {(content.path, content.hash) for content in new}
        gone = [
            content
            for (path, digest), content in published.members.items()
            if path in gone_paths and (path, digest) not in kept_keys
        ]
        self._conn.execute(
            "DELETE FROM scope.members WHERE repo = %s AND branch = %s AND content = ANY(%s)",
            (self._repo, self._branch, gone),
        )
        rows = ((self._repo, self._branch, ids[content.path, content.hash]) for content in new)
        self._load("members", rows)
        return gone

    def _segments(
        self,
        written: Sequence[LocalContent],
        ids: Mapping[tuple[str, bytes], int],
        *,
        moved: bool,
    ) -> _Counts:
        """Write the postings of files as new segments; return what they add to the summary."""
        import numpy as np

        from analysis.index.packing import chunk_dtype

        (segment,) = self._conn.execute(
            "SELECT coalesce(max(id), 0) FROM scope.segments WHERE repo = %s", (self._repo,)
        ).fetchone() or (0,)
        by_file = {content.file_id: ids[content.path, content.hash] for content in written}
        added: Counter[str] = Counter()
        named: Counter[str] = Counter()
        for local_segment in sorted({content.segment for content in written}):
            segment += 1
            living = living_rows(self._rows, local_segment, by_file.keys())
            members = np.array([by_file[file_id] for file_id in living.files], "<u4")
            n_chunks = len(living.chunks) // chunk_dtype().itemsize
            row = (self._repo, segment, n_chunks, members.tobytes(), living.chunks)
            self._load("segments", [row])
            terms = list(living.terms)
            self._load("postings", ((self._repo, segment, *term) for term in terms))
            self._load("identifiers", ((self._repo, segment, *name) for name in living.names))
            self._conn.execute(
                "UPDATE scope.contents SET segment = %s WHERE repo = %s AND id = ANY(%s)",
                (segment, self._repo, members.tolist()),
            )
            for term, (n, n_named) in term_counts(terms).items():
                added[term] += n
                named[term] += n_named
        if moved:
            drop_dead_segments(self._conn, self._repo)
        return {term: (n, named[term]) for term, n in added.items()}

    def _old_counts(self, gone: Sequence[int]) -> _Counts:
        """Return what files that are gone had added: they are parsed once more, from the store."""
        texts = self._conn.execute(
            "SELECT path, body FROM scope.contents WHERE repo = %s AND id = ANY(%s)",
            (self._repo, list(gone)),
        )
        return texts_counted((path, inflated(body)) for path, body in texts)

    def _shared(self, difference: CommitDifference) -> _Counts:
        texts: list[tuple[str, str]] = []
        for content in difference.shared:
            source = self._files.load(content.path).source
            texts.append((content.path, "" if source is None else source.text))
        return texts_counted(texts)

    def _summarise(self, added: _Counts, gone: _Counts, shared: _Counts) -> None:
        """Change the repository's summary by what came and what went."""
        chunks: Counter[str] = Counter()
        named: Counter[str] = Counter()
        for counts, sign in ((added, 1), (shared, 1), (gone, -1)):
            for term, (n, n_named) in counts.items():
                chunks[term] += sign * n
                named[term] += sign * n_named
        audience = self._audience()
        changed = [
            (audience, term, self._repo, n, named[term])
            for term, n in chunks.items()
            if n or named[term]
        ]
        self._load(
            "summaries",
            changed,
            "ON CONFLICT (audience, term, repo) DO UPDATE"
            " SET chunks = summaries.chunks + excluded.chunks,"
            " named = summaries.named + excluded.named",
        )
        self._conn.execute(
            "DELETE FROM scope.summaries WHERE repo = %s AND chunks <= 0", (self._repo,)
        )

    def _audience(self) -> int:
        """Return what the repository shares with those that have the same readers."""
        (audience,) = self._conn.execute(
            "SELECT audience FROM scope.repositories WHERE id = %s", (self._repo,)
        ).fetchone() or (0,)
        return int(audience)

    def _packages(self, local: Sequence[LocalContent]) -> set[tuple[Any, ...]]:
        found: set[tuple[Any, ...]] = set()
        for content in local:
            for package in packages_in(content.path, self._files):
                found.add((self._repo, *package))
        return found

    def _finish(self, local: Sequence[LocalContent]) -> None:
        """Make the commit the visible one."""
        n_chunks = len(load_tables(self._rows).chunks)
        self._conn.execute(
            "INSERT INTO scope.heads (repo, branch, generation, commit_id, committed_at, n_files,"
            " n_chunks) VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (repo, branch) DO UPDATE"
            " SET generation = greatest(excluded.generation, heads.generation + 1),"
            " commit_id = excluded.commit_id, committed_at = excluded.committed_at,"
            " n_files = excluded.n_files, n_chunks = excluded.n_chunks, published_at = now()",
            (
                self._repo, self._branch, time.time_ns() // 1000, self._checkout.commit,
                self._checkout.committed_at, len(local), n_chunks,
            ),
        )  # fmt: skip

    def _load(self, table: str, rows: Iterable[Sequence[Any]], conflict: str = "") -> None:
        """Write many rows: through a table of this transaction, as rules of access ask for."""
        with self._conn.cursor() as cursor:
            cursor.execute(
                f"CREATE TEMPORARY TABLE IF NOT EXISTS loading_{table}"
                f" (LIKE scope.{table}) ON COMMIT DROP"
            )
            with cursor.copy(f"COPY loading_{table} FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(_TYPES[table].split())
                for row in rows:
                    copy.write_row([_storable(value) for value in row])
            cursor.execute(f"INSERT INTO scope.{table} SELECT * FROM loading_{table} {conflict}")
            cursor.execute(f"TRUNCATE loading_{table}")


def _storable(value: Any) -> Any:
    """Return a value as the database takes it: in a text it has no NUL and no half of a pair."""
    if not isinstance(value, str) or (value.isascii() and "\0" not in value):
        return value
    return value.replace("\0", unable_to_steer("\0")).encode("utf-8", "replace").decode()


def inflated(body: bytes) -> str:
    """Return the text that the body of a content holds."""
    return zlib.decompress(body).decode("utf-8", "surrogatepass")
