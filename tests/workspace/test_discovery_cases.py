"""Cases from users' reports about tools of this kind: which files are found, and which are not."""

from __future__ import annotations

import base64
import json
import os
import time
from pathlib import Path

import pytest

from analysis.errors import NothingToSearch, PathOutsideRoot
from analysis.workspace.empty import nothing_to_search
from analysis.workspace.files import LocalFileBackend
from tests.workspace.repositories import git, git_names, write


@pytest.fixture(params=["repository", "plain folder"])
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    if request.param == "repository":
        git(folder, "init", "-q")
    return folder


def found(root: Path, suffix: str = ".py") -> list[str]:
    scan = LocalFileBackend(root).scan()
    return [file.path for file in scan.files if file.path.endswith(suffix)]


def test_c01_a_nested_ignore_file(root: Path) -> None:
    write(root, {".gitignore": "dist/\n", "web/.gitignore": ".output\n", "dist/b.py": ""})
    write(root, {"web/.output/a.py": "", "web/src/a.py": ""})
    assert found(root) == ["web/src/a.py"]
    if (root / ".git").exists():
        assert found(root, "") == git_names(root, "ls-files", "-zco", "--exclude-standard")


def test_c03_negation(root: Path) -> None:
    write(
        root, {".gitignore": "plugins/*\n!plugins/app\n**/vendor/\n", "a/.gitignore": "!vendor\n"}
    )
    write(root, {"plugins/app/x/a.py": "", "plugins/other/a.py": "", "a/vendor/f.py": ""})
    write(root, {"b/vendor/f.py": ""})
    assert found(root) == ["a/vendor/f.py", "plugins/app/x/a.py"]


def test_c04_ignore_files_of_other_tools_have_no_say(root: Path) -> None:
    write(root, {name: "*\n" for name in (".dockerignore", ".npmignore", ".ignore", ".hgignore")})
    write(root, {f"m{number}.py": "" for number in range(10)})
    assert len(found(root)) == 10


def test_c04_what_left_nothing_is_named(root: Path) -> None:
    write(root, {".scopeignore": "# All of it.\n*\n", "a.py": "", "b/c.py": ""})
    error = nothing_to_search(root, LocalFileBackend(root).scan())
    assert isinstance(error, NothingToSearch)
    assert f"by the rule '*' in {root / '.scopeignore'}:2" in error.message


def test_c06_link_loops_end_and_every_file_is_there_once(root: Path) -> None:
    write(root, {"py/lib/a.py": "", "py/root/b.py": ""})
    (root / "py/lib/root").symlink_to("../root")
    (root / "py/root/lib").symlink_to("../lib")
    (root / "self").symlink_to(".")
    (root / "again.py").symlink_to("py/lib/a.py")
    (root / "round").symlink_to("round")
    started = time.monotonic()
    scan = LocalFileBackend(root).scan()
    assert [file.path for file in scan.files] == ["py/lib/a.py", "py/root/b.py"]
    assert scan.counts["duplicate_link"] == 5
    assert time.monotonic() - started < 20


def test_c07_a_link_out_of_the_root_is_never_read(root: Path) -> None:
    (root.parent / "secret.env").write_text("TOKEN=abc123")
    (root / "evil.py").symlink_to("../secret.env")
    (root / "folder").symlink_to("..")
    files = LocalFileBackend(root)
    assert dict(files.scan().skipped) == {"outside_root": ("evil.py", "folder")}
    for path in ("evil.py", "folder/secret.env", "folder/root/../secret.env"):
        with pytest.raises(PathOutsideRoot):
            files.read(path)
        loaded = files.load(path)
        assert (loaded.source, loaded.skip) == (None, "outside_root")


def test_c09_encodings(root: Path) -> None:
    write(
        root,
        {
            "latin.py": b"# -*- coding: latin-1 -*-\nname = '\xe9'\n",
            "bom.py": b"\xef\xbb\xbfx = 1\r\ny = '\xc3\xa9'\r\n",
            "wide.py": "x = 1\ny = 'é'\n".encode("utf-16"),
            "stray.py": b"x = 1\ny = '\x93'\n",
        },
    )
    Path(os.fsdecode(os.fsencode(root) + b"/bad\xff.py")).write_bytes(b"x = 1\n")
    files = LocalFileBackend(root)
    scan = files.scan()
    second = {
        file.path: source.text.split("\n")[1]
        for file in scan.files
        if (source := files.load(file.path).source) is not None
    }
    assert second == {
        "latin.py": "name = 'é'",
        "bom.py": "y = 'é'",
        "wide.py": "y = 'é'",
        "stray.py": "y = '\ufffd'",
    }
    assert files.read("stray.py").notes == (
        "Some bytes are not valid utf-8 and show as replacement characters.",
    )
    assert dict(scan.skipped) == {"unreadable": ("bad\\xff.py",)}


def test_c13_a_notebook_is_its_cells(root: Path) -> None:
    image = base64.b64encode(os.urandom(400_000)).decode()
    output = {"output_type": "display_data", "data": {"image/png": image}, "metadata": {}}
    cells = [
        {"cell_type": "code", "source": ["import os\n", "a = 1"], "outputs": [output]},
        {"cell_type": "markdown", "source": "# Title\n\nText"},
        {"cell_type": "code", "source": ["def f():\n", "    return a\n"], "outputs": []},
    ]
    write(root, {"n.ipynb": json.dumps({"cells": cells, "nbformat": 4, "metadata": {}})})
    files = LocalFileBackend(root)
    assert [file.path for file in files.scan().files] == ["n.ipynb"]
    loaded = files.load("n.ipynb")
    assert loaded.source is not None
    assert loaded.source.text == (
        "# %%\nimport os\na = 1\n"
        "# %% [markdown]\n# # Title\n#\n# Text\n"
        "# %%\ndef f():\n    return a\n"
    )
    assert [(cell.number, cell.line_start, cell.line_end) for cell in loaded.source.cells] == [
        (1, 2, 3),
        (2, 5, 7),
        (3, 9, 10),
    ]
    assert len(files.read_file("n.ipynb")) < 200
