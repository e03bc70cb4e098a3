"""When no file is left to search, the rule that emptied the code base is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.workspace.empty import nothing_to_search
from analysis.workspace.files import LocalFileBackend
from tests.workspace.repositories import git, write


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        ({}, "There is no file to search in '{root}'."),
        ({".gitignore": "*\n", "a.py": ""}, "by the rule '*' in {root}/.gitignore:1."),
        ({"a.png": "", "b.png": "", "c.lock": "\0"}, "{root}': 2 binary files."),
        ({"a.py": "#" * 600_000}, "{root}': 1 files above the size limit."),
    ],
)
def test_the_reason_is_named(tmp_path: Path, tree: dict[str, str], said: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    error = nothing_to_search(root, LocalFileBackend(write(root, tree)).scan())
    assert said.format(root=root) in error.message


@pytest.mark.parametrize("folder", ["build", "build/deep/er"])
def test_a_folder_that_is_ignored_itself(tmp_path: Path, folder: str) -> None:
    root = write(tmp_path, {".gitignore": "# Made.\nbuild/\n", "build/deep/er/a.py": ""})
    git(root, "init", "-q")
    files = LocalFileBackend(root / folder)
    scan = files.scan()
    assert (scan.files, scan.notes) == ((), ())
    error = nothing_to_search(files.root, scan)
    assert "The folder itself is ignored, by the rule 'build/' in" in error.message
    assert ".gitignore:2" in error.message


def test_files_left_out_by_content_count(tmp_path: Path) -> None:
    scan = LocalFileBackend(write(tmp_path, {"a": "\0", "b.png": ""})).scan()
    assert "2 binary files" in nothing_to_search(tmp_path, scan, {"binary": 1}).message
