"""Replaces secrets in a text by what they are; every line stays where it was."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.llm.secret_rules import Secret, secrets_in

_BLOCK = re.compile(
    r"-----BEGIN (?P<what>[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?)-----(?P<body>.*?)"
    r"(?:-----END (?P=what)-----|\Z)",
    re.DOTALL,
)
_PUTTY = re.compile(r"PuTTY-User-Key-File-\d.*?(?:Private-MAC:[^\n]*|\Z)", re.DOTALL)
# Lines of a key whose beginning was cut off, also behind line numbers: at least two in a row.
_ORPHANS = re.compile(
    r"(?:^[ \t]*(?:\d+[:|\t ]+)?[ \t]*[\"']?[A-Za-z0-9+/]{60,76}={0,2}(?:\\n)?[\"']?,?[ \t]*\n){2,}"
    r"(?:^[ \t]*(?:\d+[:|\t ]+)?[ \t]*[\"']?[A-Za-z0-9+/]{4,76}={0,2}(?:\\n)?[\"']?,?[ \t]*$)?",
    re.MULTILINE,
)
# What a text of usual size comes to is kept: conversations are sent again and again.
_KEPT = 128


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text that may leave the machine."""

    text: str
    kinds: tuple[str, ...]
    """What was struck out, once per place."""


@functools.lru_cache(maxsize=_KEPT)
def redacted(text: str) -> Redacted:
    """Return a text with ``[redacted: kind]`` for each secret, and as many lines as before."""
    pieces: list[str] = []
    kinds: list[str] = []
    position = 0
    for secret in find_secrets(text):
        pieces += [text[position : secret.start], f"[redacted: {secret.kind}]"]
        # A block keeps its line ends, so that line numbers below it hold.
        pieces.append("\n" * text.count("\n", secret.start, secret.end))
        kinds.append(secret.kind)
        position = secret.end
    if not kinds:
        return Redacted(text, ())
    return Redacted("".join([*pieces, text[position:]]), tuple(kinds))


def find_secrets(text: str) -> list[Secret]:
    """Return the secrets of a text in order; none reaches into the next."""
    found: list[Secret] = []
    position = 0
    candidates = {*secrets_in(text), *_key_blocks(text)}
    for secret in sorted(candidates, key=lambda s: (s.start, -s.end, s.kind)):
        if secret.end > position:
            found.append(Secret(max(secret.start, position), secret.end, secret.kind))
            position = secret.end
    return found


def _key_blocks(text: str) -> Iterator[Secret]:
    """Yield private keys, whole or what a cut left of them."""
    if "PRIVATE KEY" in text:
        for match in _BLOCK.finditer(text):
            yield Secret(*match.span(), "private key")
    if "PuTTY-User-Key-File" in text:
        for match in _PUTTY.finditer(text):
            yield Secret(*match.span(), "private key")
    for match in _ORPHANS.finditer(text):
        yield Secret(match.start(), match.end(), "encoded data")
