"""Everything the index keeps of one file, from its text alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.models import FileOutline, SourceText
from analysis.parsing.chunks import Chunk, FileWords, chunks_of
from analysis.parsing.facts import facts_of
from analysis.parsing.languages import language_of
from analysis.parsing.outline import outline_of
from analysis.parsing.python_module import module_of

if TYPE_CHECKING:
    from analysis.stopping import StopFlag


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What was found in one file."""

    outline: FileOutline
    chunks: tuple[Chunk, ...]
    """Cover the file's lines once, in order."""
    words: FileWords
    facts: bytes | None
    """For the resolution of references; empty if the language has no resolver, None if left out."""


def parse_source(
    source: SourceText,
    stop: StopFlag | None = None,
    time_limit_s: float = 5.0,
    *,
    with_facts: bool = True,
) -> ParsedFile:
    """Return what the index keeps of a file; never fails for what is wrong with the text.

    Without facts a file can be searched; ``late_facts`` makes them when somebody asks who uses
    what.

    Raises:
        Cancelled: ``stop`` was set.
    """
    path, text = source.path, source.text
    module = module_of(text) if language_of(path) == "python" else None
    outline = outline_of(path, text, stop, time_limit_s, module)
    chunks, words = chunks_of(path, text, outline)
    return ParsedFile(
        outline=outline,
        chunks=chunks,
        words=words,
        facts=facts_of(path, text, outline.language, module) if with_facts else None,
    )


def late_facts(source: SourceText, language: str) -> bytes:
    """Return the facts of a file that was parsed without them.

    Args:
        source: The text that was parsed.
        language: That of its outline.
    """
    return facts_of(source.path, source.text, language)
