"""Finds the file that another one was renamed to: by git where it knows, else by its content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from posixpath import basename, splitext

from analysis.documents.anchor_file import AnchorFile
from analysis.documents.anchor_files import AnchorFiles

_SKETCH_LINES = 8
_FEWEST_LINES = 4
# Of a sketch's lines so many must be in a file for it to be the same file, edited.
_SAME_SHARE = 0.7
# Reading more files than this for one that is gone would take longer than anybody waits.
_MOST_CANDIDATES = 2000


@dataclass(frozen=True, slots=True)
class FileMark:
    """What a document remembers of a whole file."""

    text: str
    """Hash of all of its lines."""
    sketch: tuple[str, ...]
    """Hashes of some of its lines, to know it again after it was renamed and edited."""


def file_mark(file: AnchorFile) -> FileMark:
    """Return what is remembered of a file."""
    return FileMark(file.text_hash, tuple(sorted(file.line_hashes)[:_SKETCH_LINES]))


class FileSearch:
    """Finds out what the files of a document are called now; each is looked for once.

    Args:
        files: The code base.
        marks: What is remembered of the files, by their old paths.
    """

    def __init__(self, files: AnchorFiles, marks: Mapping[str, FileMark]) -> None:
        self._files = files
        self._marks = marks
        self._found: dict[str, str | None] = {}

    def now(self, path: str) -> AnchorFile | None:
        """Return the file that a missing one is now; None if that cannot be told."""
        if path not in self._found:
            self._found[path] = self._renamed(path)
        new = self._found[path]
        return None if new is None else self._files.get(new)

    def _renamed(self, path: str) -> str | None:
        known = self._files.renamed(path)
        if known is not None and self._files.get(known) is not None:
            return known
        mark = self._marks.get(path)
        if mark is None:
            return None
        equal, similar = [], []
        for other in self._candidates(path):
            file = self._files.get(other)
            if file is None:
                continue
            if file.text_hash == mark.text:
                equal.append(other)
            elif len(mark.sketch) >= _FEWEST_LINES and _share(file, mark) >= _SAME_SHARE:
                similar.append(other)
        if equal:
            return equal[0] if len(equal) == 1 else None
        return similar[0] if len(similar) == 1 else None

    def _candidates(self, path: str) -> list[str]:
        """Return the files it can be: of the same kind, those of the same name first."""
        suffix, name = splitext(path)[1], basename(path)
        alike = [p for p in self._files.code.paths() if splitext(p)[1] == suffix]
        alike.sort(key=lambda p: (basename(p) != name, p))
        return alike[:_MOST_CANDIDATES]


def _share(file: AnchorFile, mark: FileMark) -> float:
    return sum(line in file.line_hashes for line in mark.sketch) / len(mark.sketch)
