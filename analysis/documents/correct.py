"""Rewrites a document whose code has moved: its links, their labels, and what it remembers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from analysis.documents.anchor_files import AnchorFiles
from analysis.documents.block import (
    StoredReference,
    blanked_block,
    block_text,
    with_block,
)
from analysis.documents.body_links import BodyLink, body_links
from analysis.documents.document_check import DocumentCheck
from analysis.documents.file_search import file_mark
from analysis.documents.links import Links
from analysis.documents.markdown import link as markdown_link
from analysis.documents.marking import mark_of
from analysis.documents.parse import Document
from analysis.documents.reanchored import Reanchored
from analysis.documents.render import reference_label
from analysis.models import CodeReference, RefState

_RANGE_LABEL = re.compile(r".+:\d+(?:-\d+)?\Z")
_GOOD = frozenset({RefState.OK, RefState.IN_RANGE, RefState.CORRECTED})


def moved_references(check: DocumentCheck) -> list[Reanchored]:
    """Return the references that can be corrected: their code is the same, elsewhere."""
    return [item for item in check.references if _is_moved(item)]


def corrected_text(
    document: Document, check: DocumentCheck, links: Links, files: AnchorFiles
) -> str | None:
    """Return the document with the references that have moved at their new places.

    None if there is nothing to correct, or if the document does not remember its references.

    The rest of the text stays as it is, byte for byte. What has changed, is gone, or was added by
    hand is remembered as before, so that it is found again.

    Args:
        document: As it was read.
        check: What became of it.
        links: Where its links point to.
        files: The code as it is now.
    """
    if check.problem or not moved_references(check):
        return None
    known = document.links(links)
    confirmed = [link for link, item in check.places if item.reference.state is not RefState.EDITED]
    edits = [
        (link, text)
        for link, item in check.places
        if _is_moved(item) and (text := _link_text(link, item, links)) is not None
    ]
    edits += _file_links(known, check, links, files)
    unconfirmed = {link for link in known if link.line_start and link not in confirmed}
    text = _with_new_symbols(_replaced(document.text, edits), check)
    now = body_links(blanked_block(text), links, document.body_start)
    hashes = [new.hash for old, new in zip(known, now, strict=True) if old not in unconfirmed]
    return with_block(text, block_text(_remembered(document, check, files), hashes))


def as_corrected(before: DocumentCheck, after: DocumentCheck) -> DocumentCheck:
    """Return the check of a corrected document, in which what was moved is called corrected.

    Args:
        before: The check of the document as it was.
        after: The check of the document as it is now.
    """
    moved = {_place(_new_reference(item)) for item in moved_references(before)}
    good = [RefState.OK, RefState.IN_RANGE]
    references = tuple(
        replace(item, reference=replace(item.reference, state=RefState.CORRECTED))
        if _place(item.reference) in moved and item.reference.state in good
        else item
        for item in after.references
    )
    return replace(after, references=references)


def reviewed_text(document: Document, links: Links, files: AnchorFiles) -> str:
    """Return the document with all that its links cite remembered as it is now.

    For a person who has read it again: what it says is confirmed for today's code.

    Args:
        document: As it was read.
        links: Where its links point to.
        files: The code as it is now.
    """
    found = document.links(links)
    symbols = {_place(i.reference): i.reference.symbol for i in document.references}
    states = {_place(i.reference): i.state for i in document.references}
    items = []
    for place in dict.fromkeys((k.path, k.line_start, k.line_end) for k in found if k.line_start):
        reference = CodeReference(*place, symbol=symbols.get(place))
        item = _marked(reference, states.get(place, RefState.IN_RANGE), files)
        if item is not None:
            items.append(item)
    return with_block(document.text, block_text(items, [link.hash for link in found]))


def corrected_reference(
    document: Document, check: DocumentCheck, links: Links, files: AnchorFiles, item: Reanchored
) -> str | None:
    """Return the document with one moved reference at its new place; None if that cannot be done.

    Args:
        document: As it was read.
        check: What became of it.
        links: Where its links point to.
        files: The code as it is now.
        item: The reference, one of the check's.
    """
    return corrected_text(document, _only(check, item, item), links, files)


def reviewed_reference(
    document: Document, check: DocumentCheck, links: Links, files: AnchorFiles, item: Reanchored
) -> str | None:
    """Return the document with one reference remembered as its code is now.

    For a person who has looked at it: a changed reference leads to where its code is today, a link
    that was added is confirmed, one that was removed is forgotten. None if that cannot be done, as
    for code that is nowhere.

    Args:
        document: As it was read.
        check: What became of it.
        links: Where its links point to.
        files: The code as it is now.
        item: The reference, one of the check's.
    """
    state = item.reference.state
    if state is RefState.EDITED:
        return _with_edited(document, check, links, files, item)
    if state is not RefState.CHANGED or item.new_line_start is None:
        return None
    new = _new_reference(item)
    if mark_of(files, new.path, new.line_start, new.line_end) is None:
        return None
    # A link to a part of it stays: where the part is now, nobody can tell.
    as_moved = replace(item, reference=replace(item.reference, state=RefState.MOVED))
    as_moved = replace(as_moved, change="reformatted")
    return corrected_text(document, _only(check, item, as_moved), links, files)


def _only(check: DocumentCheck, item: Reanchored, new: Reanchored) -> DocumentCheck:
    """Return a check in which nothing has moved but one reference, which stands in another way."""

    def seen(other: Reanchored) -> Reanchored:
        if other == item:
            return new
        if not _is_moved(other):
            return other
        return replace(other, reference=replace(other.reference, state=RefState.AMBIGUOUS))

    return DocumentCheck(
        tuple(map(seen, check.references)),
        check.problem,
        tuple((link, seen(found)) for link, found in check.places),
    )


def _with_edited(
    document: Document, check: DocumentCheck, links: Links, files: AnchorFiles, item: Reanchored
) -> str | None:
    """Return the document with a link that was added or removed by hand taken as it is."""
    if not document.has_block:
        return None
    kept = _remembered(document, _only(check, item, item), files)
    if item.change == "removed":
        gone = _place(item.reference)
        kept = [stored for stored in kept if _place(stored.reference) != gone]
    else:
        added = _marked(item.reference, RefState.IN_RANGE, files)
        if added is None:
            return None
        kept.append(replace(added, reference=replace(item.reference, state=RefState.OK)))
    edited = RefState.EDITED
    open_links = {k for k, i in check.places if i.reference.state is edited and i != item}
    hashes = [link.hash for link in document.links(links) if link not in open_links]
    return with_block(document.text, block_text(kept, hashes))


def _is_moved(item: Reanchored) -> bool:
    return item.reference.state is RefState.MOVED and item.reference.cell is None


def _link_text(link: BodyLink, item: Reanchored, links: Links) -> str | None:
    """Return a link to where its code is now; None if that cannot be written."""
    new = _new_reference(item)
    old = item.reference
    if (link.line_start, link.line_end) != (old.line_start, old.line_end):
        # A part of the same code: it moved along, if the code kept its lines.
        if item.change in ("reformatted", "comments"):
            return None
        start = new.line_start + link.line_start - old.line_start
        new = replace(new, line_start=start, line_end=start + link.line_end - link.line_start)
    target = links.target(new.path, new.line_start, new.line_end)
    if target is None:
        return None
    if _RANGE_LABEL.match(link.label):
        return markdown_link(reference_label(new), target)
    return f"[{link.label}]({target})"


def _file_links(
    known: Iterable[BodyLink], check: DocumentCheck, links: Links, files: AnchorFiles
) -> list[tuple[BodyLink, str]]:
    """Return the links to whole files that are called otherwise now, as they should be."""
    new_names: dict[str, set[str]] = {}
    for item in moved_references(check):
        new_names.setdefault(item.reference.path, set()).add(item.new_path or item.reference.path)
    edits = []
    for link in known:
        names = new_names.get(link.path, set())
        if link.line_start or files.get(link.path) is not None or len(names) != 1:
            continue
        (path,) = names
        target = links.target(path)
        if target is not None:
            same = link.label == markdown_link(link.path, "")[1:-3]
            edits.append(
                (link, markdown_link(path, target) if same else f"[{link.label}]({target})")
            )
    return edits


def _new_reference(item: Reanchored) -> CodeReference:
    """Return a reference at the place where its code is now."""
    return replace(
        item.reference,
        path=item.new_path or item.reference.path,
        line_start=item.new_line_start or item.reference.line_start,
        line_end=item.new_line_end or item.reference.line_end,
        symbol=item.new_symbol or item.reference.symbol,
    )


def _replaced(text: str, edits: Iterable[tuple[BodyLink, str]]) -> str:
    """Return a text with some of its links replaced."""
    pieces = []
    position = 0
    for link, new in sorted(edits, key=lambda edit: edit[0].start):
        pieces += [text[position : link.start], new]
        position = link.end
    return "".join([*pieces, text[position:]])


def _with_new_symbols(text: str, check: DocumentCheck) -> str:
    """Return a text whose list of references has the names that definitions have now."""
    for item in check.references:
        if _is_moved(item) and item.new_symbol and item.reference.symbol:
            label = re.escape(reference_label(_new_reference(item)))
            old = re.escape(item.reference.symbol)
            line = re.compile(rf"^(- \[{label}\]\([^)\n]*\) - `){old}(?=`)", re.MULTILINE)
            text = line.sub(rf"\g<1>{item.new_symbol}", text)
    return text


def _remembered(
    document: Document, check: DocumentCheck, files: AnchorFiles
) -> list[StoredReference]:
    """Return what the document remembers from now on, in its order."""
    kept = []
    for item, found in zip(document.references, check.references, strict=False):
        fresh = None
        if found.reference.state in _GOOD or _is_moved(found):
            fresh = _marked(_new_reference(found), item.state, files)
        kept.append(fresh or item)
    stale = {item.reference.path for item in kept if item in document.references}
    # The mark of a file speaks for all references to it: it must not vouch for a stale one.
    return [replace(i, file=None) if i.reference.path in stale else i for i in kept]


def _marked(
    reference: CodeReference, state: RefState, files: AnchorFiles
) -> StoredReference | None:
    mark = mark_of(files, reference.path, reference.line_start, reference.line_end)
    file = files.get(reference.path)
    if mark is None or file is None:
        return None
    return StoredReference(reference, mark, file=file_mark(file, files), state=state)


def _place(reference: CodeReference) -> tuple[str, int, int]:
    return reference.path, reference.line_start, reference.line_end
