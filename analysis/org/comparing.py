"""What separates a commit from what the organisation has of it: so much has to travel, no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from analysis.index.schema import FORMAT, parsers_fingerprint

if TYPE_CHECKING:
    import sqlite3

    from psycopg import Connection

    from analysis.org.checkout import Checkout

_MOST_SEGMENTS = 64
"""With more, all postings are written anew: a question reads a row a term in each of them."""


@dataclass(frozen=True, slots=True)
class LocalContent:
    """A file of the commit, as the index of what may leave has it."""

    file_id: int
    path: str
    hash: bytes
    language: str
    line_count: int
    segment: int


@dataclass(frozen=True, slots=True)
class PublishedRepository:
    """What the organisation has of a repository before something is published."""

    id: int | None
    """None for one that it does not know yet."""
    branch: str
    """The branch that is asked."""
    head: tuple[str, datetime] | None
    """The visible commit of the branch that is published, and its time."""
    members: Mapping[tuple[str, bytes], int]
    """The contents of that commit by path and hash."""
    contents: Mapping[tuple[str, bytes], int]
    """All contents, also those of other branches and of earlier commits."""
    n_segments: int
    is_current: bool
    """Whether it was parsed as this program parses; otherwise nothing of it can stay."""


@dataclass(frozen=True, slots=True)
class CommitDifference:
    """What publishing would do."""

    state: Literal["new", "current", "older"]
    """``current``: there is nothing to do; ``older``: a newer commit is visible already."""
    sent: tuple[LocalContent, ...]
    """Files whose text travels."""
    shared: tuple[LocalContent, ...]
    """Files that another branch or an earlier commit has brought already."""
    removed: tuple[str, ...]
    """Files that the commit does not have, or has otherwise."""
    kept: int
    """Files that stay as they are."""
    rewrites: bool
    """Whether the postings of all files are written anew."""


def published_repository(
    conn: Connection[Any], name: str, branch: str | None
) -> PublishedRepository:
    """Return what is there of a repository; of the branch that is asked if none is named."""
    row = conn.execute(
        "SELECT id, branch, format, parsers FROM scope.repositories WHERE name = %s", (name,)
    ).fetchone()
    if row is None:
        return PublishedRepository(None, branch or "main", None, {}, {}, 0, is_current=True)
    repo, asked, *made_with = row
    branch = branch or asked
    head = conn.execute(
        "SELECT commit_id, committed_at FROM scope.heads WHERE repo = %s AND branch = %s",
        (repo, branch),
    ).fetchone()
    if made_with != [FORMAT, parsers_fingerprint()]:
        return PublishedRepository(repo, asked, head, {}, {}, 0, is_current=False)
    contents = {
        (path, bytes(digest)): content
        for path, digest, content in conn.execute(
            "SELECT path, hash, id FROM scope.contents WHERE repo = %s", (repo,)
        )
    }
    alive = {
        content
        for (content,) in conn.execute(
            "SELECT content FROM scope.members WHERE repo = %s AND branch = %s", (repo, branch)
        )
    }
    members = {key: content for key, content in contents.items() if content in alive}
    (n_segments,) = conn.execute(
        "SELECT count(*) FROM scope.segments WHERE repo = %s", (repo,)
    ).fetchone() or (0,)
    return PublishedRepository(repo, asked, head, members, contents, n_segments, is_current=True)


def local_contents(conn: sqlite3.Connection) -> dict[tuple[str, bytes], LocalContent]:
    """Return the files of the commit by path and hash."""
    rows = conn.execute(
        "SELECT id, path, hash, language, line_count, segment FROM files"
        " WHERE segment IS NOT NULL ORDER BY path"
    )
    found = (LocalContent(*row) for row in rows)
    return {(content.path, content.hash): content for content in found}


def compared(
    checkout: Checkout,
    local: Mapping[tuple[str, bytes], LocalContent],
    published: PublishedRepository,
) -> CommitDifference:
    """Return what has to be done so that the commit is what is visible."""
    new = [content for key, content in local.items() if key not in published.members]
    removed = tuple(sorted(path for path, h in published.members if (path, h) not in local))
    state: Literal["new", "current", "older"] = "new"
    if published.head is not None and checkout.is_before(*published.head):
        state = "older"
    elif (
        published.head is not None
        and published.head[0] == checkout.commit
        and published.is_current
        and not new
        and not removed
    ):
        state = "current"
    known = published.contents
    return CommitDifference(
        state,
        tuple(content for content in new if (content.path, content.hash) not in known),
        tuple(content for content in new if (content.path, content.hash) in known),
        removed,
        len(local) - len(new),
        rewrites=published.n_segments >= _MOST_SEGMENTS,
    )
