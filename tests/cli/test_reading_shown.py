"""Whoever waits at a terminal for files to be read sees which and why, and may end it."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.cli.program import run
from tests.cli.terminal import terminal

N = 1100


@pytest.fixture
def large(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    for n in range(N):
        code, test = root / f"src/m{n}.py", root / f"tests/test_m{n}.py"
        for file in (code, test):
            file.parent.mkdir(parents=True, exist_ok=True)
        code.write_text(f"def pay_{n}():\n    return {n}\n")
        test.write_text(f"from src.m{n} import pay_{n}\n\n\ndef test():\n    pay_{n}()\n")
    return root


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("refs", "pay_7"), "what is asked for can be in any of them"),
        (("analyze", "-q", "Which tests pay?"), "the question is about tests"),
    ],
)
def test_the_rest_is_read_with_a_bar_and_a_reason(
    large: Path, command: tuple[str, ...], why: str
) -> None:
    with terminal(*command, cwd=large, COLUMNS="150", TERM="xterm") as screen:
        screen.until(f"Reading the code: the other {N:,} files, because {why}")
        code, out = screen.end()
    assert code == 0
    assert "tests/test_m" in out


def test_it_is_shown_that_files_are_read_for_what_has_moved_in_a_document(large: Path) -> None:
    answer = run("ask", "How does pay_7 work?", "--format", "json", cwd=large).json
    (large / "src/m7.py").rename(large / "src/moved.py")
    with terminal("verify", answer["document"], cwd=large, COLUMNS="150", TERM="xterm") as screen:
        screen.until("Reading the code")
        screen.until("/22")
        _, out = screen.end()
    assert "src/moved.py" in out


def test_what_was_read_until_ctrl_c_is_kept(large: Path) -> None:
    with terminal("refs", "pay_7", cwd=large, COLUMNS="150", TERM="xterm") as screen:
        screen.until("the other 1,100 files")
        screen.until(f"/{2 * N}")
        screen.process.send_signal(signal.SIGINT)
        _, out = screen.end()
    assert "there may be more: " in out
    assert "Complete" not in out
    done = run("index", "--status", "--format", "json", cwd=large)
    assert done.json["status"]["files"] >= N
