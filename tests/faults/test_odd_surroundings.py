"""Surroundings in which programs are rarely run: an answer or a sentence, never a traceback."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import COMMAND, environment, write_files
from tests.faults.odd_surroundings import ROOTS, SURROUNDINGS, Ground, judged
from tests.index.code_base import CodeBase

IN_A_SENTENCE = {
    ("60 MB of address space", "ask"): "not enough memory: it is limited to 61 MB",
    ("60 MB of address space", "mcp"): "not enough memory",
    ("60 MB of address space", "lsp"): "not enough memory",
    ("6 open files", "ask"): "Too many files are open",
    ("a deleted folder", "ask"): "The current folder does not exist any more",
    ("standard output closed", "ask"): "could not be written to standard output",
    ("standard output closed", "mcp"): "Standard output cannot be written",
    ("standard output closed", "lsp"): "Standard output cannot be written",
}
IN_AN_ANSWER = [
    ("300 MB of address space", "ask"),
    ("400 MB of address space", "mcp"),
    ("20 open files", "ask"),
    ("20 open files", "mcp"),
    ("no home, and no such user", "mcp"),
    ("standard error closed", "ask"),
    ("standard input closed", "ask"),
    ("POSIX without UTF-8", "ask"),
    ("without documentation", "ask"),
    ("no PATH", "ask"),
]


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return Ground.made(tmp_path_factory.mktemp("surroundings") / "ground")


def ended(ground: Ground, surrounding: str, command: str) -> tuple[int | None, str, str]:
    prefix = ("/bin/sh", "-c", SURROUNDINGS[surrounding], "sh")
    done = ground.run(prefix, command, ground.root)
    assert list(judged(surrounding, command, *done)) == []
    return done


@pytest.mark.parametrize(("surrounding", "command"), IN_A_SENTENCE)
def test_what_is_lacking_is_told_in_a_sentence(ground: Ground, surrounding: str, command: str):
    code, _, err = ended(ground, surrounding, command)
    assert code == 2
    assert IN_A_SENTENCE[surrounding, command] in err


@pytest.mark.parametrize(("surrounding", "command"), IN_AN_ANSWER)
def test_an_answer_comes_all_the_same(ground: Ground, surrounding: str, command: str):
    code, out, err = ended(ground, surrounding, command)
    assert code == 0, err
    assert "shop/auth.py" in out


@pytest.mark.parametrize("command", ["ask", "mcp", "lsp"])
def test_a_reader_that_leaves_is_no_error(ground: Ground, command: str):
    assert ended(ground, "a reader that leaves after a line", command)[0] == 0


def test_an_answer_without_standard_output_and_error_is_written_and_nothing_into_its_files(
    ground: Ground,
):
    before = set(ground.root.rglob("contexts/**/*.md"))
    code, _, _ = ended(ground, "output and error closed", "ask")
    assert code == 2
    (document,) = set(ground.root.rglob("contexts/**/*.md")) - before
    assert document.read_text("utf-8").startswith("---\nsource_repo:")
    assert ended(ground, "usual", "verify")[0] == 0


@pytest.mark.parametrize("name", ROOTS)
def test_a_folder_of_any_name_is_asked_about(tmp_path: Path, name: str):
    ground = Ground(tmp_path)
    ground.home.mkdir()
    try:
        root = write_files(
            tmp_path / "r" / name, {"shop/auth.py": "def authenticate():\n    pass\n"}
        )
    except OSError:
        assert len(name) > 254, "this system takes fewer names"
        return
    code, out, err = ground.run((), "ask json", root, cwd=root)
    assert list(judged(name, "ask json", code, out, err)) == []
    assert code == 0, err
    assert "shop/auth.py" in json.loads(out)["markdown"]


def test_little_memory_takes_no_index_for_damaged_and_forgets_no_file(tmp_path: Path):
    body = "\n".join(f"def part_{i}(wombat):\n    return wombat + {i}\n" for i in range(40))
    base = CodeBase(tmp_path, {f"m{i}.py": f"name_{i} = 'kiwi'\n{body}" for i in range(80)})
    home = tmp_path / "home"

    def files(script: str = 'exec "$@"', *more: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["/bin/sh", "-c", script, "sh", *COMMAND, *more],
            cwd=base.root, env=environment(home), capture_output=True, timeout=180, check=False,
        )  # fmt: skip

    first = files('exec "$@"', "index", "--format", "json")
    (index,) = (home / ".cache/scope/index").glob("*.sqlite")
    kept = index.stat().st_ino
    for mb in range(60, 240, 20):
        done = files(f'ulimit -v {mb}000; exec "$@"', "analyze", "-q", "wombat part kiwi")
        assert done.returncode in (0, 2), done.stderr
        assert b"damaged" not in done.stderr
        assert index.stat().st_ino == kept
    last = files('exec "$@"', "index", "--format", "json")
    assert json.loads(last.stdout)["status"] == json.loads(first.stdout)["status"]
