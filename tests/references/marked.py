"""Code bases as one text: ``#- path`` starts a file, marks stand before identifiers.

``$0`` marks the definition, ``$y`` a use that has to be verified, ``$c`` one of them that is a
call, ``$v`` one that hands the definition on as a value, ``$u`` a use that cannot be decided,
``$l`` one of them that is unlikely. Every other place that spells the name must be in no list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from analysis.index.code_index import CodeIndex
from analysis.models import Position, ReferenceList
from analysis.references.search.finder import ReferenceFinder
from analysis.settings import IndexSettings, WorkspaceSettings
from analysis.stopping import Deadline
from analysis.workspace.files import LocalFileBackend

_MARK = re.compile(r"\$([0ycvul])")
_CALLS = ("call", "construction", "element", "decorator")
_FILE = re.compile(r"^(?:#|//)- (\S+)\n", re.M)

Place = tuple[str, int, int]


@dataclass
class Marked:
    """A code base on the disk, and where its marks were."""

    root: Path
    marks: dict[str, list[Place]]
    finder: ReferenceFinder
    index: CodeIndex

    def find(self, deadline: Deadline | None = None) -> ReferenceList:
        """Return the uses of the definition that is marked ``$0``."""
        path, line, column = self.marks["0"][0]
        found = self.finder.find("", at=Position(path, line, column), deadline=deadline)
        assert found is not None, "the marked place is no definition"
        return found


def write_marked(folder: Path, text: str) -> Marked:
    """Write the files of a marked text below a folder and index them."""
    root = folder / "project"
    root.mkdir()
    marks: dict[str, list[Place]] = {mark: [] for mark in "0ycvul"}
    parts = _FILE.split(text)
    for path, body in zip(parts[1::2], parts[2::2], strict=True):
        lines = []
        for number, line in enumerate(body.split("\n"), 1):
            while match := _MARK.search(line):
                marks[match[1]].append((path, number, match.start()))
                line = line[: match.start()] + line[match.end() :]
            lines.append(line)
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines), "utf-8")
    files = LocalFileBackend(root, WorkspaceSettings())
    index = CodeIndex.open(files, IndexSettings(cache_dir=str(folder / "cache"), workers=1))
    index.refresh()
    return Marked(root, marks, ReferenceFinder(files, lambda: index), index)


def check(folder: Path, text: str, *, may_be_complete: bool = True) -> ReferenceList:
    """Check that exactly the marked uses are found, the undecided ones apart."""
    code = write_marked(folder, text)
    try:
        found = code.find()
        marks = code.marks
        verified = [*marks["y"], *marks["c"], *marks["v"]]
        assert _places(found.references) == sorted(verified), found.references
        assert _places(found.unverified) == sorted(marks["u"] + marks["l"]), found.unverified
        unlikely = [use for use in found.unverified if use.unlikely]
        assert _places(unlikely) == sorted(marks["l"]), found.unverified
        kinds = {(use.path, use.line, use.column): use.kind for use in found.references}
        assert all(kinds[place] in _CALLS for place in marks["c"]), kinds
        assert all(kinds[place] == "value" for place in marks["v"]), kinds
        assert found.complete == (may_be_complete and not found.unverified)
        return found
    finally:
        code.index.close()


def check_callers(folder: Path, text: str, *, complete: bool) -> None:
    """Check that exactly the places marked ``$c`` are calls, ``$u`` undecided, ``$v`` values."""
    code = write_marked(folder, text)
    try:
        path, line, column = code.marks["0"][0]
        found = code.finder.calls("", "callers", at=Position(path, line, column))
        assert found is not None, "the marked place is no definition"
        assert _places(found.calls) == sorted(code.marks["c"]), found.calls
        assert _places(found.unverified) == sorted(code.marks["u"]), found.unverified
        assert _places(found.values) == sorted(code.marks["v"]), found.values
        assert found.complete is complete, found
    finally:
        code.index.close()


def _places(references: object) -> list[Place]:
    return sorted((r.path, r.line, r.column) for r in references)  # type: ignore[attr-defined]  # a tuple
