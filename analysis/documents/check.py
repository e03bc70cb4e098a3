"""Turns the citations in prose into links, and says which could not be confirmed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analysis.documents.as_read import AsRead
from analysis.documents.checker import CitationChecker
from analysis.documents.citations import find_citations
from analysis.documents.claims import claims_of
from analysis.documents.code import CodeView
from analysis.documents.links import Links
from analysis.documents.parts import Counts, count_states, deduplicated
from analysis.documents.safe import harmless, harmless_document, with_plain_blocks
from analysis.documents.spans import Region, regions
from analysis.models import CodeReference

# Text that needs more of them to come to rest was made for that.
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """What became of one citation."""

    start: int
    """Offset of its first character in the text, after ``with_plain_blocks``."""
    end: int
    references: tuple[CodeReference, ...]
    """One per range; none for what turned out to be no citation, or a file as a whole."""


@dataclass(frozen=True, slots=True)
class CheckedText:
    """Prose in which every link to code was checked."""

    markdown: str
    references: tuple[CodeReference, ...]
    """One per path and first line, in the order of the text."""
    counts: Counts
    """Over all citations that look like citations, also repeated ones."""
    citations: tuple[CheckedCitation, ...] = ()
    """All citations of the text, in order."""
    unknown: tuple[str, ...] = ()
    """Names in sentences with citations that exist nowhere in the code base."""
    changed: tuple[str, ...] = ()
    """Cited files that were saved since they were read for the answer."""


def check_citations(
    markdown: str, code: CodeView, links: Links, as_read: AsRead | None = None
) -> CheckedText:
    """Return prose with its citations checked, mended and linked, or marked as not confirmed.

    Code blocks stay as they are, byte for byte. Raw HTML, images and links that run commands
    are made harmless on the way. Checking the result again changes nothing.

    Args:
        markdown: The body of an answer, without front matter.
        code: The code as it is now.
        links: Where the links of the document that it will be in must point to.
        as_read: What was read for the answer, if that is known: what its writer saw stays.
    """
    checked = _checked_once(with_plain_blocks(markdown), code, links, as_read)
    text = checked.markdown
    for _ in range(_ROUNDS):
        safe = harmless_document(text)
        if safe == text:
            break
        # Only text that was made to break out comes here: escapes have changed what is what.
        text = _checked_once(with_plain_blocks(safe), code, links, as_read).markdown
    return replace(checked, markdown=harmless_document(text))


def _checked_once(
    markdown: str, code: CodeView, links: Links, as_read: AsRead | None
) -> CheckedText:
    """Return prose with its citations checked, in which something may act all the same."""
    blocks = regions(markdown)
    citations = find_citations(markdown, blocks)
    checker = CitationChecker(markdown, citations, code, links, as_read)
    claims = claims_of(markdown, blocks, citations, code)
    checker.settle(blocks, citations, claims)
    pieces: list[str] = []
    outcomes: list[CheckedCitation] = []
    waiting = deque(zip(citations, claims, strict=True))
    for block in blocks:
        inside: list[tuple[int, int, str]] = []
        while waiting and waiting[0][0].start < block.end:
            citation, claim = waiting.popleft()
            start, end = citation.start, citation.end
            text, references = checker.rewritten(citation, claim)
            outcomes.append(CheckedCitation(start, end, tuple(references)))
            if text != markdown[start:end]:
                inside.append((start, end, text))
        pieces += _block_text(markdown, block, inside)
    found = tuple(ref for outcome in outcomes for ref in outcome.references)
    return CheckedText(
        "".join(pieces),
        deduplicated(found),
        count_states(found),
        tuple(outcomes),
        tuple(dict.fromkeys(checker.unknown)),
        tuple(dict.fromkeys(checker.changed)),
    )


def _block_text(
    markdown: str, block: Region, inside: Sequence[tuple[int, int, str]]
) -> Iterator[str]:
    """Yield the pieces of a block in which stretches are replaced and all else is harmless."""
    position = block.start
    for start, end, text in inside:
        yield from _joined(harmless(markdown, position, start, block, is_rewritten=True), text)
        position = end
    yield harmless(markdown, position, block.end, block, is_rewritten=bool(inside))


def _joined(before: str, text: str) -> tuple[str, str]:
    """Return what stands before a citation, so that nothing else comes of the two."""
    if before.endswith("<"):
        return before[:-1] + "&lt;", text
    if before.endswith("]("):
        return before[:-1] + "\\(", text
    head = before[:-1] if before.endswith("!") else before
    is_escaped = (len(head) - len(head.rstrip("\\"))) % 2
    if before is not head:
        is_image = text.startswith("[") and not is_escaped
        return f"{head}\\!" if is_image else before, text
    return before + "\\" if is_escaped and text[0] in "[`" else before, text
