"""Finds which file a model means by what it wrote."""

from __future__ import annotations

from posixpath import basename
from typing import TYPE_CHECKING

from analysis.errors import BadInput, NotFound, PathOutsideRoot, ScopeError
from analysis.workspace.paths import looks_absolute, near_matches, printable

if TYPE_CHECKING:
    from analysis.tools.prompt_code import PromptCode

# Of names that are alike: more of them only distract.
_SHOWN = 6
# No path of a code base is longer; a longer text is not repeated to whoever wrote it.
_LONGEST = 300


def resolve_path_argument(name: str, code: PromptCode) -> tuple[str | None, str]:
    """Return the file that a model means, or what to tell it instead; see ``file_meant``."""
    try:
        return file_meant(name, code), ""
    except ScopeError as error:
        return None, str(error)


def file_meant(name: str, code: PromptCode) -> str:
    """Return the file that a model means.

    Quotes, ``./``, a line behind the path and absolute paths inside the root are understood; an
    ending or a plain file name is enough where it is the only one. Where the files of the code
    base are not known, the path is looked up on the disk as it stands.

    Raises:
        PathOutsideRoot: It leads outside.
        NotFound: There is none; the hint names what is alike.
        BadInput: There are several, or it may not be shown.
    """
    if not code.paths:
        return code.readable(name)
    clean = name.strip().strip("`'\"").replace("\\", "/").removeprefix("./")
    clean = clean.split("#")[0] if clean not in code.paths else clean
    if looks_absolute(clean) or ".." in clean.split("/"):
        try:
            clean = code.inside(clean)
        except PathOutsideRoot as error:
            raise PathOutsideRoot(f"{_said(name)} leads outside the code base.") from error
        except ScopeError as error:
            raise _unknown(clean, code) from error
    clean = clean.split(":")[0]
    if clean in code.paths:
        if code.allow([clean]):
            return clean
        raise BadInput(f"{clean} may not be shown.")
    ending = sorted(path for path in code.paths if path.endswith(f"/{clean}")) if clean else []
    if not ending and clean:
        ending = _of_the_same_name(clean, code)
    ending = code.allow(ending)
    if len(ending) == 1:
        return ending[0]
    if ending:
        shown = ", ".join(ending[:_SHOWN])
        raise BadInput(f"{_said(clean)} could be any of {shown}; name one in full.")
    raise _unknown(clean, code)


def _of_the_same_name(path: str, code: PromptCode) -> list[str]:
    """Return the files of that name; of several, the one that has more of its folders, too."""
    same = sorted(known for known in code.paths if basename(known) == basename(path))
    shared = {known: _shared_parts(known, path) for known in same}
    best = [known for known in same if shared[known] == max(shared.values())]
    return best if len(best) == 1 and shared[best[0]] > 1 else same


def _shared_parts(path: str, other: str) -> int:
    """Return how many parts at their ends two paths have in common."""
    n_shared = 0
    for part, another in zip(reversed(path.split("/")), reversed(other.split("/")), strict=False):
        if part != another:
            break
        n_shared += 1
    return n_shared


def _unknown(path: str, code: PromptCode) -> NotFound:
    """Return that a file is not there, and which ones are alike."""
    near = code.allow(near_matches(path[:_LONGEST], sorted(code.paths)))
    question = f"Did you mean {' or '.join(near)}?" if near else ""
    return NotFound(f"There is no file {_said(path)}.", question)


def _said(path: str) -> str:
    return printable(path if len(path) <= _LONGEST else f"{path[:_LONGEST]}…")
