"""Finds the paths that somebody may have meant."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

_SHOWN = 3
_COMPARED = 20_000  # names; above it a comparison takes longer than a user wants to wait


def near_matches(path: str, known: Sequence[str]) -> list[str]:
    """Return up to three known paths that are alike: same name first, then similar spelling."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    if not name:
        return []
    by_name: dict[str, list[str]] = {}
    for candidate in known:
        by_name.setdefault(candidate.rpartition("/")[2].lower(), []).append(candidate)
    if name in by_name:
        return sorted(by_name[name], key=len)[:_SHOWN]
    names = list(by_name) if len(by_name) <= _COMPARED else []
    close = get_close_matches(name, names, _SHOWN, cutoff=0.75)
    return [candidate for match in close for candidate in by_name[match]][:_SHOWN]
