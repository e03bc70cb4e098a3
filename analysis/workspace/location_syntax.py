"""A place in a file as people and models write it."""

from __future__ import annotations

import re

from analysis.errors import BadInput
from analysis.models import Position


def position_from(text: str | None) -> Position | None:
    """Return the place that ``FILE:LINE`` or ``FILE:LINE:COL`` names; None if there is no text."""
    if text is None:
        return None
    match = re.fullmatch(r"(.+?):(\d+)(?::(\d+))?", text)
    if match is None or int(match[2]) < 1:
        raise BadInput(f"{text!r} is not a place in a file.", "Write FILE:LINE or FILE:LINE:COL.")
    return Position(match[1], int(match[2]), int(match[3] or 0))
