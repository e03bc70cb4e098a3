"""The commit of a repository that is to be published: its name, and that the folder is it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from analysis.documents.links import public_url, web_url
from analysis.errors import BadInput
from analysis.workspace.git import GitFailed, remote_url, run_git
from analysis.workspace.paths import is_printable

_LONGEST_NAME = 300
_KNOWN, _NOT_AN_ANCESTOR, _UNKNOWN = 0, 1, 128


@dataclass(frozen=True, slots=True)
class Checkout:
    """A commit that lies in a folder as git has it."""

    root: Path
    name: str
    """What the organisation calls the repository, as in ``github.com/owner/name``."""
    url: str
    """Where it is cloned from, without credentials; empty for none."""
    branch: str | None
    """None if the folder is on no branch, as on build machines."""
    commit: str
    committed_at: datetime

    def is_before(self, commit: str, committed_at: datetime) -> bool:
        """Return whether a commit that is published already is newer than this one."""
        if commit == self.commit:
            return False
        args = ["merge-base", "--is-ancestor", self.commit, commit]
        try:
            code = run_git(args, self.root, ok_codes=(_KNOWN, _NOT_AN_ANCESTOR, _UNKNOWN)).code
        except GitFailed:
            code = _UNKNOWN
        # A clone of build machines often holds one commit only: then its time has to do.
        return code == _KNOWN or (code != _KNOWN and self.committed_at < committed_at)


def checkout_at(root: Path, name: str | None = None) -> Checkout:
    """Return the commit that is checked out in a folder.

    Args:
        root: The top folder of a repository.
        name: What the repository is to be called; by default what its remote is.

    Raises:
        BadInput: It is no such folder, has no commit, or its files differ from the commit.
    """
    try:
        prefix = _git(root, "rev-parse", "--show-prefix")
        shown = _git(root, "show", "-s", "--no-show-signature", "--format=%H%n%cI", "HEAD")
        changed = _git(root, "diff", "--name-only", "HEAD", "--")
    except GitFailed as error:
        raise BadInput(
            f"{str(root)!r} is no git repository with a commit: {error}.",
            "What is published is a commit, so that answers can cite it.",
        ) from error
    if prefix:
        raise BadInput(f"{str(root)!r} is a folder inside a repository.", "Publish its top folder.")
    if changed:
        raise BadInput(
            f"The files differ from the commit: {changed.splitlines()[0]!r} was changed.",
            "Commit what you changed; what is published is a commit.",
        )
    commit, committed_at = shown.splitlines()
    url = public_url(remote_url(root) or "")
    return Checkout(
        root,
        _checked(name or _name_of(url) or root.name),
        url,
        _branch(root),
        commit,
        datetime.fromisoformat(committed_at),
    )


def _checked(name: str) -> str:
    """Return a name that can be shown, linked and asked for; paths of answers begin with it."""
    parts = [part.strip() for part in name.split("/")]
    if not is_printable(name) or len(name) > _LONGEST_NAME or {"", ".", ".."}.intersection(parts):
        raise BadInput(
            f"The repository cannot be called {name[:80]!a} there.",
            "Give another name: words between slashes, as in 'github.com/owner/name'.",
        )
    return name


def _name_of(url: str) -> str:
    """Return host and path of a repository's pages; empty for one that has none."""
    parts = urlsplit(web_url(url) or "")
    return f"{parts.netloc}{parts.path}"


def _branch(root: Path) -> str | None:
    try:
        return _git(root, "symbolic-ref", "--short", "-q", "HEAD") or None
    except GitFailed:
        return None


def _git(root: Path, *args: str) -> str:
    return run_git(list(args), root).stdout.decode("utf-8", "replace").strip()
