"""Says which rule is to blame when no file is left to search."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from analysis.errors import NothingToSearch
from analysis.workspace.git_listing import in_work_tree, why_git_ignores
from analysis.workspace.ignore_files import SCOPEIGNORE, IgnoreRules
from analysis.workspace.scan import Scan
from analysis.workspace.walk import folders_above, git_rules

_WORDS = {
    "binary": "binary files",
    "generated": "files that say they are generated, or lock files",
    "minified": "minified files",
    "too_large": "files above the size limit",
    "outside_root": "links that lead outside the folder",
    "unreadable": "files that cannot be read",
    "duplicate_link": "links",
    "own_document": "documents written by Scope",
    "linked_worktree": "other checkouts of the same repository",
    "ignored": "ignored",
}
_HINTS = {
    "too_large": "Raise the setting 'workspace.maxFileKb' to search larger files.",
    "outside_root": "Open the folder that the links lead to.",
    "unreadable": "Check the permissions of the files.",
}


def nothing_to_search(
    root: Path, scan: Scan, by_content: Mapping[str, int] | None = None
) -> NothingToSearch:
    """Return the error that says why no file is left, ready to be raised.

    Args:
        root: Real path of the code base.
        scan: Its scan.
        by_content: How many of the scanned files were left out when they were read, by reason.
    """
    counts = dict(scan.counts)
    for reason, count in (by_content or {}).items():
        counts[reason] = counts.get(reason, 0) + count
    counts = {reason: count for reason, count in counts.items() if count}
    if not counts:
        return _no_files(root)
    if "ignored" in counts:
        blamed = _blame(str(root), scan.skipped.get("ignored", ()))
        if blamed:
            return blamed
    reason = max(counts, key=lambda name: counts[name])
    listed = ", ".join(f"{count} {_WORDS.get(name, name)}" for name, count in counts.items())
    return NothingToSearch(
        f"Nothing is left to search in {str(root)!r}: {listed}.", _HINTS.get(reason, "")
    )


def _no_files(root: Path) -> NothingToSearch:
    """Return the error for a folder in which not even a file was left out."""
    own = _rule_of_git(str(root), ".")
    if own:
        return _ignored(root, "The folder itself is ignored", *own)
    return NothingToSearch(
        f"There is no file to search in {str(root)!r}.", "Give a folder with source code."
    )


def _blame(root: str, ignored: tuple[str, ...]) -> NothingToSearch | None:
    """Return the error that names the rule by which the first ignored path is ignored."""
    if not ignored:
        return None
    first, count = ignored[0], len(ignored)
    what = "The folder itself is" if first == "./" else f"{count} files or folders are"
    own = IgnoreRules(root, SCOPEIGNORE, folders_above(root)).why(first)
    if own is not None:
        return _ignored(Path(root), f"{what} ignored", f"{own[0]}:{own[1].line}", own[1].text)
    found = _rule_of_git(root, first)
    return _ignored(Path(root), f"{what} ignored", *found) if found else None


def _rule_of_git(root: str, path: str) -> tuple[str, str] | None:
    """Return place and text of the rule of a ``.gitignore`` that a path is ignored by."""
    if in_work_tree(root):
        found = why_git_ignores(root, path)
        if found:
            return found
    plain = git_rules(root).why("" if path in (".", "./") else path)
    return (f"{plain[0]}:{plain[1].line}", plain[1].text) if plain else None


def _ignored(root: Path, what: str, place: str, rule: str) -> NothingToSearch:
    return NothingToSearch(
        f"Nothing is left to search in {str(root)!r}: {what}, by the rule {rule!r} in {place}.",
        "Change the rule, or list what to search in the setting 'workspace.includeIgnored'.",
    )
