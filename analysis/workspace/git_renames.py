"""Which files git saw renamed: in its history, and in what is about to be committed."""

from __future__ import annotations

import os
from collections.abc import Mapping

from analysis.stopping import StopFlag
from analysis.workspace.git import GitFailed, run_git

# What was renamed before so many commits is found by its content, or not at all.
_MOST_COMMITS = 2000
_TIMEOUT_S = 10.0
# Only names are asked for, and nothing of the working tree is read: no filter and no other
# program that the repository's configuration names has anything to do.
_ASKED = ("-M", "--diff-filter=R", "--name-status", "-z", "--no-ext-diff", "--no-textconv")


def git_renames(
    root: str | os.PathLike[str], stop: StopFlag | None = None
) -> Mapping[str, tuple[str, ...]]:
    """Return what each renamed file of a folder was called later, oldest first; {} without git.

    Paths are relative to the folder; renames into it and out of it are left out.
    """
    log = ["log", f"-n{_MOST_COMMITS}", "--format=", "--relative", *_ASKED]
    staged = ["diff", "--cached", "--relative", *_ASKED, "HEAD"]
    later: dict[str, list[str]] = {}
    try:
        history = run_git(log, root, timeout_s=_TIMEOUT_S, stop=stop).stdout
        pending = run_git(staged, root, timeout_s=_TIMEOUT_S, stop=stop).stdout
    except GitFailed:
        return {}
    for old, new in [*reversed(_pairs(history)), *_pairs(pending)]:
        later.setdefault(old, []).append(new)
    return {old: tuple(names) for old, names in later.items()}


def current_name(
    path: str, renames: Mapping[str, tuple[str, ...]], exists: frozenset[str]
) -> str | None:
    """Return the file that a renamed one is today; None if it is not there, or not one file.

    Args:
        path: A file that is gone.
        renames: From ``git_renames``.
        exists: The files that there are.
    """
    seen = {path}
    while path in renames:
        path = renames[path][-1]
        if path in exists:
            return path
        if path in seen:
            return None
        seen.add(path)
    return None


def _pairs(output: bytes) -> list[tuple[str, str]]:
    """Return old and new name of each rename, as git lists them."""
    words = [os.fsdecode(word).strip("\n") for word in output.split(b"\0")]
    words = [word for word in words if word]
    return [
        (words[i + 1], words[i + 2])
        for i in range(len(words) - 2)
        if words[i][:1] == "R" and words[i][1:].isdigit()
    ]
