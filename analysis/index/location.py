"""Where the index of a code base lies."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from analysis.settings import IndexSettings
from analysis.user_folders import expanded, user_folder

_MAX_PREFIX = 40
"""Long enough to recognise the folder, short enough for every file system."""


def database_path(identity: str, settings: IndexSettings) -> Path:
    """Return the index file of a code base; it need not exist.

    Args:
        identity: ``LocalFileBackend.identity``.
        settings: Where index files are kept.
    """
    name = identity
    prefix = re.sub(r"[^\w.-]+", "_", Path(name).name)[:_MAX_PREFIX] or "root"
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return cache_folder(settings) / f"{prefix}-{digest}.sqlite"


def cache_folder(settings: IndexSettings) -> Path:
    """Return the folder of all index files."""
    if settings.cache_dir:
        return expanded(settings.cache_dir)
    return user_folder("cache") / "index"
