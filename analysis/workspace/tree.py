"""The searchable files as a tree, cut level by level when it would be too long."""

from __future__ import annotations

from analysis.file_tree import FileTree, TreeEntry
from analysis.workspace.scan import Scan, ScannedFile

_DEEPEST = 100  # levels; a tree is nested data, and whoever prints it may recurse


def tree_of(scan: Scan, folder: str, max_entries: int) -> FileTree:
    """Return the tree of the scanned files below a folder; of a file, just that file.

    When there are more than ``max_entries`` entries, whole upper levels are kept first; what lies
    too deep for anybody to look at is left out as well.
    """
    prefix = f"{folder}/" if folder else ""
    inside = [file for file in scan.files if is_below(file.path, folder)]
    skipped: dict[str, int] = {
        reason: count
        for reason, paths in scan.skipped.items()
        if (count := sum(path.startswith(prefix) for path in paths))
    }
    kept, truncated = _kept(inside, len(prefix), max_entries)
    return FileTree(folder, _entries(kept, prefix), len(inside), skipped, truncated)


def is_below(path: str, folder: str) -> bool:
    """Return whether a path is a folder, or lies in it; "" is the root."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def _kept(
    files: list[ScannedFile], start: int, max_entries: int
) -> tuple[dict[str, int | None], bool]:
    """Return the paths to show, files with their size and folders with None."""
    entries: dict[str, int | None] = {}
    too_deep = False
    for file in files:
        if file.path.count("/", start) >= _DEEPEST:
            too_deep = True
            continue
        slash = file.path.find("/", start)
        while slash != -1:
            entries[file.path[:slash]] = None
            slash = file.path.find("/", slash + 1)
        entries[file.path] = file.size
    if len(entries) <= max_entries:
        return entries, too_deep
    order = sorted(entries, key=lambda path: (path.count("/"), path))[:max_entries]
    return {path: entries[path] for path in order}, True


def _entries(kept: dict[str, int | None], prefix: str) -> tuple[TreeEntry, ...]:
    """Return nested entries, folders before files; children are built before their folder."""
    children: dict[str, list[TreeEntry]] = {}
    for path in sorted(kept, key=lambda path: -path.count("/")):
        parent = path.rpartition("/")[0]
        size = kept[path]
        below = tuple(sorted(children.pop(path, []), key=_order))
        entry = TreeEntry(path, size is None, size or 0, below)
        children.setdefault(parent, []).append(entry)
    top = prefix.rstrip("/")
    if len(kept) == 1 and top in kept:
        return tuple(children[top.rpartition("/")[0]])
    return tuple(sorted(children.get(top, []), key=_order))


def _order(entry: TreeEntry) -> tuple[bool, str]:
    return (not entry.is_dir, entry.path)
