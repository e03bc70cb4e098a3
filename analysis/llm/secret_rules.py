"""What secrets look like: each way to know one, over one text.

Forms that nothing else has come first (`secrets.tokens`, of which detect-secrets' rules are a
part, and `secrets.key_material`). The others need the place: what the value is assigned to, which
command or address it is a part of. Entropy alone never makes a secret: hashes and test data have
it too, and a reader of code needs them.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis.llm.secrets.assignments import assigned_in
from analysis.llm.secrets.calls import calls_in
from analysis.llm.secrets.commands import commands_in
from analysis.llm.secrets.found import Secret
from analysis.llm.secrets.key_material import keys_in
from analysis.llm.secrets.long_runs import LongRuns
from analysis.llm.secrets.manifests import manifests_in
from analysis.llm.secrets.split import split_secrets
from analysis.llm.secrets.tokens import tokens_in
from analysis.llm.secrets.urls import urls_in


def secrets_in(text: str) -> Iterator[Secret]:
    """Yield the secrets of a text; they may overlap."""
    yield from _in_one_piece(text)
    yield from manifests_in(text)
    yield from split_secrets(text, _in_one_piece)


def _in_one_piece(text: str) -> Iterator[Secret]:
    """Yield the secrets of a text that stand in it as they are."""
    runs = LongRuns(text)
    yield from tokens_in(text, runs)
    yield from keys_in(text, runs)
    yield from urls_in(text)
    yield from commands_in(text)
    yield from calls_in(text)
    yield from assigned_in(text, _lowered(text))


def _lowered(text: str) -> str:
    """Return the text in lower case with every character in its place."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(char.lower() if char.isascii() else char for char in text)
