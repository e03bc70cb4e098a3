"""Finds the documents of Scope below a folder, by their front matter, whatever they are called."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from analysis.documents.parse import is_document
from analysis.workspace.safe_open import read_unlinked

_SUFFIXES = (".md", ".markdown")
# Nobody keeps documents there, and there can be very many files.
_LEFT_OUT = frozenset({".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__"})
# Front matter is at the top, and short.
_HEAD_BYTES = 65_536


def documents_below(folder: Path) -> Iterator[Path]:
    """Yield the documents in a folder and its subfolders, in order; links are not followed."""
    for current, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
        for name in sorted(names):
            path = Path(current, name)
            if name.lower().endswith(_SUFFIXES) and _has_front_matter(path):
                yield path


def _has_front_matter(path: Path) -> bool:
    try:
        # Looked at before it is opened: to open some devices does something.
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        head = read_unlinked(str(path), _HEAD_BYTES)
    except (OSError, ValueError):
        return False
    return is_document(head.decode("utf-8", "replace"))
