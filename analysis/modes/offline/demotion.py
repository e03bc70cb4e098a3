"""How much of what a definition is named after it also does: declarations and stubs do nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis.modes.offline.excerpts import end_of_signature
from analysis.modes.places import Place

_DECLARED = 0.2
_DEPRECATED = 0.3
_PROPERTY = 0.6
_INNER = 0.6
_DECLARATION_FILES = (".d.ts", ".d.mts", ".d.cts", ".pyi")
_NOTHING = re.compile(
    r"(?:raise NotImplementedError\b.*|pass|\.\.\.|return NotImplemented|return;?|\}|end|nil|"
    r"throw new (?:Error\(.{0,40}\bnot implemented\b|NotImplementedException\b).*|"
    r"(?:unimplemented|todo)!\(.*|TODO\(.*)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'[rRbBuU]*("""|\'\'\').*?\1|//[^\n]*|#[^\n]*|/\*.*?\*/', re.DOTALL)
# A longer body does something.
_MAX_STUB_LINES = 40


def demotion(place: Place, lines: Sequence[str], *, is_inner: bool) -> float:
    """Return what part of a definition's score it deserves as a place to read, 1 for most.

    Args:
        place: The definition.
        lines: The lines of its file.
        is_inner: Whether it is defined inside a function.
    """
    if place.info is None:
        return 1.0
    if place.path.endswith(_DECLARATION_FILES) or _does_nothing(place, lines):
        return _DECLARED
    if any("deprecated" in decorator for decorator in place.info.decorators):
        return _DEPRECATED
    if place.info.kind == "property":
        return _PROPERTY
    return _INNER if is_inner else 1.0


def _does_nothing(place: Place, lines: Sequence[str]) -> bool:
    """Return whether a function's body is empty but for what it says of itself."""
    if place.is_class or place.line_end - place.line_start > _MAX_STUB_LINES:
        return False
    body = "\n".join(lines[end_of_signature(place, lines) : place.line_end])
    left = [line.strip() for line in _QUOTED.sub("", body).split("\n") if line.strip()]
    return bool(left) and all(_NOTHING.fullmatch(line) for line in left)
