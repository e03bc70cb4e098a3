"""One repository's index as a file in any store that fsspec knows: put there, and fetched.

Beside the index lies ``index.json``, which names it and its commit; it is written last, so that
whoever reads it finds a whole index. A fetched file is believed only as far as it can be checked:
its checksum, its tables, and which files here are the very ones of its commit. All others are read
anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.errors import BadInput, Cancelled, IndexUnavailable
from analysis.index import schema
from analysis.index.location import database_path
from analysis.index.seal import put_seal
from analysis.index.store import remove_file
from analysis.index.writer_lock import WriterLock
from analysis.org.checkout import Checkout, checkout_at
from analysis.org.cleared_files import cleared_files
from analysis.plain_data import json_data
from analysis.workspace.files import LocalFileBackend
from analysis.workspace.git import GitFailed, run_git

if TYPE_CHECKING:
    from analysis.index.difference import OnProgress
    from analysis.settings import Settings
    from analysis.stopping import StopFlag

_ABOUT = "index.json"
_LARGEST_ABOUT = 50_000_000
_BLOCK = 1 << 20
_LOCK_WAIT_S = 10.0


@dataclass(frozen=True, slots=True)
class IndexCopy:
    """An index in a store."""

    url: str
    commit: str
    files: int
    size_bytes: int
    read_anew: int
    """Files that are read when the index is next used here; 0 when it was put there."""
    struck_out: tuple[str, ...]
    """Files whose secrets are not in it."""


class IndexPublisher:
    """Puts the index of the commit that is checked out in a folder into a store.

    Args:
        root: The top folder of a repository.
        settings: Which files belong to it, and where its index is kept.
        url: A folder in a store.
    """

    def __init__(self, root: Path, settings: Settings, url: str) -> None:
        from analysis.index.code_index import CodeIndex

        self._url = url
        self.checkout: Checkout = checkout_at(root)
        self._files = cleared_files(root, settings.workspace)
        self._index = CodeIndex.open(self._files, settings.index)

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def refresh(
        self, on_progress: OnProgress | None = None, stop: StopFlag | None = None
    ) -> IndexCopy:
        """Bring the index up to date and return what would be sent; nothing is.

        Raises:
            Cancelled: ``stop`` was set.
        """
        if not self._index.refresh(on_progress, stop).complete:
            raise Cancelled("Publishing was stopped; nothing was sent.")
        status = self._index.status()
        struck_out = tuple(path for path in self._paths() if self._files.struck_out(path))
        return IndexCopy(
            self._url, self.checkout.commit, status.searched, status.size_bytes, 0, struck_out
        )

    def publish(self, planned: IndexCopy) -> None:
        """Send what ``refresh`` returned.

        Raises:
            IndexUnavailable: The store cannot be written.
        """
        with tempfile.TemporaryDirectory() as folder, _in_store(self._url) as (store, base):
            copy = Path(folder) / "index.sqlite"
            with self._index.reading() as conn, contextlib.closing(sqlite3.connect(copy)) as target:
                conn.backup(target)
            digest = _digest(copy)
            about = {
                "format": schema.FORMAT,
                "parsers": schema.parsers_fingerprint(),
                "commit": planned.commit,
                "file": f"{digest}.sqlite",
                "sha256": digest,
                "files": planned.files,
                "struck_out": planned.struck_out,
            }
            store.makedirs(base, exist_ok=True)
            store.put_file(str(copy), f"{base}/{digest}.sqlite")
            store.pipe_file(f"{base}/{_ABOUT}", json.dumps(about).encode())

    def _paths(self) -> list[str]:
        with self._index.view() as view:
            return [*view.file_table().paths]


def fetch_index(root: Path, settings: Settings, url: str) -> IndexCopy:
    """Put a published index in the place of the one of a folder; only what differs is read later.

    Raises:
        BadInput: It is of another version of Scope, or damaged.
        IndexUnavailable: The store cannot be read, or the index here is being written.
    """
    files = LocalFileBackend(root, settings.workspace)
    place = database_path(files.identity, settings.index)
    place.parent.mkdir(parents=True, exist_ok=True)
    with _in_store(url) as (store, base):
        about = _about(store, base, url)
        handle, name = tempfile.mkstemp(suffix=".fetched", dir=place.parent)
        os.close(handle)
        fetched = Path(name)
        try:
            store.get_file(f"{base}/{about['file']}", name)
            if _digest(fetched) != about["sha256"]:
                raise BadInput(f"The index at {url!r} is damaged.", "Publish it again.")
            read_anew = _made_ours(fetched, files, about)
            _put_in_place(fetched, place)
        finally:
            fetched.unlink(missing_ok=True)
    return IndexCopy(
        url, about["commit"], about["files"], place.stat().st_size, read_anew,
        tuple(about["struck_out"]),
    )  # fmt: skip


def _about(store: Any, base: str, url: str) -> dict[str, Any]:
    """Return what is said of the index in a store, if it is one that this program reads."""
    try:
        about = json_data(store.cat_file(f"{base}/{_ABOUT}", 0, _LARGEST_ABOUT))
        fits = (about["format"], about["parsers"])
        name, digest = str(about["file"]), str(about["sha256"])
        strings = [about["commit"], *about["struck_out"]]
        good = name == f"{digest}.sqlite" and digest.isalnum() and isinstance(about["files"], int)
        if not good or not all(isinstance(text, str) for text in strings):
            raise ValueError(name)
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{url!r} holds no index of Scope.", "Check the URL.") from error
    if fits != (schema.FORMAT, schema.parsers_fingerprint()):
        raise BadInput(
            f"The index at {url!r} was made by another version of Scope.",
            "Use the same version, or build the index here with 'scope index'.",
        )
    return dict(about)


def _made_ours(fetched: Path, files: LocalFileBackend, about: dict[str, Any]) -> int:
    """Make a fetched index the one of a folder; return how many files have to be read anew."""
    try:
        with contextlib.closing(sqlite3.connect(fetched, isolation_level=None)) as conn:
            conn.execute("PRAGMA trusted_schema=OFF")
            _check_tables(conn)
            (word,) = conn.execute("PRAGMA integrity_check(1)").fetchone()
            if word != "ok":
                raise sqlite3.DatabaseError(word)
            same = _same_as(files.root, about["commit"]) - set(about["struck_out"])
            scanned = {file.path: file for file in files.scan().files}
            conn.execute("BEGIN")
            # What lost a secret is not what lies here.
            conn.execute("UPDATE files SET mtime_ns = 0")
            conn.executemany(
                "UPDATE files SET hash = x'' WHERE path = ?",
                ((path,) for path in about["struck_out"]),
            )
            kept = [scanned[path] for path in same if path in scanned]
            conn.executemany(
                "UPDATE files SET size = ?, mtime_ns = ? WHERE path = ?",
                ((file.size, file.mtime_ns, file.path) for file in kept),
            )
            conn.execute("UPDATE meta SET value = ? WHERE key = 'root'", (files.identity,))
            schema.set_meta(conn, "generation", time.time_ns() // 1000)
            conn.execute("COMMIT")
            (unread,) = conn.execute("SELECT count(*) FROM files WHERE mtime_ns = 0").fetchone()
            known = {path for (path,) in conn.execute("SELECT path FROM files")}
            conn.execute("PRAGMA journal_mode=WAL").fetchall()
    except sqlite3.Error as error:
        raise BadInput(f"The fetched index is damaged: {error}.", "Publish it again.") from error
    return int(unread) + len(scanned.keys() - known)


def _check_tables(conn: sqlite3.Connection) -> None:
    """Refuse a database that has anything but our tables, as it might do more than hold rows."""
    query = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    with contextlib.closing(sqlite3.connect(":memory:")) as ours:
        schema.create_tables(ours, "")
        if conn.execute(query).fetchall() != ours.execute(query).fetchall():
            raise sqlite3.DatabaseError("its tables are not those of an index")


def _same_as(root: Path, commit: str) -> set[str]:
    """Return the tracked files that are as a commit has them; none if the commit is not here."""
    try:
        if not commit.isalnum():
            return set()
        diff = run_git(["diff", "--name-only", "-z", "--no-renames", commit, "--"], root).stdout
        tracked = run_git(["ls-tree", "-r", "-z", "--name-only", commit], root).stdout
    except GitFailed:
        return set()
    return {os.fsdecode(p) for p in tracked.split(b"\0")} - {
        os.fsdecode(p) for p in diff.split(b"\0")
    }


def _put_in_place(fetched: Path, place: Path) -> None:
    lock = WriterLock(place, _LOCK_WAIT_S)
    if not lock.acquire():
        raise IndexUnavailable("Another program is writing the code index.", "Fetch it later.")
    try:
        remove_file(place)
        fetched.replace(place)
        put_seal(place, with_checksum=True)
    finally:
        lock.release()


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


@contextlib.contextmanager
def _in_store(url: str) -> Iterator[tuple[Any, str]]:
    """Give the store of a URL and the folder in it; its troubles become sentences."""
    try:
        import fsspec
    except ImportError as error:
        raise BadInput(
            "A store of index files needs a library that is not installed.",
            "Install it with: pip install 'scope-lsp[org]'.",
        ) from error
    try:
        store, base = fsspec.core.url_to_fs(url)
        yield store, base.rstrip("/")
    except FileNotFoundError as error:
        raise IndexUnavailable(f"There is no index at {url!r}.", "Check the URL.") from error
    except (OSError, ImportError, ValueError) as error:
        raise IndexUnavailable(
            f"The store at {url!r} cannot be used: {error}.", "The index here is as it was."
        ) from error
