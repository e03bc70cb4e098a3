"""A document whose links work for everybody: permalinks to one commit of a hosted repository."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.documents.block import without_block
from analysis.documents.body_links import BodyLink
from analysis.documents.document_check import DocumentCheck
from analysis.documents.links import Permalinks
from analysis.documents.parse import Document
from analysis.models import RefState

_GOOD = frozenset({RefState.OK, RefState.IN_RANGE, RefState.CORRECTED})


@dataclass(frozen=True, slots=True)
class Exported:
    """A document for others to read."""

    markdown: str
    linked: int
    """How many links lead to the commit."""
    unlinked: int
    """How many do not, for their code is not what the commit holds: they are plain text."""


def exported(
    document: Document,
    links: Sequence[BodyLink],
    check: DocumentCheck,
    permalinks: Permalinks,
    is_committed: Callable[[str], bool],
) -> Exported:
    """Return a document whose links are permalinks, without front matter and block.

    A link stays one only if it is true of the commit: its reference holds, and the file is the
    same there.

    Args:
        document: As it was read.
        links: The links of its text into the code base.
        check: What became of the document.
        permalinks: Where the commit is shown.
        is_committed: Whether a file is the same in the commit.
    """
    good = {link for link, item in check.places if item.reference.state in _GOOD}
    pieces, position, linked = [], document.body_start, 0
    for link in links:
        target = permalinks.target(link.path, link.line_start, link.line_end)
        holds = (link in good or not link.line_start) and is_committed(link.path)
        pieces.append(document.text[position : link.start])
        if holds and target is not None:
            pieces.append(f"[{link.label}]({target})")
            linked += 1
        else:
            pieces.append(link.label)
        position = link.end
    pieces.append(document.text[position:])
    markdown = without_block("".join(pieces)).strip() + "\n"
    return Exported(markdown, linked, len(links) - linked)
