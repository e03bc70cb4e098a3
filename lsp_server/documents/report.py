"""What became of one context document: the one source of all that the editor shows of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.models import RefState, Span
from lsp_server.locations import TextLines

if TYPE_CHECKING:
    from analysis.documents import DocumentCheck, Reanchored
    from analysis.documents.body_links import BodyLink

GOOD = frozenset({RefState.OK, RefState.CORRECTED, RefState.IN_RANGE})
"""The states in which a document still says what is true."""
_NOWHERE = frozenset({RefState.GONE, RefState.AMBIGUOUS})

STATES = {
    RefState.OK: "✓ The code is what was cited.",
    RefState.CORRECTED: "✓ The code is what was cited.",
    RefState.IN_RANGE: "The code is what was cited; what is named beside it was not found there.",
    RefState.MOVED: "→ The cited code has moved.",
    RefState.CHANGED: "⚠ The cited code has changed since.",
    RefState.AMBIGUOUS: "⚠ The cited code stands in several places now.",
    RefState.GONE: "✗ The cited code is gone.",
    RefState.UNVERIFIED: "⚠ This reference was not confirmed.",
    RefState.EDITED: "⚠ The document was edited: nobody has confirmed this link.",
    RefState.UNCHECKED: "The commit that is cited is not at hand: nothing was checked.",
}

_CHANGES = {
    "renamed": " It has another name.",
    "reformatted": " It was reformatted.",
    "comments": " Its comments are others.",
    "branch": " It runs under another condition.",
}


@dataclass(frozen=True)
class DocumentReport:
    """A document as it is shown, with the state of all its references."""

    path: Path
    uri: str
    text: str
    question: str
    mode: str
    prefix: str
    """What stands before its paths in the code base; mostly nothing."""
    check: DocumentCheck
    links: tuple[BodyLink, ...]
    """All links of its text into the code, to whole files too."""
    is_open: bool = False
    """Whether the editor shows it; then its URI is the editor's own."""

    @cached_property
    def stale(self) -> tuple[Reanchored, ...]:
        """The references that are not what they were when it was written."""
        return tuple(i for i in self.check.references if i.reference.state not in GOOD)

    @cached_property
    def items(self) -> dict[BodyLink, Reanchored]:
        """What became of each link to lines."""
        return dict(self.check.places)

    @cached_property
    def lines(self) -> TextLines:
        """Where its lines begin."""
        return TextLines(self.text)

    @property
    def counts(self) -> Counter[str]:
        """How many references are in which state."""
        return Counter(str(item.reference.state) for item in self.check.references)

    @property
    def n_moved(self) -> int:
        """How many references can be led to where their code is now."""
        moved = self.counts[RefState.MOVED]
        return 0 if self.check.problem else moved

    @property
    def summary(self) -> str:
        """A sentence on what is not true any more; empty if all is."""
        if self.check.problem:
            return self.check.problem
        return changed_words(len(self.stale), self.n_moved, len(self.check.references))

    def place(self, item: Reanchored) -> Span | None:
        """Return where the code of a reference is now; None if nobody knows."""
        reference = item.reference
        if reference.state in _NOWHERE or item.change == "removed":
            return None
        if item.new_line_start is None or item.new_line_end is None:
            if reference.state is RefState.CHANGED:
                return None
            lines = reference.line_start, reference.line_end
        else:
            lines = item.new_line_start, item.new_line_end
        return Span(self.prefix + (item.new_path or reference.path), *lines)

    def link_place(self, link: BodyLink, item: Reanchored) -> Span | None:
        """Return where a link is to lead now: it may cite a part of what the reference cites."""
        whole = self.place(item)
        reference = item.reference
        cited = (reference.line_start, reference.line_end)
        if whole is None or (link.line_start, link.line_end) == cited:
            return whole
        kept_lines = item.change not in ("reformatted", "comments")
        if reference.state is RefState.CHANGED or not kept_lines:
            return whole
        shift = whole.line_start - reference.line_start
        return Span(whole.path, link.line_start + shift, link.line_end + shift)

    def sentence(self, item: Reanchored) -> str:
        """Say what became of a reference, and where its code is now."""
        reference = item.reference
        said = STATES[reference.state] + _CHANGES.get(item.change or "", "")
        if item.change == "removed":
            said = f"⚠ The document was edited: the link to {label(reference_place(item))} is gone."
        place = self.place(item)
        if place is None or item.new_line_start is None:
            return said
        return f"{said} Now: {label(place)}"


def reference_place(item: Reanchored) -> Span:
    """Return the place that a document names; its path is the document's own."""
    reference = item.reference
    return Span(reference.path, reference.line_start, reference.line_end)


def label(place: Span) -> str:
    """Return a place as people write it."""
    return f"{place.path}:{lines_label(place)}"


def lines_label(place: Span) -> str:
    """Return the lines of a place as people write them."""
    start, end = place.line_start, place.line_end
    return f"{start}-{end}" if end > start else str(start)


def changed_words(n_stale: int, n_moved: int, n_all: int) -> str:
    """Return how many of all references have changed or moved, in words; empty for none.

    Args:
        n_stale: Those that are not what they were.
        n_moved: Those of them whose code only stands elsewhere now.
        n_all: All references.
    """
    if not n_stale:
        return ""
    word = "reference" if n_all == 1 else "references"
    became = "moved" if n_moved == n_stale else "changed"
    return f"{n_stale} of {n_all} {word} {'has' if n_stale == 1 else 'have'} {became}"


def summary_of(reports: Iterable[DocumentReport]) -> str:
    """Return what became of several documents, in a sentence."""
    items = list(reports)
    stale = [report for report in items if report.summary]
    words = "1 document" if len(items) == 1 else f"{len(items)} documents"
    n_all = sum(len(report.check.references) for report in items)
    if not stale:
        return f"{words}, {n_all} references: all are what was cited."
    n_stale = sum(len(report.stale) for report in stale)
    n_open = sum(bool(report.check.problem) for report in stale)
    changed = changed_words(n_stale, sum(report.n_moved for report in stale), n_all)
    said = [f"{changed}, in {len(stale)} of {words}"] if n_stale else []
    said += [f"{n_open} of {words} cannot be verified"] if n_open else []
    return "; ".join(said) + "."
