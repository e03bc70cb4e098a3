"""A disk that is full at any write: the answer comes, and what was there stays."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest

from tests.cli.program import SHOP, run, write_files

ASK = ("ask", ".", "-q", "How does authentication work?", "--format", "json")
_LIMITED = (
    "import os, resource, sys; n = int(sys.argv[1]);"
    " resource.setrlimit(resource.RLIMIT_FSIZE, (n, n)); os.execv(sys.argv[2], sys.argv[2:])"
)


@pytest.mark.parametrize("size", [512, 3_000, 20_000, 90_000, 400_000])
def test_a_disk_that_is_full_after_so_many_bytes(tmp_path: Path, size: int):
    root = write_files(tmp_path / "shop-repo", SHOP)
    before = run(*ASK, cwd=root)
    assert before.code == 0, before.err
    documents = {path: path.read_bytes() for path in root.rglob("contexts/**/*.md")}
    (root / "shop" / "more.py").write_text(
        "from shop.auth import Login\n\nLogin()\n" * 400, "utf-8"
    )
    done = run(*ASK, cwd=root, prefix=(sys.executable, "-c", _LIMITED, str(size)))
    assert done.code in (0, 2), done.err
    assert "shop/auth.py" in json.loads(done.out)["markdown"]
    assert {path: path.read_bytes() for path in documents} == documents
    after = run(*ASK, cwd=root)
    assert after.code == 0, after.err
    assert "shop/auth.py" in after.json["markdown"]


def test_permissions_that_change_at_any_moment(tmp_path: Path):
    root = write_files(tmp_path / "shop-repo", SHOP)
    home, choice = tmp_path / "home", random.Random(5)
    assert run(*ASK, cwd=root, home=home).code == 0
    for _ in range(4):
        folders = [root, *(path for path in (*home.rglob("*"), *root.rglob("*")) if path.is_dir())]
        closed = choice.sample(folders, 2)
        for folder in closed:
            folder.chmod(0o555)
        done = run(*ASK, cwd=root, home=home)
        for folder in closed:
            folder.chmod(0o755)
        assert done.code in (0, 2), done.err
        assert "shop/auth.py" in json.loads(done.out)["markdown"]
    assert run(*ASK, cwd=root, home=home).code == 0
