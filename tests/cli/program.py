"""Runs the real program in a process of its own, with a home of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.cli.main import main

_START = "import sys; from analysis.cli.main import main; sys.exit(main())"
COMMAND = (sys.executable, "-P", "-c", _START)
DEADLINE_S = 180

SHOP = {
    "README.md": "# Shop\n\nSells things.\n",
    "shop/__init__.py": "",
    "shop/auth.py": '''"""Logs people in."""

from shop.store import load_user


class Login:
    """One attempt to log in."""

    def authenticate(self, name, password):
        """Check the password of a user."""
        user = load_user(name)
        return user is not None and user.password == password
''',
    "shop/store.py": '''"""Keeps users."""

USERS = {}


def load_user(name):
    """Return the user of that name."""
    return USERS.get(name)
''',
}


@dataclass(frozen=True)
class Finished:
    """How a run of the program ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on stdout."""
        return json.loads(self.out)


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return an environment in which nothing of the user's is found or touched."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SCOPE_")}
    folders = {
        name: str(home / part)
        for name, part in {
            "HOME": "",
            "USERPROFILE": "",
            "XDG_CACHE_HOME": ".cache",
            "XDG_CONFIG_HOME": ".config",
            "XDG_DATA_HOME": ".local",
        }.items()
    }
    return {**kept, "COLUMNS": "200", **folders, **more}


def run(
    *args: str, cwd: Path, home: Path | None = None, prefix: tuple[str, ...] = (), **env: str
) -> Finished:
    """Run ``scope`` with these arguments; ``prefix`` is put before the program."""
    done = subprocess.run(
        [*prefix, *COMMAND, *args],
        cwd=cwd,
        env=environment(home or cwd.parent / "home", **env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=DEADLINE_S,
        check=False,
    )
    finished = Finished(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in finished.err, finished.err
    return finished


def call(*args: str, cwd: Path) -> Finished:
    """Run ``scope`` in this process, which is much faster; the home is that of the test."""
    out, err = _stream(), _stream()
    with contextlib.chdir(cwd), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(args)
    return Finished(code, _text(out), _text(err))


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def start(*args: str, cwd: Path, **env: str) -> subprocess.Popen[bytes]:
    """Start ``scope`` in a process group of its own, as a shell does."""
    return subprocess.Popen(
        [*COMMAND, *args],
        cwd=cwd,
        env=environment(cwd.parent / "home", **env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def interrupt(process: subprocess.Popen[bytes]) -> Finished:
    """Press Ctrl-C: the whole group gets the signal."""
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=DEADLINE_S)
    return Finished(process.returncode, out.decode(), err.decode())


def write_files(root: Path, files: dict[str, str]) -> Path:
    """Write files below a folder and return it; a name that ends with ``/`` is a folder."""
    for name, text in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root
