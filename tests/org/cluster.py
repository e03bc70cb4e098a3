"""A real PostgreSQL of the tests' own, in a temporary folder, reached by a socket there."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

_SETTINGS = (
    "-c listen_addresses='' -c unix_socket_directories='{folder}' -c max_connections=40"
    " -c shared_buffers=64MB -c synchronous_commit=off -c full_page_writes=off"
)


class Cluster:
    """A running server; everybody on this machine may log in as anybody."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="scope-pg-"))
        self.folder.chmod(0o755)
        data = self.folder / "data"
        data.mkdir()
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
            shutil.chown(data, "postgres")
        self._run("initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync")
        self.start()

    def start(self) -> None:
        options = _SETTINGS.format(folder=self.folder)
        log = self.folder / "log"
        self._run("pg_ctl", "-D", self.folder / "data", "-o", options, "-l", log, "-w", "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "-w", "stop")

    def kill(self) -> None:
        """Kill the server as a loss of power would."""
        os.kill(self.pid, signal.SIGKILL)

    @property
    def pid(self) -> int:
        """The first process of the server."""
        return int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def address(self, database: str = "postgres", user: str = "postgres") -> str:
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def _run(self, program: str, *args: object) -> None:
        command = [str(_program(program)), *map(str, args)]
        if os.getuid() == 0:
            command = [
                "setpriv",
                "--reuid=postgres",
                "--regid=postgres",
                "--clear-groups",
                *command,
            ]
        done = subprocess.run(
            command, cwd="/", capture_output=program != "pg_ctl", text=True, check=False,
            stdout=None if program != "pg_ctl" else subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, f"{program} failed: {done.stderr}"


def _program(name: str) -> Path:
    """The newest installed program; without one the tests fail rather than be skipped."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    if found:
        return found[-1]
    on_path = shutil.which(name)
    assert on_path, f"There is no {name} for {getpass.getuser()}: apt install postgresql"
    return Path(on_path)
