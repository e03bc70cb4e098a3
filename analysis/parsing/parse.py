"""Everything the index keeps of one file, from its text alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.models import FileOutline, SourceText
from analysis.parsing.chunks import Chunk, chunks_of
from analysis.parsing.facts import facts_of
from analysis.parsing.outline import outline_of

if TYPE_CHECKING:
    from analysis.events import StopFlag

_IDENTIFIER = re.compile(r"[\w$]+")
_LONGEST_IDENTIFIER = 100
"""Longer runs of letters and digits are data, not names."""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What was found in one file."""

    outline: FileOutline
    chunks: tuple[Chunk, ...]
    """Cover the file's lines once, in order."""
    identifiers: frozenset[str]
    """Every name in the text, in comments and strings too."""
    facts: bytes
    """For the resolution of references; empty if the language has no resolver."""


def parse_source(
    source: SourceText, stop: StopFlag | None = None, time_limit_s: float = 5.0
) -> ParsedFile:
    """Return what the index keeps of a file; never fails for what is wrong with the text.

    Raises:
        Cancelled: ``stop`` was set.
    """
    path, text = source.path, source.text
    outline = outline_of(path, text, stop, time_limit_s)
    return ParsedFile(
        outline=outline,
        chunks=tuple(chunks_of(path, text, outline)),
        identifiers=identifiers_in(text),
        facts=facts_of(path, text, outline),
    )


def identifiers_in(text: str) -> frozenset[str]:
    """Return every name in a text: runs of letters, digits, ``_`` and ``$`` not led by a digit."""
    return frozenset(
        name
        for name in set(_IDENTIFIER.findall(text))
        if len(name) <= _LONGEST_IDENTIFIER and not name[0].isdigit()
    )
