"""Turns the citations in prose into links, and says which could not be confirmed."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.documents.as_read import AsRead
from analysis.documents.checker import CitationChecker
from analysis.documents.citations import find_citations
from analysis.documents.claims import claims_of
from analysis.documents.code import CodeView
from analysis.documents.links import Links
from analysis.documents.parts import Counts, count_states, deduplicated, is_linkable
from analysis.documents.safe import harmless, harmless_document, with_plain_blocks
from analysis.documents.spans import Region, regions
from analysis.models import CodeReference
from analysis.steering import SIGNS, unable_to_steer

# Text that needs more of them to come to rest was made for that.
_ROUNDS = 3
_LINE_END = re.compile(r"\r\n?")
_SIGN = re.compile(f"[{''.join(map(chr, set(SIGNS.values())))}]")


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

    Code blocks stay as they are. Raw HTML, images and links that run commands are made harmless on
    the way, and signs are put for characters that steer whatever shows the text; in code those
    stay that a cited file has on the same line. Checking the result again changes nothing.

    Args:
        markdown: The body of an answer, without front matter.
        code: The code as it is now.
        links: Where the links of the document that it will be in must point to.
        as_read: What was read for the answer, if that is known: what its writer saw stays.
    """
    markdown = unable_to_steer(_LINE_END.sub("\n", markdown))
    checked = _checked_once(with_plain_blocks(markdown), code, links, as_read)
    text = checked.markdown
    for _ in range(_ROUNDS):
        safe = harmless_document(text)
        if safe == text:
            break
        # Only text that was made to break out comes here: escapes have changed what is what.
        text = _checked_once(with_plain_blocks(safe), code, links, as_read).markdown
    text = _with_true_lines(harmless_document(text), checked.references, code)
    return replace(checked, markdown=text)


def _with_true_lines(markdown: str, references: Sequence[CodeReference], code: CodeView) -> str:
    """Return text whose blocks of code have steering characters where a cited file has them.

    Such a quotation is true; with signs in it, it would be none of the code.
    """
    if not _SIGN.search(markdown):
        return markdown
    true: dict[str, set[str]] = {}
    for path in {ref.path for ref in references if is_linkable(ref.state)}:
        for line in code.lines(path) or ():
            if (signed := unable_to_steer(line)) != line:
                true.setdefault(signed.strip(" \t"), set()).add(line.strip(" \t"))
    if not true:
        return markdown
    return "".join(
        _with_lines_of(true, text) if block.is_code else text
        for block in regions(markdown)
        for text in (markdown[block.start : block.end],)
    )


def _with_lines_of(true: Mapping[str, set[str]], text: str) -> str:
    """Return code in which a line is put for what stands for it, if it stands for one alone."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        bare = line.strip(" \t")
        meant, *others = true.get(bare, ("",))
        if meant and not others:
            lines[number] = line.replace(bare, meant)
    return "\n".join(lines)


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
