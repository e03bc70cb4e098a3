"""A machine that does not play along: the answer is given all the same, and what is wrong said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import COMMAND, DEADLINE_S, SHOP, environment, run, start, write_files
from tests.cli.test_bad_input import as_anybody

QUESTION = ("-q", "How does authentication work?")
ASK = ("ask", ".", *QUESTION, "--format", "json")

# Starts a program that cannot make any file grow, as on a full disk; pipes still work.
_FULL_DISK = (
    sys.executable,
    "-c",
    "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0));"
    " os.execv(sys.argv[1], sys.argv[1:])",
)


def index_file(repo: Path) -> Path:
    (path,) = (repo.parent / "home" / ".cache").rglob("*.sqlite")
    return path


def test_a_full_disk_loses_no_answer(repo: Path):
    done = run(*ASK, cwd=repo, prefix=_FULL_DISK)
    assert done.code == 2
    answer = done.json
    assert answer["document"] is None
    assert "shop/auth.py" in answer["markdown"]
    assert any("be written" in notice for notice in answer["notices"])
    assert [*repo.rglob("contexts/**/*.md"), *repo.rglob("*.tmp")] == []
    text = run("ask", ".", *QUESTION, cwd=repo, prefix=_FULL_DISK)
    assert text.code == 2
    assert "shop/auth.py" in text.out
    assert "be written" in text.err


def test_standard_output_on_a_full_disk(repo: Path):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "outline", "shop/auth.py"],
            cwd=repo,
            env=environment(repo.parent / "home"),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=DEADLINE_S,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.decode().startswith("scope: The result could not be written")
    assert b"Traceback" not in done.stderr


def test_an_output_folder_that_cannot_be_written(repo: Path, tmp_path: Path):
    (tmp_path / "file").write_text("not a folder", "utf-8")
    done = run(*ASK, "--output", str(tmp_path / "file"), cwd=repo)
    assert done.code == 2
    assert done.json["document"] is None
    assert "shop/auth.py" in done.json["markdown"]


def test_a_read_only_cache_is_replaced_by_memory(repo: Path):
    cache = repo.parent / "home" / ".cache"
    cache.mkdir(parents=True)
    cache.chmod(0o555)
    done = run(*ASK, cwd=repo, prefix=as_anybody())
    cache.chmod(0o755)
    assert done.code == 0
    assert any("memory" in notice for notice in done.json["notices"])
    assert "memory" in done.err


@pytest.mark.parametrize("damage", ["garbage", "truncated", "empty", "folder"])
def test_a_damaged_index_is_built_anew(repo: Path, damage: str):
    run("index", cwd=repo)
    path = index_file(repo)
    data = path.read_bytes()
    if damage == "folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes({"garbage": b"x" * 9999, "truncated": data[:5000], "empty": b""}[damage])
    done = run(*ASK, cwd=repo)
    assert done.code == 0
    assert "shop/auth.py" in [reference["path"] for reference in done.json["references"]]
    if damage in ("garbage", "truncated"):
        assert any("damaged" in notice for notice in done.json["notices"])


def test_two_processes_share_one_index(tmp_path: Path):
    root = tmp_path / "shared"
    write_files(root, {f"m{n}.py": f"def task_{n}():\n    return {n}\n" for n in range(600)})
    processes = [start("index", "--format", "json", cwd=root) for _ in range(2)]
    outputs = [process.communicate(timeout=DEADLINE_S) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs
    reports = [json.loads(out)["refresh"] for out, _ in outputs]
    assert all(report["complete"] for report in reports)
    assert sum(report["parsed"] for report in reports) == 600


def test_programs_named_by_a_repository_are_not_run(repo: Path):
    mark = repo.parent / "PWNED"
    script = repo.parent / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch '{mark}'\n", "utf-8")
    script.chmod(0o755)
    subprocess.run(["git", "init", "-q"], cwd=repo, check=True)
    with (repo / ".git/config").open("a", encoding="utf-8") as config:
        for section, name in (
            ("core", "fsmonitor"), ("core", "sshCommand"), ("core", "pager"), ("core", "editor"),
            ("core", "hooksPath"), ("diff", "external"), ("credential", "helper"),
            ("uploadpack", "packObjectsHook"), ('filter "x"', "clean"), ('filter "x"', "process"),
        ):  # fmt: skip
            config.write(f"[{section}]\n\t{name} = {script}\n")
    (repo / ".gitattributes").write_text("* filter=x diff=x\n", "utf-8")
    python = repo / ".venv/bin/python"
    write_files(repo, {".venv/bin/python": script.read_text("utf-8")})
    python.chmod(0o755)
    for args in (
        ASK,
        ("index",),
        ("tree",),
        ("refs", "load_user"),
        ("analyze", "--query", "login"),
    ):
        assert run(*args, cwd=repo).code == 0
    assert run("ask", repo.as_uri(), *QUESTION, cwd=repo.parent).code == 2  # it has no commit
    assert not mark.exists()


def test_a_repository_of_another_user(repo: Path):
    (repo / ".gitignore").write_text("ignored.py\n", "utf-8")
    (repo / "ignored.py").write_text("def authenticate(): pass\n", "utf-8")
    subprocess.run(["git", "init", "-q"], cwd=repo, check=True)
    if os.geteuid() == 0:
        for path in [repo, *repo.rglob("*")]:
            os.lchown(path, 65534, 65534)
    done = run(*ASK, cwd=repo)
    assert done.code == 0
    assert "ignored.py" not in [reference["path"] for reference in done.json["references"]]
    assert "shop/auth.py" in [reference["path"] for reference in done.json["references"]]


def test_a_url_that_cannot_be_cloned(tmp_path: Path):
    work = tmp_path / "work"
    write_files(work, SHOP)
    for url in ((tmp_path / "nowhere").as_uri(), "http://127.0.0.1:9/owner/repo"):
        done = run("ask", url, *QUESTION, "--format", "json", cwd=work)
        assert done.code == 2
        assert done.json["error"]["kind"] == "repository_unavailable"
        assert url in done.json["error"]["message"]
    assert not (work / "contexts").exists()
