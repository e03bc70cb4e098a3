"""Which files a search may find: language, path patterns, and files named in the question."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from glob import escape
from typing import TYPE_CHECKING

from analysis.parsing.languages import language_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.tables import FileTable

# Stands in no path.
_BETWEEN = "\0"
# Asking for one of these asks for its dialects too.
_DIALECTS = {"typescript": ("tsx",), "javascript": ("jsx",), "c": ("cpp",), "shell": ("bats",)}


def allowed_files(
    files: FileTable, language: str | None, globs: Sequence[str]
) -> NDArray[np.bool_] | None:
    """Return by file index whether a file may be found; None if all may.

    Args:
        files: The files of the index.
        language: Name (``python``) or file ending (``py``) of a language.
        globs: Path patterns, any of which must match; one that begins with ``!`` must not. A part
            of a pattern that is the name of a file or folder, such as ``[id]``, means just that.
    """
    import numpy as np

    if not language and not globs:
        return None
    allowed = np.ones(len(files), bool)
    if language:
        wanted = _languages(language)
        allowed &= np.fromiter((known in wanted for known in files.languages), bool, len(files))
    included = [_pattern(glob, files) for glob in globs if not glob.startswith("!")]
    excluded = [_pattern(glob[1:], files) for glob in globs if glob.startswith("!")]
    if included:
        allowed &= np.fromiter((_any(included, path) for path in files.paths), bool, len(files))
    if excluded:
        allowed &= np.fromiter((not _any(excluded, path) for path in files.paths), bool, len(files))
    return allowed


def files_named(files: FileTable, names: Iterable[str]) -> list[int]:
    """Return the files that paths or file names mean, in the order of the names.

    A full path means one file; otherwise its end does, letter case aside if need be; a folder
    means nothing here.
    """
    found: dict[int, None] = {}
    for name in names:
        clean = name.strip().replace("\\", "/").removeprefix("./").strip("/")
        if clean in files.index_of:
            found[files.index_of[clean]] = None
        elif clean:
            found.update(dict.fromkeys(_ending_with(files, clean)))
    return list(found)


def _ending_with(files: FileTable, name: str) -> list[int]:
    """Return the files whose path ends with a name, whole folders counted."""
    if _BETWEEN in name:
        return []
    # One search in all paths is many times faster than one in each.
    text = _BETWEEN.join(["", *files.paths, ""])
    exact = _places_of(f"/{name}{_BETWEEN}", text)
    if exact:
        return exact
    text = text.lower().replace(_BETWEEN, f"{_BETWEEN}/")
    return _places_of(f"/{name.lower()}{_BETWEEN}", text)


def _places_of(end: str, text: str) -> list[int]:
    """Return the numbers of the paths in a text of all that end so."""
    found: list[int] = []
    at = counted = n_before = 0
    while (at := text.find(end, at)) >= 0:
        n_before += text.count(_BETWEEN, counted, at)
        counted, at = at, at + 1
        found.append(n_before - 1)
    return found


def _languages(language: str) -> frozenset[str]:
    """Return the languages that a name or a file ending means."""
    name = language.lower().lstrip(".")
    by_ending = language_of(f"x.{name}")
    known = name if by_ending == "text" else by_ending
    return frozenset({name, known, *_DIALECTS.get(known, ())})


def _pattern(glob: str, files: FileTable) -> re.Pattern[str]:
    """Return a path pattern compiled; a folder means everything below, ``**/`` also nothing."""
    clean = glob.replace("\\", "/").removeprefix("./").rstrip("/")
    literal = _literal_parts(clean, files)
    parts = clean.split("/")
    if all(part in literal or not any(mark in part for mark in "*?[") for part in parts):
        return re.compile(rf"(?:.*/)?{re.escape(clean)}(?:/.*)?\Z")
    clean = "/".join(escape(part) if part in literal else part for part in parts)
    plain = fnmatch.translate(clean)
    short = fnmatch.translate(clean.replace("**/", ""))
    return re.compile(f"{plain}|{short}")


def _literal_parts(clean: str, files: FileTable) -> frozenset[str]:
    """Return the parts of a pattern that look like patterns, and are names of files or folders."""
    parts = clean.split("/")
    if clean in files.index_of:
        return frozenset(parts)
    # Web frameworks call folders so: `[id]`, `[...slug]`. Nobody has a folder called `*`.
    doubtful = {part for part in parts if "[" in part}
    if not doubtful:
        return frozenset()
    return frozenset(
        part for part in doubtful if any(f"/{part}/" in f"/{path}/" for path in files.paths)
    )


def _any(patterns: Sequence[re.Pattern[str]], path: str) -> bool:
    return any(pattern.match(path) for pattern in patterns)
