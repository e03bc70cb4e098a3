"""Finds the file that another one was renamed to: by git where it knows, else by its content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from posixpath import basename, splitext

from analysis.documents.anchor_file import AnchorFile
from analysis.documents.anchor_files import AnchorFiles

_SKETCH_LINES = 8
_FEWEST_LINES = 4
# So many files that are called alike are compared when a document is written.
_MOST_NAMESAKES = 24
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
    copies: int = 0
    """How many files that are called alike had the same text."""
    similar: int = 0
    """How many of them had most of the sketch."""


def file_mark(file: AnchorFile, files: AnchorFiles) -> FileMark:
    """Return what is remembered of a file.

    Args:
        file: The file.
        files: The code base, in which there may be others like it.
    """
    sketch = file.sketch(_SKETCH_LINES)
    others = [other for path in _called_alike(file.path, files) if (other := files.get(path))]
    copies = [other for other in others if other.lines == file.lines]
    similar = [
        other
        for other in others
        if other not in copies and _is_most(sum(map(other.holds, sketch.values())), len(sketch))
    ]
    return FileMark(file.text_hash, tuple(sketch), len(copies), len(similar))


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
            elif _is_similar(file, mark):
                similar.append(other)
        # A file that was like it before is not what it has become.
        if equal:
            return equal[0] if len(equal) == 1 and not mark.copies else None
        return similar[0] if len(similar) == 1 and not mark.copies + mark.similar else None

    def _candidates(self, path: str) -> list[str]:
        """Return the files it can be: of the same kind, those of the same name first."""
        suffix, name = splitext(path)[1], basename(path)
        alike = [p for p in self._files.code.paths() if splitext(p)[1] == suffix]
        alike.sort(key=lambda p: (basename(p) != name, p))
        return alike[:_MOST_CANDIDATES]


def _called_alike(path: str, files: AnchorFiles) -> list[str]:
    """Return the files of the same name and those beside it, the likest names first."""
    suffix, name = splitext(path)[1], basename(path)
    found = [p for p in files.named_alike(path) if p != path and splitext(p)[1] == suffix]
    if len(found) > _MOST_NAMESAKES:
        matcher = SequenceMatcher(b=name)
        found.sort(key=lambda p: (-_likeness(matcher, basename(p)), p))
    return found[:_MOST_NAMESAKES]


def _likeness(matcher: SequenceMatcher[str], name: str) -> float:
    matcher.set_seq1(name)
    return matcher.ratio()


def _is_similar(file: AnchorFile, mark: FileMark) -> bool:
    """Return whether most of a sketch is in a file; a short one tells nothing."""
    return _is_most(sum(line in file.line_hashes for line in mark.sketch), len(mark.sketch))


def _is_most(found: int, size: int) -> bool:
    return size >= _FEWEST_LINES and found >= _SAME_SHARE * size
