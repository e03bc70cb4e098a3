"""What a listing of folders holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A file or folder in a tree listing."""

    path: str
    is_dir: bool
    size: int
    """Bytes; 0 for a folder."""
    children: tuple[TreeEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class FileTree:
    """The searchable files below a folder."""

    root: str
    entries: tuple[TreeEntry, ...]
    file_count: int
    skipped: Mapping[str, int]
    """How many files were left out, by reason."""
    truncated: bool = False
    """True if entries were left out to keep the listing short."""
