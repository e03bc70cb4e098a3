"""Finds git, and never one that a repository put in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

_APPLES_STAND_IN = "/usr/bin/git"


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
