"""Replaces secrets in a text by what they are; every line stays where it was."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from analysis.llm.secret_rules import secrets_in
from analysis.llm.secrets.found import Secret

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
    for secret in sorted(set(secrets_in(text)), key=lambda s: (s.start, -s.end, s.kind)):
        if secret.end > position:
            found.append(Secret(max(secret.start, position), secret.end, secret.kind))
            position = secret.end
    return found
