"""Asks git, in a way that no repository's configuration can turn into running a program.

A repository's own configuration may name programs (``core.fsmonitor`` runs on ``ls-files``), a
variable of the caller's environment may point git elsewhere, and a partial clone may fetch. So
git is started with a clean environment and with overrides for all of that. The user's own
``core.excludesFile`` is honoured: what the user told git to ignore stays unseen.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_TIMEOUT_S = 60.0
_OVERRIDES = {
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
) -> GitOutput:
    """Run git in a folder with the neutral configuration and return what it printed.

    Args:
        args: Arguments after ``git``.
        cwd: The folder to run in.
        config: Further configuration, over the neutral one.
        env: Further environment variables.
        timeout_s: After that time git is killed.
        ok_codes: Exit codes that are answers.

    Raises:
        GitFailed: Git is missing, failed or took too long.
    """
    command = [git_program(os.fspath(cwd)), "--no-pager", *args]
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=_environment(config or {}, env or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GitFailed(f"git took longer than {timeout_s:g} seconds") from error
    except (OSError, ValueError) as error:
        raise GitFailed(f"git could not be started: {error}") from error
    stderr = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode not in ok_codes:
        raise GitFailed(stderr or f"git ended with code {done.returncode}")
    return GitOutput(done.stdout, stderr, done.returncode)


def git_program(folder: str) -> str:
    """Return the full path of git, never one that lies in the folder to be read.

    Raises:
        GitFailed: There is no git.
    """
    program = shutil.which("git")
    if program is None:
        raise GitFailed("git is not installed")
    program = os.path.realpath(program)
    if Path(program).is_relative_to(os.path.realpath(folder)):
        raise GitFailed("the only git that was found lies inside the code base")
    return program


def head_commit(root: str | os.PathLike[str]) -> str | None:
    """Return the commit that is checked out, or None."""
    return _one_line(["rev-parse", "--verify", "-q", "HEAD^{commit}"], root)


def remote_url(root: str | os.PathLike[str]) -> str | None:
    """Return the URL of the remote ``origin`` as it is configured, or None."""
    return _one_line(["config", "--get", "remote.origin.url"], root)


@lru_cache(maxsize=64)
def user_excludes_file(folder: str) -> str | None:
    """Return ``core.excludesFile`` as git would see it in the folder; None if it is not set.

    A file that is not a regular one (a repository may name a pipe to make git wait for ever)
    counts as empty.
    """
    try:
        done = subprocess.run(
            [git_program(folder), "config", "--get", "--path", "core.excludesFile"],
            cwd=folder,
            env=_clean_environment() | {"GIT_TERMINAL_PROMPT": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError, GitFailed):
        return None
    name = os.fsdecode(done.stdout.rstrip(b"\n"))
    if done.returncode != 0 or not name:
        return None
    return name if Path(folder, name).is_file() else os.devnull


def _one_line(args: list[str], root: str | os.PathLike[str]) -> str | None:
    try:
        text = run_git(args, root).stdout.decode("utf-8", "replace").strip()
    except GitFailed:
        return None
    return text or None


def _clean_environment() -> dict[str, str]:
    """Return the environment without git's variables: a hook that calls us sets many."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def _environment(config: Mapping[str, str], extra: Mapping[str, str]) -> dict[str, str]:
    env = _clean_environment()
    env |= {
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_PAGER": "cat",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
    }
    env |= extra
    settings = {**_OVERRIDES, **config}
    env["GIT_CONFIG_COUNT"] = str(len(settings))
    for number, (key, value) in enumerate(settings.items()):
        env[f"GIT_CONFIG_KEY_{number}"] = key
        env[f"GIT_CONFIG_VALUE_{number}"] = value
    return env
