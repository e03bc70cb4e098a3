"""Finds the file that a written path means, among the files of the code base."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from analysis.documents.code import CodeView
from analysis.documents.links import Links

_ABSOLUTE = re.compile(r"^(?:[A-Za-z]:)?/")


@dataclass(frozen=True, slots=True)
class PathResolution:
    """The files that a written path can mean."""

    paths: tuple[str, ...]
    certain: bool
    """Whether it can mean nothing else; otherwise the cited lines have to prove it."""
    is_named: bool = False
    """Whether some file is called so, though it lies elsewhere."""

    @property
    def only(self) -> str | None:
        """The file, if the path means exactly one for certain."""
        return self.paths[0] if self.certain and len(self.paths) == 1 else None


class PathResolver:
    """Resolves written paths; knows the files by their ends and their lower-case form."""

    def __init__(self, code: CodeView, links: Links) -> None:
        self._links = links
        self._paths = code.paths()
        self._by_name: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            name = posixpath.basename(path).casefold()
            self._by_name.setdefault(name, []).append(path)

    def resolve(self, written: str, *, is_link: bool = False) -> PathResolution:
        """Return the files that a path means: as it is, or by its end."""
        path = posixpath.normpath(written) if written else written
        if path in self._paths:
            return PathResolution((path,), certain=True)
        if is_link:
            linked = self._links.path_of(written)
            if linked in self._paths and linked is not None:
                return PathResolution((linked,), certain=True)
        if _ABSOLUTE.match(path):
            return self._absolute(path)
        if path.startswith("../"):
            return PathResolution((), certain=True)
        same_name = self._by_name.get(posixpath.basename(path).casefold(), [])
        for fold in (str, str.casefold):
            ends = tuple(p for p in same_name if fold(f"/{p}").endswith(f"/{fold(path)}"))
            if ends:
                return PathResolution(ends, certain=True)
        # A path from further up, as that of a clone's folder, holds the whole of the right one.
        inner = tuple(p for p in same_name if "/" in p and path.endswith(f"/{p}"))
        return PathResolution(inner, certain=False, is_named=bool(same_name))

    def _absolute(self, path: str) -> PathResolution:
        """Return the file whose whole path ends an absolute one."""
        same_name = self._by_name.get(posixpath.basename(path).casefold(), [])
        ends = [p for p in same_name if path.endswith(f"/{p}")]
        if ends:
            return PathResolution((max(ends, key=len),), certain=True)
        return PathResolution((), certain=True)
