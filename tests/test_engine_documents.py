"""The states of documents follow what the user sees: open buffers first, the disk otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.answer_path import RunStats
from analysis.documents import DocumentParts, Section, check_citations, terminal_target
from analysis.documents.render import render
from analysis.engine import Engine
from analysis.settings import IndexSettings, Settings
from analysis.workspace.buffers import OpenBuffers

MODULE = """\
import os


def first(path):
    return os.stat(path)




def read(path):
    with open(path) as file:
        text = file.read()
    log(text)
    return text


def last(path):
    return os.unlink(path)
"""
READ = MODULE[MODULE.index("def read") : MODULE.index("\n\ndef last")]


class Project:
    """A code base with a document about it, in an engine with open buffers."""

    def __init__(self, root: Path) -> None:
        self.root = root / "code"
        self.root.mkdir()
        (self.root / "m.py").write_text(MODULE)
        (self.root / "other.py").write_text("x = 1\n")
        self.buffers = OpenBuffers()
        settings = Settings(index=IndexSettings(cache_dir=str(root / "cache")))
        self.engine = Engine.open(self.root, settings, self.buffers)
        self.engine.prepare()
        self.document = self.root / "docs" / "answer.md"
        self.document.parent.mkdir()
        self.document.write_text(self._written())
        self.engine.documents.put(self.document)
        self._version = 0

    def _written(self) -> str:
        target = terminal_target(self.root, self.root, output_dir=self.document.parent)
        view = self.engine._code_base.view()
        prose = check_citations("`read` is at m.py:10-14.", view, target.links())
        sections = (Section("Summary", prose.markdown),)
        stats = RunStats("offline")
        return render(DocumentParts("How?", target, stats, sections, prose.references), view)

    def show(self, text: str) -> None:
        """Edit the open file, without saving it."""
        self._version += 1
        self.buffers.open("m.py", text, self._version)
        self.engine.documents.changed(["m.py"])

    def check(self, expected: str) -> None:
        """Compare the state of the one reference: in the library, and of its link in the text."""
        found = self.engine.documents.check(self.document)
        (item,) = found.references
        words = str(item.reference.state)
        if item.new_line_start:
            words += f" {item.new_path}:{item.new_line_start}-{item.new_line_end}"
        assert words == expected
        assert [place for _, place in found.places] == [item] * len(found.places)
        assert found.places


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = Project(tmp_path)
    yield made
    made.engine.close()


def test_unsaved_lines_above_move_the_reference_and_a_deletion_ends_it(project: Project) -> None:
    project.check("ok")
    project.show("# 1\n# 2\n# 3\n# 4\n# 5\n" + MODULE)
    project.check("moved m.py:15-19")
    project.show("# 1\n# 2\n# 3\n# 4\n# 5\n" + MODULE.replace(READ, ""))
    project.check("gone")
    project.show(MODULE)
    project.check("ok")


def test_an_open_buffer_wins_and_the_disk_counts_otherwise(project: Project) -> None:
    project.show("# 1\n# 2\n# 3\n" + MODULE)
    (project.root / "m.py").write_text("# disk\n" + MODULE)
    project.engine.documents.changed(["m.py"])
    project.check("moved m.py:13-17")
    project.buffers.close("m.py")
    project.engine.documents.changed(["m.py"])
    project.check("moved m.py:11-15")


def test_code_that_is_pasted_into_another_file_is_found_there(project: Project) -> None:
    project.show(MODULE.replace(READ, ""))
    project.check("gone")
    (project.root / "other.py").write_text("x = 1\n\n\n" + READ)
    project.engine.refresh_paths(["other.py"])
    assert project.engine.documents.changed(["other.py"]) == (project.document,)
    project.check("moved other.py:4-8")


def test_a_file_that_no_document_cites_makes_nothing_stale(project: Project) -> None:
    project.check("ok")
    (project.root / "other.py").write_text("x = 2\n")
    assert project.engine.documents.changed(["other.py"]) == ()


def test_a_deleted_file_and_its_return(project: Project) -> None:
    (project.root / "m.py").rename(project.root / "n.py")
    project.engine.refresh()
    project.engine.documents.changed(["m.py", "n.py"])
    project.check("moved n.py:10-14")
    (project.root / "n.py").rename(project.root / "m.py")
    project.engine.refresh()
    project.engine.documents.changed(["m.py", "n.py"])
    project.check("ok")


def test_verify_and_library_say_the_same(project: Project) -> None:
    (project.root / "m.py").write_text("# disk\n" + MODULE)
    project.engine.documents.changed()
    (item,) = project.engine.verify(project.document)
    assert project.engine.documents.check(project.document).references == (item,)
    assert project.engine.verifier().correct(project.document).is_good
    assert "m.py#L11-L15" in project.document.read_text()


def test_lines_of_an_unsaved_file_lead_to_what_cites_them(project: Project) -> None:
    project.show("# 1\n# 2\n" + MODULE)
    (item,) = project.engine.documents.citations("m.py", 13, 13)
    assert (item.document, item.line_start, item.line_end) == (project.document, 12, 16)
    assert project.engine.documents.citations("m.py", 10, 11) == ()
