"""Characters that steer whatever shows a text: they move, colour, end or reverse what is seen."""

from __future__ import annotations

# Control characters but tab and line end.
_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"}
# Those that change the direction of text, and line ends that only some programs know.
_DIRECTIONS = (0x061C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F))
_HIDDEN = (*range(0x80, 0xA0), *_DIRECTIONS, *range(0x2066, 0x206A))

SIGNS = {**_PICTURES, 0x7F: 0x2421, **dict.fromkeys(_HIDDEN, 0xFFFD)}
"""What is shown in the place of each: its picture, where Unicode has one."""


def unable_to_steer(text: str) -> str:
    """Return text with a sign for each character that would steer; its length stays the same."""
    return text.translate(SIGNS)
