"""Files that are not ours are opened in one way: regular, of limited size, never waiting."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.calls.lasting_grants import LastingGrants
from analysis.cli.settings_sources import load_settings
from analysis.cli.trace import read_trace
from analysis.documents import read_document
from analysis.documents.parse import earlier_document
from analysis.errors import BadInput, PathOutsideRoot
from analysis.llm.audit import AuditLog
from analysis.llm.chat_model import ModelFacts
from analysis.modes.plan.saved_runs import SavedRun
from analysis.skill import install_skill
from analysis.workspace.files import LocalFileBackend
from analysis.workspace.ignore_files import read_rules
from analysis.workspace.safe_open import append_inside, first_link, read_inside, read_named


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def circle(path: Path) -> None:
    path.symlink_to(path.name)


ODD = (pipe, endless, folder, dangling, circle)


@pytest.mark.parametrize("make", ODD)
def test_what_is_no_regular_file_is_an_error_at_once(tmp_path: Path, make: Callable[[Path], None]):
    make(tmp_path / "odd")
    with pytest.raises(OSError, match=r"."):
        read_named(tmp_path / "odd", 1000)
    with pytest.raises((OSError, PathOutsideRoot)):
        read_inside(str(tmp_path), "odd", 1000)
    with pytest.raises((OSError, PathOutsideRoot)):
        append_inside(str(tmp_path), "odd", b"x")


def test_a_named_file_may_lie_behind_a_link_and_has_a_limit(tmp_path: Path):
    (tmp_path / "real").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("real")
    assert read_named(tmp_path / "link", 5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_named(tmp_path / "link", 4)
    with pytest.raises(OSError, match="null"):
        read_named(tmp_path / "a\0b", 4)


def test_appending_makes_the_file_and_follows_no_link(tmp_path: Path):
    append_inside(str(tmp_path), "log", b"a\n")
    append_inside(str(tmp_path), "log", b"b\n")
    assert (tmp_path / "log").read_bytes() == b"a\nb\n"
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "link").symlink_to("../log")
    (tmp_path / "way").symlink_to("sub")
    for path in ("sub/link", "way/log", "../log"):
        with pytest.raises(PathOutsideRoot):
            append_inside(str(tmp_path / "sub" if path.startswith("..") else tmp_path), path, b"c")
    assert (tmp_path / "log").read_bytes() == b"a\nb\n"


def test_the_first_link_of_a_path_is_found(tmp_path: Path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").symlink_to(tmp_path)
    assert first_link(tmp_path, tmp_path / "a" / "b" / "c") == tmp_path / "a" / "b"
    assert first_link(tmp_path, tmp_path / "a" / "new" / "c") is None
    assert first_link(tmp_path, tmp_path) is None


@pytest.mark.parametrize("make", ODD)
@pytest.mark.parametrize("name", [".gitignore", ".scopeignore", "pkg/.gitignore", ".git"])
def test_what_is_no_file_of_rules_ignores_nothing(
    tmp_path: Path, make: Callable[[Path], None], name: str
):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "a.py").write_text("x = 1\n", "utf-8")
    make(tmp_path / name)
    assert "pkg/a.py" in [file.path for file in LocalFileBackend(tmp_path).scan().files]


@pytest.mark.parametrize("make", ODD)
def test_nothing_that_is_refused_stays_open(tmp_path: Path, make: Callable[[Path], None]):
    make(tmp_path / "odd")
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(3):
        with pytest.raises(OSError, match=r"."):
            read_named(tmp_path / "odd", 1000)
        with pytest.raises((OSError, PathOutsideRoot)):
            read_inside(str(tmp_path), "odd", 1000)
        with pytest.raises((OSError, PathOutsideRoot)):
            append_inside(str(tmp_path), "odd", b"x")
        assert read_rules(str(tmp_path / "odd")) is None
    assert len(list(Path("/dev/fd").iterdir())) == before


@pytest.mark.parametrize("make", ODD)
def test_documents_and_traces_that_are_no_files_are_bad_input(
    tmp_path: Path, make: Callable[[Path], None]
):
    make(tmp_path / "a.md")
    for read in (read_document, read_trace):
        with pytest.raises(BadInput, match="cannot be read") as caught:
            read(tmp_path / "a.md")
        assert str(tmp_path / "a.md") in str(caught.value)
    assert earlier_document(str(tmp_path / "a.md")) is None


def test_an_endless_document_is_not_read(tmp_path: Path):
    with (tmp_path / "large.md").open("wb") as stream:
        stream.truncate(1 << 34)  # A file of holes takes no space.
    with pytest.raises(BadInput, match="larger than"):
        read_document(tmp_path / "large.md")


@pytest.mark.parametrize("make", ODD)
def test_an_audit_log_that_is_no_file_is_told_and_stops_nothing(
    tmp_path: Path, make: Callable[[Path], None]
):
    (tmp_path / ".scope").mkdir()
    make(tmp_path / ".scope" / "audit.jsonl")
    log = AuditLog(tmp_path)
    log.note(ModelFacts("m", "h"), "x", None, (), "stop")
    assert "audit log" in log.trouble
    assert not (tmp_path / ".scope" / "nowhere").exists()


def test_a_reader_at_the_other_end_of_a_pipe_gets_no_audit_line(tmp_path: Path):
    (tmp_path / ".scope").mkdir()
    pipe(tmp_path / ".scope" / "audit.jsonl")
    reader = os.open(tmp_path / ".scope" / "audit.jsonl", os.O_RDONLY | os.O_NONBLOCK)
    try:
        log = AuditLog(tmp_path)
        log.note(ModelFacts("m", "h"), "x", None, (), "stop")
        assert "not a regular file" in log.trouble
        assert os.read(reader, 10) == b""
    finally:
        os.close(reader)


@pytest.mark.parametrize("make", ODD)
def test_what_a_repository_brings_for_a_file_of_ours_stops_nothing(
    tmp_path: Path, make: Callable[[Path], None]
):
    make(tmp_path / "pyproject.toml")
    assert load_settings(tmp_path, {}).settings is not None
    make(tmp_path / "grants.json")
    assert list(LastingGrants(tmp_path / "grants.json", "x")._granted()) == []
    make(tmp_path / "run.json")
    with pytest.raises(BadInput):
        _ = SavedRun("x", tmp_path).request
    (tmp_path / "scope-codebase").mkdir()
    make(tmp_path / "scope-codebase" / "SKILL.md")
    assert install_skill(tmp_path).state in ("kept", "installed")
