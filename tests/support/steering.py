"""Which characters steer whatever shows a text, by what Unicode says of them."""

from __future__ import annotations

import unicodedata

STEERING = (
    "\x1b[2J\x1b]52;c;aGk=\x07 \x9b2J \x00 \x08 \x0b \x0c \x85 \x7f \u061c \u200f \u202e \u2067"
)
"""Some of each kind."""
_BIDI = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
_MARKS = {"ARABIC LETTER MARK", "LEFT-TO-RIGHT MARK", "RIGHT-TO-LEFT MARK"}


def steering_in(text: str) -> list[str]:
    """Return the characters of a text that steer; line ends and tabs do not."""
    return [
        char
        for char in text
        if (unicodedata.category(char) in {"Cc", "Zl", "Zp"} and char not in "\n\t")
        or unicodedata.bidirectional(char) in _BIDI
        or unicodedata.name(char, "") in _MARKS
    ]
