"""Checks a document as a whole: its references, and whether its text is the one that was written.

The block at the end remembers each reference and each link of the text. A link that it does not
know was added or changed by hand: nobody has confirmed it. A document without a block cannot be
verified at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from analysis.documents.anchor_files import AnchorFiles
from analysis.documents.block import StoredReference
from analysis.documents.body_links import BodyLink
from analysis.documents.links import Links
from analysis.documents.parse import Document
from analysis.documents.reanchor import Reanchoring
from analysis.documents.reanchored import Reanchored
from analysis.models import CodeReference, RefState
from analysis.stopping import StopFlag

NO_BLOCK = "It cannot be verified: the block that remembers what its references showed is missing."

_GOOD = frozenset({RefState.OK, RefState.CORRECTED, RefState.IN_RANGE})


@dataclass(frozen=True, slots=True)
class DocumentCheck:
    """What became of a document since it was written."""

    references: tuple[Reanchored, ...]
    """Those that it remembers, in its order, then links that nobody has confirmed."""
    problem: str = ""
    """Why the document cannot be verified as a whole; empty if it can."""
    places: tuple[tuple[BodyLink, Reanchored], ...] = ()
    """Each link of the text to lines of code, with what became of what it cites."""

    @property
    def is_good(self) -> bool:
        """Whether all that it says of places is true today, as far as that could be checked."""
        unchecked = RefState.UNCHECKED
        states = (item.reference.state for item in self.references)
        return not self.problem and all(state in _GOOD or state is unchecked for state in states)


def check_document(
    document: Document, links: Links, files: AnchorFiles, stop: StopFlag | None = None
) -> DocumentCheck:
    """Return the state of each reference of a document, and of each link of its text.

    Args:
        document: As it was read.
        links: Where links of the document point to.
        files: The code as it is now.
        stop: Ends the work early when set.
    """
    found = Reanchoring(files, document.references).all(document.references, stop)
    return document_state(document, document.links(links), found)


def document_state(
    document: Document, links: Sequence[BodyLink], found: Sequence[Reanchored]
) -> DocumentCheck:
    """Return a check of a document from what was found for each of its references.

    Args:
        document: As it was read.
        links: The links of its text into the code base.
        found: What became of its references, in their order.
    """
    known = _known_links(document, links) if document.has_block else set()
    places, edited = [], []
    for link in links:
        item = _state_of(link, found) if link in known else None
        if link in known and (item is not None or not link.line_start):
            if item is not None:
                places.append((link, item))
            continue
        reference = CodeReference(link.path, link.line_start, link.line_end, state=RefState.EDITED)
        unconfirmed = Reanchored(reference, change="added")
        places.append((link, unconfirmed))
        edited.append(unconfirmed)
    if not document.has_block:
        listed = {(item.reference.path, item.reference.line_start) for item in found}
        more = [e for e in edited if (e.reference.path, e.reference.line_start) not in listed]
        return DocumentCheck((*found, *_distinct(more)), NO_BLOCK, tuple(places))
    return DocumentCheck(
        (*_removed(document, links, found), *_distinct(edited)), places=tuple(places)
    )


def _known_links(document: Document, links: Sequence[BodyLink]) -> set[BodyLink]:
    """Return the links of the text that are as they were written."""
    if document.link_hashes is None:
        return {link for link in links if _is_stored(link, document.references)}
    left = list(document.link_hashes)
    known = set()
    for link in links:
        if link.hash in left:
            left.remove(link.hash)
            known.add(link)
    return known


def _is_stored(link: BodyLink, stored: Iterable[StoredReference]) -> bool:
    """Return whether a document of the first version remembers the lines of a link.

    It does not remember parts of what it cites, excerpts for example, and no links to whole files.
    """
    if not link.line_start:
        return True
    return link.agrees and any(
        ref.path == link.path
        and ref.line_start <= link.line_start
        and link.line_end <= ref.line_end
        for ref in (item.reference for item in stored)
    )


def _state_of(link: BodyLink, found: Iterable[Reanchored]) -> Reanchored | None:
    """Return what became of the lines that a link cites, or of the reference that holds them."""
    inside = None
    for item in found:
        ref = item.reference
        if ref.path != link.path or not ref.line_start <= link.line_start <= ref.line_end:
            continue
        if (ref.line_start, ref.line_end) == (link.line_start, link.line_end):
            return item
        if link.line_end <= ref.line_end:
            inside = inside or item
    return inside


def _removed(
    document: Document, links: Sequence[BodyLink], found: Sequence[Reanchored]
) -> list[Reanchored]:
    """Return the references, those that the text does not link any more as edited."""
    if document.link_hashes is None:
        return list(found)
    linked = {(link.path, link.line_start, link.line_end) for link in links}
    return [
        item
        if (item.reference.path, item.reference.line_start, item.reference.line_end) in linked
        else replace(
            item, reference=replace(item.reference, state=RefState.EDITED), change="removed"
        )
        for item in found
    ]


def _distinct(items: Iterable[Reanchored]) -> list[Reanchored]:
    return list(dict.fromkeys(items))
