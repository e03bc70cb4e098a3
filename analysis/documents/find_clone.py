"""Finds the folder into which a repository was cloned."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from analysis.documents.links import public_url, web_url
from analysis.documents.write import repository_name
from analysis.workspace.git import remote_url


def clone_of(url: str, near: Iterable[Path], more: Iterable[Path] = ()) -> Path | None:
    """Return a folder whose remote ``origin`` is a repository; None if there is none.

    Args:
        url: Where the repository is cloned from.
        near: Folders that are looked at with those around them and, by the repository's name,
            those in and beside them.
        more: Folders in which clones lie, at most three levels deep, under the repository's name.
    """
    wanted = _plain(url)
    for folder in dict.fromkeys(_candidates(repository_name(Path(), url), near, more)):
        if (folder / ".git").exists():
            remote = remote_url(folder)
            if remote is not None and _plain(remote) == wanted:
                return folder
    return None


def _candidates(name: str, near: Iterable[Path], more: Iterable[Path]) -> Iterable[Path]:
    for here in near:
        yield from (here, *here.parents, here / name, here.parent / name)
    for folder in more:
        for depth in ("", "*/", "*/*/"):
            yield from sorted(folder.glob(f"{depth}{name}"))


def _plain(url: str) -> str:
    """Return a URL in the one form in which two of the same repository are alike."""
    return web_url(url) or public_url(url)
