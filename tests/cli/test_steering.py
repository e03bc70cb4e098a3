"""What a code base holds cannot steer the terminal, in whatever form it is shown."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import COMMAND, DEADLINE_S, environment, write_files

STEERING = "\x1b]52;c;aGk=\x07 \x9b2J \x85 \x7f \u061c \u200f \u202e \u2067"
HOSTILE = {"steer.py": f'def steer():\n    """Does {STEERING} it."""\n    return 1\n'}
_HARMFUL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
# What rich itself writes: colours, links, and the cursor of its progress line.
_OWN = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\]8;[^\x1b]*\x1b\\")


def screen_of(*args: str, cwd: Path) -> str:
    """Run the program with its output at a terminal, and return what it wrote there."""
    screen, inside = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *args], cwd=cwd, env=environment(cwd.parent / "home", TERM="xterm"),
        stdin=subprocess.DEVNULL, stdout=inside, stderr=inside,
    )  # fmt: skip
    os.close(inside)
    pieces = []
    while True:
        try:
            piece = os.read(screen, 65_536)
        except OSError:  # Linux says so when the other side is closed.
            break
        if not piece:
            break
        pieces.append(piece)
    process.wait(DEADLINE_S)
    os.close(screen)
    return b"".join(pieces).decode()


@pytest.mark.parametrize(
    "command",
    [
        ("outline", "steer.py"),
        ("outline", "steer.py", "--format", "json"),
        ("symbol", "steer.py", "steer"),
        ("symbol", "steer.py", "steer", "--format", "json"),
        ("analyze", "-q", "steer", "--include-code"),
        ("analyze", "-q", "steer", "--include-code", "--format", "json"),
        ("analyze", "-q", "steer", "--include-code", "--format", "toon"),
        ("ask", "-q", "How does steer work?"),
        ("ask", "-q", "How does steer work?", "--format", "json"),
        ("outline", f"{STEERING}.py"),
        ("outline", f"{STEERING}.py", "--format", "json"),
    ],
)
def test_nothing_steers_the_terminal(tmp_path: Path, command: tuple[str, ...]):
    root = write_files(tmp_path / "root", HOSTILE)
    shown = screen_of(*command, cwd=root)
    assert "steer" in shown or "There is no" in shown
    assert not _HARMFUL.search(_OWN.sub("", shown).replace("\r", ""))


def test_json_at_a_terminal_holds_the_same_data(tmp_path: Path):
    root = write_files(tmp_path / "root", HOSTILE)
    shown = json.loads(screen_of("outline", "steer.py", "--format", "json", cwd=root))
    piped = subprocess.run(
        [*COMMAND, "outline", "steer.py", "--format", "json"],
        cwd=root, env=environment(tmp_path / "home"), capture_output=True, check=True,
    )  # fmt: skip
    assert shown == json.loads(piped.stdout)
    assert "\u202e" in json.dumps(shown, ensure_ascii=False)
