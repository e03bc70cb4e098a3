"""Whatever is written as a path, nothing outside the root is reached."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.errors import ScopeError
from analysis.workspace.files import LocalFileBackend

SECRET = "TOKEN=abc123"
parts = st.sampled_from(
    ["..", ".", "", "src", "a.py", "out", "loop", "evil.py", "proj2", "secret.env", "~", "%2e%2e",
     "..\\", "C:", "\\\\host", "//", "é", "a.py\0", ".git"]
)  # fmt: skip


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("escape")
    root = base / "proj"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("inside = 1\n")
    (base / "secret.env").write_text(SECRET)
    (base / "proj2").mkdir()
    (base / "proj2" / "a.py").write_text(SECRET)
    (root / "evil.py").symlink_to("../secret.env")
    (root / "out").symlink_to(base)
    (root / "src" / "loop").symlink_to(root)
    return root


@given(
    pieces=st.lists(parts | st.text(max_size=4), max_size=7),
    prefix=st.sampled_from(["", "/", "file://", "./", "{root}/", "{root}2/", "file://{root}/"]),
    separator=st.sampled_from(["/", "\\"]),
)
@settings(max_examples=300, deadline=None)
def test_no_path_escapes_the_root(root, pieces, prefix, separator):
    files = LocalFileBackend(root)
    written = prefix.format(root=root) + separator.join(pieces)
    for read in (files.read_file, lambda path: files.read_lines(path, 1, 5), files.resolve):
        try:
            result = read(written)
        except ScopeError:
            continue
        assert SECRET not in result
    try:
        clean = files.resolve(written)
    except ScopeError:
        return
    real = os.path.realpath(root / clean)
    assert real == str(root) or real.startswith(f"{root}{os.sep}")


def test_a_scan_reaches_nothing_outside(root):
    scan = LocalFileBackend(root).scan()
    assert [file.path for file in scan.files] == ["src/a.py"]
