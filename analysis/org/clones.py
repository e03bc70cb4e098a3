"""The clones of an organisation's repositories that are on this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.documents.find_clone import clone_of
from analysis.errors import ScopeError
from analysis.llm.redact import redacted
from analysis.user_folders import expanded
from analysis.workspace.decoding import split_lines
from analysis.workspace.files import LocalFileBackend

if TYPE_CHECKING:
    from analysis.documents.commit_links import SourceCommit

CommitText = Callable[["SourceCommit", str], str | None]
"""Gives the text of a file in a commit, without secrets; None if that is not known."""


class LocalClones:
    """Finds clones by the URL of their remote ``origin``.

    Args:
        near: Folders that are looked at with those around, in and beside them.
        folders: Folders in which clones lie, at most three levels deep, under the name of their
            repository; ``~`` is the user's.
        text_of: What the files of the commits hold.
    """

    def __init__(self, near: Sequence[Path], folders: Sequence[str], text_of: CommitText) -> None:
        self._near = near
        self._folders = [expanded(folder) for folder in folders]
        self._text_of = text_of
        self._roots: dict[str, Path | None] = {}
        self._lines: dict[tuple[str, ...], list[str] | None] = {}

    def root(self, source: SourceCommit) -> Path | None:
        """Return the folder of a repository's clone; None if there is none."""
        if source.url not in self._roots:
            found = clone_of(source.url, self._near, self._folders) if source.url else None
            self._roots[source.url] = found
        return self._roots[source.url]

    def holds(self, source: SourceCommit, path: str, line_start: int, line_end: int) -> bool:
        """Return whether lines of a file are in the clone what they were in the commit."""
        wanted = self._kept(("", source.name, path), lambda: self._text_of(source, path))
        there = self._kept((source.url, source.name, path), lambda: self._text_here(source, path))
        if wanted is None or there is None:
            return False
        place = slice(line_start - 1, line_end)
        return wanted[place] == there[place] and line_end <= len(there)

    def _kept(self, key: tuple[str, ...], read: Callable[[], str | None]) -> list[str] | None:
        if key not in self._lines:
            text = read()
            self._lines[key] = None if text is None else split_lines(text)
        return self._lines[key]

    def _text_here(self, source: SourceCommit, path: str) -> str | None:
        root = self.root(source)
        try:
            return None if root is None else redacted(LocalFileBackend(root).read(path).text).text
        except ScopeError:
            return None
