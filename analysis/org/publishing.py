"""Publishing a commit: what would be sent, and sending it as one generation or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from analysis.errors import Cancelled, IndexUnavailable
from analysis.org.checkout import Checkout, checkout_at
from analysis.org.cleared_files import cleared_files
from analysis.org.comparing import (
    CommitDifference,
    LocalContent,
    compared,
    local_contents,
    published_repository,
)
from analysis.org.sending import Sender
from analysis.org.upkeep import locked_repository

if TYPE_CHECKING:
    import sqlite3

    from psycopg import Connection

    from analysis.index.difference import OnProgress
    from analysis.org.organisation import Organisation
    from analysis.settings import Settings
    from analysis.stopping import StopFlag


@dataclass(frozen=True, slots=True)
class Publication:
    """What publishing a commit sends, or has sent."""

    repository: str
    branch: str
    commit: str
    state: Literal["new", "current", "older"]
    """``current``: all of it is there already; ``older``: a newer commit is visible."""
    sent: tuple[str, ...]
    """Files whose text and index travel."""
    removed: tuple[str, ...]
    """Files that are no part of the commit any more, or have another text in it."""
    kept: int
    """Files that are there already."""
    struck_out: Mapping[str, tuple[str, ...]]
    """The kinds of secrets that are struck out, by file; of those that travel."""
    left_out: tuple[str, ...]
    """Files that never travel for what such files hold."""


class Publisher:
    """Publishes the commit that is checked out in a folder.

    Args:
        organisation: Where to.
        root: The top folder of a repository.
        settings: Which files belong to it, and where its index is kept.
        name: What the repository is called there; by default what its remote is.
        branch: What it is published as; by default the branch of the folder, or the one asked.
    """

    def __init__(
        self,
        organisation: Organisation,
        root: Path,
        settings: Settings,
        name: str | None = None,
        branch: str | None = None,
    ) -> None:
        from analysis.index.code_index import CodeIndex

        self._organisation = organisation
        self.checkout: Checkout = checkout_at(root, name)
        self._branch = branch or self.checkout.branch
        self._files = cleared_files(root, settings.workspace)
        self._index = CodeIndex.open(self._files, settings.index)

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def refresh(self, on_progress: OnProgress | None = None, stop: StopFlag | None = None) -> None:
        """Read what changed since the last time on this machine.

        Raises:
            Cancelled: ``stop`` was set.
            IndexUnavailable: Files were changed meanwhile, or somebody else holds the index.
        """
        if not self._index.refresh(on_progress, stop).complete:
            raise Cancelled("Publishing was stopped; nothing was sent.")
        if not self._index.make_facts(stop):
            if stop is not None:
                stop.check()
            raise IndexUnavailable(
                "Files were changed while they were read; nothing was sent.", "Publish again."
            )

    def preview(self) -> Publication:
        """Return what would be sent; nothing is."""
        with self._organisation.reading() as conn, self._index.reading() as rows:
            _, difference, branch, _ = self._compared(conn, rows)
        return self._publication(difference, branch)

    def publish(self, readers: tuple[str, ...] = ()) -> Publication:
        """Make the commit the visible one; another publisher of the repository is waited for.

        Args:
            readers: Roles of the database that may see the repository from now on.
        """
        with self._organisation.writing() as conn, self._index.reading() as rows:
            locked_repository(conn, self.checkout.name)
            local, difference, branch, published = self._compared(conn, rows)
            if difference.state == "new":
                sender = Sender(conn, rows, self._files, self.checkout, branch)
                sender.send(difference, published, local, readers)
        return self._publication(difference, branch)

    def _compared(
        self, conn: Connection[Any], rows: sqlite3.Connection
    ) -> tuple[list[LocalContent], CommitDifference, str, Any]:
        published = published_repository(conn, self.checkout.name, self._branch)
        local = local_contents(rows)
        difference = compared(self.checkout, local, published)
        return [*local.values()], difference, self._branch or published.branch, published

    def _publication(self, difference: CommitDifference, branch: str) -> Publication:
        sent = tuple(content.path for content in difference.sent)
        kinds = {path: self._files.struck_out(path) for path in sent}
        return Publication(
            self.checkout.name,
            branch,
            self.checkout.commit,
            difference.state,
            sent,
            difference.removed,
            difference.kept + len(difference.shared),
            {path: found for path, found in kinds.items() if found},
            self._files.secret_files(),
        )
