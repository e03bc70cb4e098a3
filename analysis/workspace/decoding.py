r"""Turns the bytes of a file into text whose lines are counted as editors count them.

A line ends at ``\n``, ``\r\n`` or ``\r`` and nowhere else: form feeds and the separators that
only ``str.splitlines`` knows are ordinary characters, for editors and for Python's own parser.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    # UTF-32 first: its little-endian mark starts with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK_OR_COMMENT = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_PYTHON = (".py", ".pyi", ".pyw")
# These decode escapes or take quadratic time: a file could make text out of nothing with them.
_REFUSED_CODECS = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"}
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    r"""The text of a file with ``\n`` line ends."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode(path: str, data: bytes) -> Decoded:
    """Return the text of a file's bytes; never fails.

    The order: a byte order mark, a Python encoding cookie (PEP 263), UTF-8, and at last UTF-8
    with replacement characters and a note.
    """
    encoding = _declared(path, data)
    note = ""
    try:
        text = data.decode(encoding)
    except (UnicodeError, ValueError):
        text = data.decode(encoding if _marked(data) else "utf-8", "replace")
        note = f"Some bytes are not valid {encoding} and show as replacement characters."
    if encoding not in ("utf-8", "utf-8-sig"):
        text = without_surrogates(text)
    return Decoded(normalize_newlines(text), encoding, (note,) if note else ())


def normalize_newlines(text: str) -> str:
    r"""Return the text with ``\n`` for each ``\r\n`` and ``\r``."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def without_surrogates(text: str) -> str:
    """Return the text with each lone surrogate replaced, so that it can be encoded anywhere."""
    return _SURROGATES.sub("\ufffd", text)


def split_lines(text: str) -> list[str]:
    r"""Return the lines of normalised text without their ends; a last ``\n`` opens no line."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def has_text_mark(data: bytes) -> bool:
    """Return whether the bytes start with a mark of Unicode text, so that NULs prove nothing."""
    return _marked(data)


def _marked(data: bytes) -> bool:
    return any(data.startswith(bom) for bom, _ in _BOMS)


def _declared(path: str, data: bytes) -> str:
    """Return the encoding that the bytes declare, or UTF-8."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding
    if path.lower().endswith(_PYTHON):
        return _cookie(data) or "utf-8"
    return "utf-8"


def _cookie(data: bytes) -> str | None:
    """Return the encoding named in the first two lines of a Python file, if Python has it."""
    for line in re.split(rb"\r\n|\r|\n", data[:1000], maxsplit=2)[:2]:
        match = _COOKIE.match(line)
        if match:
            return _known_codec(match.group(1).decode("ascii", "replace"))
        if not _BLANK_OR_COMMENT.match(line):
            return None
    return None


def _known_codec(name: str) -> str | None:
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    is_text = getattr(info, "_is_text_encoding", True)
    return info.name if is_text and info.name.replace("-", "_") not in _REFUSED_CODECS else None
