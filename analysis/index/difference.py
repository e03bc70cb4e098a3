"""What separates the stored index from the disk, and what is told about removing it.

Kept apart from the work itself: most of the time nothing has changed, and no parser is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

    from analysis.workspace.files import LocalFileBackend
    from analysis.workspace.scan import Scan

OnProgress = Callable[[int, int], None]
"""Called with the number of files that are in the index, and of all files."""

_RULES = frozenset({".gitignore", ".scopeignore", ".gitmodules"})
"""Files that say which others are searched."""


@dataclass(frozen=True, slots=True)
class ReadJob:
    """A file to be read."""

    path: str
    size: int
    mtime_ns: int
    known_hash: bytes = b""
    """Hash of the content in the index; empty for a new file."""


@dataclass(frozen=True, slots=True)
class LateJob(ReadJob):
    """A file that is in the index without its facts."""

    language: str = ""


_ASK_AGAIN = "Ask again when all are read."
_LEFT = (
    "They are tests, vendored code, data, translations and the like: 'scope index' reads them, and "
    "so does a question that needs them."
)


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """What a refresh did."""

    total: int
    """Files that are searched now."""
    parsed: int
    """Files that were read and parsed; 0 if nothing had changed."""
    removed: int
    """Files that are gone from the index."""
    elapsed_s: float
    skipped: Mapping[str, int]
    """How many files are left out, by reason."""
    complete: bool
    """False if it was stopped before every file was read."""
    notes: tuple[str, ...] = ()
    """What the user should know, in whole sentences."""
    unchanged: int = 0
    """Files that were read because their time differed, and were as before."""
    unread: int | None = 0
    """Files that are still to be read; None if it is not known how many."""
    is_left: bool = False
    """Whether nobody is reading these: they wait for whoever has time."""

    @property
    def gap(self) -> str:
        """What somebody must know who is told of the code now: in two sentences, or nothing."""
        if self.complete:
            return ""
        if self.unread is None:
            return f"Files are still being read, and it is not known how many. {_ASK_AGAIN}"
        files = "1 file is" if self.unread == 1 else f"{self.unread} files are"
        how_on = _LEFT if self.is_left else _ASK_AGAIN
        return f"{files} not read yet; what is said here is based on the others. {how_on}"


@dataclass(slots=True)
class Difference:
    """What separates the index from the disk."""

    jobs: list[ReadJob] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    """Ids of files that are gone."""
    n_files: int = 0
    known_bytes: int = 0
    """Size of the files that are in the index as they are, as far as all were looked at."""

    def __bool__(self) -> bool:
        return bool(self.jobs or self.removed)


@dataclass(slots=True)
class RefreshCounts:
    """What was done so far."""

    parsed: int = 0
    unchanged: int = 0
    left: int = 0
    """How many of the files that are read last were left for another time."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to happen when the files are in that questions are about."""

    leave_rest: bool = False
    """End there if the others are many; who needs them reads them."""
    on_ready: Callable[[str], None] | None = None
    """Told that the index can be searched; or, by its label, that one of several folders can."""
    near: Callable[[], Iterable[str]] = tuple
    """Returns the files that somebody looks at: what lies beside them is read before the others."""
    in_background: bool = False
    """Whether everything else goes before this work."""


WHOLE = Order()
"""Read all files and tell nobody."""


def difference(
    conn: sqlite3.Connection, scan: Scan, distrusted: Collection[str] = ()
) -> Difference:
    """Compare a scan with the index, by size and time of each file.

    Files that are distrusted are read again whatever these say.
    """
    known = {
        path: (file_id, size, mtime_ns, hash_)
        for file_id, path, size, mtime_ns, hash_ in conn.execute(
            "SELECT id, path, size, mtime_ns, hash FROM files"
        )
    }
    found = Difference(n_files=len(scan.files))
    for file in scan.files:
        old = known.pop(file.path, None)
        if old is None:
            found.jobs.append(ReadJob(file.path, file.size, file.mtime_ns))
        elif (file.size, file.mtime_ns) != old[1:3] or file.path in distrusted:
            found.jobs.append(ReadJob(file.path, file.size, file.mtime_ns, old[3]))
        else:
            found.known_bytes += file.size
    found.removed = [old[0] for old in known.values()]
    return found


def difference_in(
    conn: sqlite3.Connection,
    files: LocalFileBackend,
    paths: list[str],
    distrusted: Collection[str] = (),
) -> Difference | None:
    """Compare the named files with the index; None if more than they may have changed."""
    if any(path.rpartition("/")[2] in _RULES for path in paths):
        return None
    from analysis.index.schema import meta_value  # not in workers, which store nothing

    found = Difference(n_files=meta_value(conn, "n_files"))
    scanned = {file.path: file for file in files.scan_paths(paths).files}
    for path in dict.fromkeys(paths):
        row = conn.execute(
            "SELECT id, size, mtime_ns, hash FROM files WHERE path = ?", (path,)
        ).fetchone()
        file = scanned.get(path)
        if file is None:
            if row is None and _is_folder(conn, path):
                return None
            found.removed += [row[0]] if row else []
        elif row is None:
            found.jobs.append(ReadJob(path, file.size, file.mtime_ns))
            found.n_files += 1
        elif (file.size, file.mtime_ns) != row[1:3] or path in distrusted:
            found.jobs.append(ReadJob(path, file.size, file.mtime_ns, row[3]))
    found.n_files -= len(found.removed)
    return found


def _is_folder(conn: sqlite3.Connection, path: str) -> bool:
    """Return whether files below a path are in the index."""
    below = (path + "/", path + "0")  # "0" follows "/"
    sql = "SELECT 1 FROM files WHERE path > ? AND path < ? LIMIT 1"
    return conn.execute(sql, below).fetchone() is not None
