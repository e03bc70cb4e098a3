"""Asks git, in a way that no repository's configuration can turn into running a program.

A repository's own configuration may name programs (``core.fsmonitor`` runs on ``ls-files``), a
variable of the caller's environment may point git elsewhere, and a partial clone may fetch. So
git is started with a clean environment and with overrides for all of that. The user's own
``core.excludesFile`` is honoured: what the user told git to ignore stays unseen. Nor is git itself
ever a program that a repository put in the way.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from analysis.stopping import StopFlag
from analysis.user_folders import expanded
from analysis.workspace.process_watch import ProcessWatch

_TIMEOUT_S = 60.0
_POLL_S = 0.1  # how late a cancel may be noticed
_APPLES_STAND_IN = "/usr/bin/git"
_OVERRIDES = {
    "safe.bareRepository": "explicit",  # a folder that looks like a repository is just a folder
    "safe.directory": "*",  # a repository owned by another user may be read: nothing of it runs
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.untrackedCache": "false",
    "core.quotePath": "false",
    "core.sshCommand": "false",
    "core.askPass": "",
    "credential.helper": "",
    "protocol.allow": "never",
    "submodule.recurse": "false",
    "log.showSignature": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
}


# In a session of its own git has no terminal to ask at, and can be killed with its helpers; on
# Windows no console window pops up.
_APART: dict[str, Any] = (
    {"creationflags": 0x08000000} if os.name == "nt" else {"start_new_session": True}
)


class GitFailed(Exception):
    """Git is missing, refused, or took too long; the text is git's own reason."""


@dataclass(frozen=True, slots=True)
class GitOutput:
    """What git printed."""

    stdout: bytes
    stderr: str
    code: int


def run_git(
    args: Sequence[str],
    cwd: str | os.PathLike[str],
    *,
    config: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    timeout_s: float = _TIMEOUT_S,
    ok_codes: tuple[int, ...] = (0,),
    stop: StopFlag | None = None,
    may_wait: bool = False,
) -> GitOutput:
    """Run git in a folder with the neutral configuration and return what it printed.

    Args:
        args: Arguments after ``git``.
        cwd: The folder to run in.
        config: Configuration over the neutral one.
        env: Environment in place of the neutral one; with it only ``config`` is configured.
        timeout_s: After that time git is killed.
        ok_codes: Exit codes that are answers.
        stop: Polled; a set flag kills git and raises ``Cancelled``.
        may_wait: Git waits for a network; else it only reads, and is killed if it waits for
            something that is no file, or takes in more than memory should hold.

    Raises:
        Cancelled: The flag was set.
        GitFailed: Git is missing, failed, took too long or was led into a trap.
    """
    program = find_git(os.fspath(cwd))
    if program is None:
        raise GitFailed("git is not installed")
    settings = {**(_OVERRIDES if env is None else {}), **(config or {})}
    # As arguments, since git before 2.31 knows no variables for them. They win over all files.
    options = [part for item in settings.items() for part in ("-c", "=".join(item))]
    try:
        process = subprocess.Popen(
            [program, "--no-pager", *options, *args],
            cwd=cwd,
            env=neutral_environment() if env is None else env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **_APART,
        )
    except (OSError, ValueError) as error:
        raise GitFailed(f"git could not be started: {error}") from error
    with process:
        watch = None if may_wait else ProcessWatch(process.pid)
        stdout, errors = _finished(process, timeout_s, stop, watch)
    stderr = errors.decode("utf-8", "replace").strip()
    if process.returncode not in ok_codes:
        raise GitFailed(stderr or f"git ended with code {process.returncode}")
    return GitOutput(stdout, stderr, process.returncode)


def _finished(
    process: subprocess.Popen[bytes],
    timeout_s: float,
    stop: StopFlag | None,
    watch: ProcessWatch | None,
) -> tuple[bytes, bytes]:
    """Return what a process printed; whatever ends the wait also ends the process."""
    deadline = time.monotonic() + timeout_s
    try:
        while True:
            try:
                return process.communicate(timeout=_POLL_S)
            except subprocess.TimeoutExpired:
                if stop is not None:
                    stop.check()
                trouble = None if watch is None else watch.trouble()
                if trouble is not None:
                    raise GitFailed(f"git was stopped: {trouble}") from None
                if time.monotonic() > deadline:
                    raise GitFailed(f"git took longer than {timeout_s:g} seconds") from None
    except BaseException:
        _kill(process)
        raise


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and those that it started."""
    if os.name == "nt":
        process.kill()
        return
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)


def head_commit(root: str | os.PathLike[str]) -> str | None:
    """Return the commit that is checked out, or None."""
    return _one_line(["rev-parse", "--verify", "-q", "HEAD^{commit}"], root)


def remote_url(root: str | os.PathLike[str]) -> str | None:
    """Return the URL of the remote ``origin`` as it is configured, or None."""
    return _one_line(["config", "--get", "remote.origin.url"], root)


def user_excludes_file(folder: str) -> str | None:
    """Return ``core.excludesFile`` as git would see it in the folder; None if it is not set.

    A file that is not a regular one (a repository may name a pipe to make git wait for ever)
    counts as empty.
    """
    args = ["config", "--get", "--path", "core.excludesFile"]
    try:
        done = run_git(args, folder, env=clean_environment(), timeout_s=5.0, ok_codes=(0, 1))
    except GitFailed:
        return None
    name = os.fsdecode(done.stdout.rstrip(b"\n"))
    if not name:
        return None
    return name if Path(folder, name).is_file() else os.devnull


def config_files(folder: str) -> set[str]:
    """Return the files of settings that git reads in a folder, and the user's that may come."""
    home = expanded("~")
    own = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config", "git")
    files = {"/etc/gitconfig", *map(str, (home / ".gitconfig", own / "config", own / "ignore"))}
    args = ["config", "--list", "--show-origin", "--name-only", "-z"]
    try:
        told = run_git(args, folder, env=clean_environment(), timeout_s=5.0).stdout
    except GitFailed:
        return files
    origins = os.fsdecode(told).split("\0")[::2]
    return files | {str(Path(folder, origin.removeprefix("file:"))) for origin in origins if origin}


def _one_line(args: list[str], root: str | os.PathLike[str]) -> str | None:
    try:
        text = run_git(args, root).stdout.decode("utf-8", "replace").strip()
    except GitFailed:
        return None
    return text or None


def neutral_environment() -> dict[str, str]:
    """Return an environment in which git reads a repository and starts no other program."""
    return clean_environment() | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_LITERAL_PATHSPECS": "1",
    }


def clean_environment() -> dict[str, str]:
    """Return the environment without git's variables (a hook that calls us sets many).

    In it git speaks English and asks nobody for a password.
    """
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return env | {
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "SSH_ASKPASS_REQUIRE": "never",
    }


def find_git(folder: str) -> str | None:
    """Return the full path of git, or None if there is none that can be trusted.

    Windows also looks in the current folder, and a relative entry of ``PATH`` depends on it: a
    program from there, or from the folder that is to be read, is not git.

    Args:
        folder: The folder that is to be read.
    """
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    search = os.pathsep.join(entry for entry in entries if Path(entry).is_absolute())
    found = shutil.which("git", path=search) if search else None
    if found is None or not Path(found).is_absolute():
        return None
    program = Path(os.path.realpath(found))
    if program.is_relative_to(os.path.realpath(folder)) or program.parent == Path.cwd():
        return None
    if sys.platform == "darwin" and found == _APPLES_STAND_IN and not _has_developer_tools():
        return None
    return str(program)


@lru_cache(maxsize=1)
def _has_developer_tools() -> bool:
    """Return whether Apple's stand-in for git would run git, rather than offer to install it."""
    try:
        done = subprocess.run(
            ["/usr/bin/xcode-select", "-p"], capture_output=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
