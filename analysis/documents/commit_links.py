"""Links of a document that cites commits of several repositories: into a clone, or to a forge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Protocol

from analysis.documents.links import Permalinks, RelativeLinks, is_known_forge


@dataclass(frozen=True, slots=True)
class SourceCommit:
    """A repository at the commit that a document cites."""

    name: str
    """With it begin the paths of its files."""
    url: str
    """Where it is cloned from, without credentials; empty for nowhere."""
    commit: str


class Clones(Protocol):
    """The clones that are on this machine."""

    def root(self, source: SourceCommit) -> Path | None:
        """Return the folder of a repository's clone; None if there is none."""
        ...

    def holds(self, source: SourceCommit, path: str, line_start: int, line_end: int) -> bool:
        """Return whether lines of a file are in the clone what they were in the commit."""
        ...


@dataclass(frozen=True, slots=True)
class CommitLinks:
    """Links to several repositories, by the name that a path begins with."""

    sources: tuple[SourceCommit, ...]
    folder: PurePath
    """Where the document lies."""
    clones: Clones

    def split(self, path: str) -> tuple[SourceCommit, str] | None:
        """Return the repository of a path, and the path in it; None if no name begins it."""
        inside = [source for source in self.sources if path.startswith(f"{source.name}/")]
        if not inside:
            return None
        source = max(inside, key=lambda source: len(source.name))
        return source, path[len(source.name) + 1 :]

    def file(self, path: str, line_start: int, line_end: int) -> Path | None:
        """Return the file of a clone that has these very lines; None if there is none."""
        found = self.split(path)
        root = None if found is None else self._clone(*found, line_start, line_end)
        return root / found[1] if root is not None and found is not None else None

    def target(self, path: str, line_start: int = 0, line_end: int = 0) -> str | None:
        """Return the link into a clone that has these very lines, else to the forge's page.

        None if there is neither. For line 0 it is the forge's page of the file.
        """
        found = self.split(path)
        if found is None:
            return None
        source, inner = found
        root = self._clone(source, inner, line_start, line_end) if line_start else None
        if root is not None:
            return RelativeLinks(root, self.folder).target(inner, line_start, line_end)
        return permalink(source, inner, line_start, line_end)

    def path_of(self, target: str) -> str | None:
        """Return the path that a target without its fragment means, if it lies in the commits."""
        for source in self.sources:
            inner = Permalinks(source.url, source.commit).path_of(target)
            if inner is None and (root := self.clones.root(source)) is not None:
                inner = RelativeLinks(root, self.folder).path_of(target)
            if inner is not None:
                return f"{source.name}/{inner}"
        return None

    def _clone(
        self, source: SourceCommit, path: str, line_start: int, line_end: int
    ) -> Path | None:
        root = self.clones.root(source)
        is_there = root is not None and self.clones.holds(source, path, line_start, line_end)
        return root if is_there else None


def permalink(
    source: SourceCommit, path: str, line_start: int = 0, line_end: int = 0
) -> str | None:
    """Return the forge's page of lines in a commit; None if the forge is not known."""
    if not is_known_forge(source.url):
        return None
    return Permalinks(source.url, source.commit).target(path, line_start, line_end)
