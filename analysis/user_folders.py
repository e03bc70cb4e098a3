"""The user's own folders on this machine, also for a program that runs for nobody in particular."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal


def user_folder(kind: Literal["config", "cache"]) -> Path:
    """Return the folder of this program's settings or of what can be made anew.

    Without a home, as in a container that runs for a user who is in no list, it is a place where
    nothing is and nothing can be.
    """
    import platformdirs

    folder = platformdirs.user_config_dir if kind == "config" else platformdirs.user_cache_dir
    try:
        return Path(folder("scope", appauthor=False))
    except RuntimeError:
        return Path(os.devnull, "scope")


def expanded(folder: str | Path) -> Path:
    """Return a folder that somebody named, with ``~`` for a home if there is one."""
    return Path(os.path.expanduser(folder))  # noqa: PTH111 (never fails)
