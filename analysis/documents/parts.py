"""What a document is made of, before it is markdown."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from analysis.answer_path import RunStats
from analysis.documents.commit_links import CommitLinks
from analysis.documents.earlier import Earlier
from analysis.documents.links import LabelledLinks, Links, Permalinks, RelativeLinks, links_from
from analysis.models import CodeReference, RefState

# Without it a count of references would read like a judgement on the answer.
_MEANING = (
    "Verified references hold what is named beside them; whether the text is right was not checked."
)


@dataclass(frozen=True, slots=True)
class OrganisationSource:
    """The repositories of an organisation that an answer is out of."""

    address: str
    """As it is asked for after ``org:``; empty for what the environment says."""
    server: str
    """The host and database that answered."""
    links: CommitLinks


@dataclass(frozen=True, slots=True)
class OutputTarget:
    """Where a document goes, and whose code it is about."""

    root: Path
    """Root of the code base on this disk."""
    folder: Path | None = None
    """Folder for the document; None if it is only returned."""
    self_ignoring: bool = False
    """Whether the folder gets a ``.gitignore`` that hides it from git."""
    url: str | None = None
    """For a clone: the URL it came from."""
    commit: str | None = None
    """For a clone: its commit."""
    base: Path | None = None
    """Around a folder that nobody chose: between the two no link is followed."""

    folders: Mapping[str, Path] | None = None
    """For a code base of several folders: the root of each by its label."""

    organisation: OrganisationSource | None = None
    """For an answer out of the repositories of an organisation: which these are."""

    def links(self) -> Links:
        """Return the links that fit a document in this place."""
        if self.organisation is not None:
            return self.organisation.links
        if self.folders:
            roots = {label: _real(root) for label, root in self.folders.items()}
            return LabelledLinks(roots, _real(self.folder or self.root))
        if self.url and self.commit:
            return Permalinks(self.url, self.commit)
        if self.folder is None:
            root = _real(self.root)
            return RelativeLinks(root, root)
        return links_from(self.folder, self.root)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the body under its own heading."""

    title: str
    body: str
    """Markdown; whatever came from the repository is already quoted."""
    fold: str = ""
    """Where the rest of the document is folded away, beginning with this section: under which
    words."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How checking the references of a document went."""

    verified: int = 0
    corrected: int = 0
    unverified: int = 0
    in_range: int = 0

    @property
    def total(self) -> int:
        """All references, good or not."""
        return self.verified + self.corrected + self.in_range + self.unverified

    def sentence(self) -> str:
        """Return the line that ends a document's list of references."""
        if not self.total:
            return "This document refers to no code."
        noun = "reference" if self.total == 1 else "references"
        return (
            f"{self.verified} of {self.total} {noun} verified, {self.corrected} corrected, "
            f"{self.in_range} in range, {self.unverified} not confirmed.\n{_MEANING}"
        )


@dataclass(frozen=True, slots=True)
class DocumentParts:
    """Everything that ``render`` puts on paper."""

    question: str
    target: OutputTarget
    stats: RunStats
    sections: tuple[Section, ...]
    references: tuple[CodeReference, ...]
    not_looked_at: tuple[str, ...] = ()
    """Markdown sentences on files and places that were left out, and why."""
    scan_date: datetime = field(default_factory=lambda: datetime.now(UTC))
    earlier: Earlier | None = None
    """The document that the question follows up on."""
    unknown_names: tuple[str, ...] = ()
    """Names beside references that stand nowhere in the code base."""
    fold: str = ""
    """Under which words the references are folded away with all that follows, where nothing before
    them is."""
    answered_by: tuple[str, ...] = ()
    """Markdown sentences on how the answer came about: the choice of mode, rounds, confidence."""
    gaps: tuple[str, ...] = ()
    """Markdown sentences on code that was not read; they stand at the top."""


def _real(path: Path) -> Path:
    """Return a path without links; unlike ``Path.resolve`` also where links go in a circle."""
    return Path(os.path.realpath(path))


def count_states(references: tuple[CodeReference, ...]) -> Counts:
    """Return how many references are in which state."""
    states = [reference.state for reference in references]
    verified, corrected = states.count(RefState.OK), states.count(RefState.CORRECTED)
    in_range = states.count(RefState.IN_RANGE)
    return Counts(verified, corrected, len(states) - verified - corrected - in_range, in_range)


def is_linkable(state: RefState) -> bool:
    """Return whether a reference is shown as a link: its lines exist, at least."""
    return state in {RefState.OK, RefState.CORRECTED, RefState.IN_RANGE}


def deduplicated(references: tuple[CodeReference, ...]) -> tuple[CodeReference, ...]:
    """Return references with one per path and first line: the best state, then the longest."""
    best: dict[tuple[str, int], CodeReference] = {}
    for reference in references:
        key = (reference.path, reference.line_start)
        known = best.get(key)
        if known is None or _worth(reference) > _worth(known):
            best[key] = reference
    return tuple(best.values())


def _worth(reference: CodeReference) -> tuple[int, int]:
    order = (RefState.IN_RANGE, RefState.CORRECTED, RefState.OK)
    return order.index(reference.state) + 1 if reference.state in order else 0, reference.line_end
