"""``scope history --citing``: the answers that cite a place in the code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.errors import BadInput

if TYPE_CHECKING:
    from analysis.cli.verify import Verified
    from analysis.documents.citing import CitingReference

_PLACE = re.compile(r"(?P<path>.+?)(?::(?P<start>\d+)(?:-(?P<end>\d+))?)?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A file, or lines of it, that answers are looked for by."""

    path: str
    """As it was typed."""
    line_start: int | None
    """None for the whole file."""
    line_end: int | None


def cited_place(text: str) -> CitedPlace:
    """Return the place that ``PATH``, ``PATH:LINE`` or ``PATH:FIRST-LAST`` names.

    Raises:
        BadInput: It names none.
    """
    match = None if Path(text).is_file() else _PLACE.match(text)
    if match is None and text:
        return CitedPlace(text, None, None)  # A colon may be part of a name.
    start = int(match["start"]) if match and match["start"] else None
    end = int(match["end"]) if match and match["end"] else start
    if match is None or match["path"].startswith(":") or start == 0 or (end or 0) < (start or 0):
        raise BadInput(
            f"{text!r} is not a place in a file.", "Write PATH, PATH:LINE or PATH:FIRST-LAST."
        )
    return CitedPlace(match["path"], start, end)


def citing(place: CitedPlace, checked: Iterable[Verified]) -> dict[Path, list[CitingReference]]:
    """Return the references that cite a place, by document; only documents that have any.

    The path counts from the current folder; if nothing is cited there, from the code base of each
    answer.

    Raises:
        BadInput: There is no such file, and no answer has ever cited one of that name.
    """
    from analysis.documents.citing import citing_references

    items = list(checked)
    typed = Path(place.path)
    found: dict[Path, list[CitingReference]] = {}
    is_known = typed.is_file()
    for paths in (
        {item.root: _below(item.root, typed) for item in items},
        {item.root: typed.as_posix() for item in items},
    ):
        for item in items:
            path = paths[item.root]
            if path is None:
                continue
            cited = {ref.reference.path for ref in item.check.references}
            is_known = is_known or path in cited or Path(item.root, path).is_file()
            lines = (place.line_start, place.line_end)
            references = citing_references(item.document, item.check, path, *lines)
            if references:
                found[item.document] = references
        if found:
            break
    if not is_known:
        raise BadInput(f"There is no file {place.path!r}, and no answer cites one of that name.")
    return found


def _below(root: Path, path: Path) -> str | None:
    """Return a path from the current folder as one below a root; None if it lies elsewhere."""
    base = root.resolve()
    absolute = path.parent.resolve() / path.name
    return absolute.relative_to(base).as_posix() if absolute.is_relative_to(base) else None
