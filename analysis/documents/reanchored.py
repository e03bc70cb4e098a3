"""What became of a reference since its document was written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.models import CodeReference

Change = Literal["renamed", "reformatted", "comments", "branch", "added", "removed"]
"""What happened to the cited code, or to the document's text, where that can be told.

``renamed``: its definition has another name, the rest is the same. ``reformatted``: the layout is
another one, the code is the same. ``comments``: comments differ, the code is the same.
``branch``: the code is the same, but runs under another condition. ``added``, ``removed``: a link
of the text that was not there, or that is not there any more.
"""


@dataclass(frozen=True, slots=True)
class Reanchored:
    """What became of a reference since its document was written."""

    reference: CodeReference
    """As the document has it, with the state found now."""
    new_path: str | None = None
    """Where it is now, if it moved or changed."""
    new_line_start: int | None = None
    new_line_end: int | None = None
    change: Change | None = None
    """What happened to the code, where that can be told."""
    new_symbol: str | None = None
    """What its symbol is called now, if that is another name."""
