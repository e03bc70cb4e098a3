"""What became of a document about an organisation's repositories: its commits, as they are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.documents.anchor_files import AnchorFiles
from analysis.documents.code import CachedCode
from analysis.documents.commit_links import CommitLinks, SourceCommit, permalink
from analysis.documents.document_check import DocumentCheck, document_state
from analysis.documents.reanchor import Reanchoring
from analysis.documents.reanchored import Reanchored
from analysis.errors import NotFound
from analysis.llm.redact import redacted
from analysis.models import CodeReference, RefState, SourceText
from analysis.org.choosing import visible_heads
from analysis.org.clones import LocalClones
from analysis.org.stored_rows import PostgresRows
from analysis.workspace.committed import committed_source

if TYPE_CHECKING:
    from analysis.documents.body_links import BodyLink
    from analysis.documents.parse import Document
    from analysis.org.organisation import Organisation
    from analysis.stopping import StopFlag

_GOOD = frozenset({RefState.OK, RefState.IN_RANGE})
_SHORT = 12


@dataclass(frozen=True, slots=True)
class CommitsCheck:
    """What is known of a document that cites commits."""

    check: DocumentCheck
    """Its references, ``unchecked`` where nothing is known, and links that nobody has confirmed."""
    unchecked: tuple[str, ...]
    """Which references could not be checked and why, in whole sentences."""
    n_outdated: int
    """Links to files here whose lines are not those of the commit any more."""


class CommitTexts:
    """The texts of commits: from clones on this machine, else from the organisation's index.

    Args:
        near: Places around which clones may lie.
        folders: Folders in which clones lie.
        organisation: Asked for what no clone has; nobody is if None.
    """

    def __init__(
        self,
        near: Sequence[Path],
        folders: Sequence[str],
        organisation: Organisation | None = None,
    ) -> None:
        self.clones = LocalClones(near, folders, self.text)
        self._organisation = organisation
        self._texts: dict[tuple[SourceCommit, str], str | None] = {}
        self._struck_out: set[tuple[SourceCommit, str]] = set()

    def text(self, source: SourceCommit, path: str) -> str | None:
        """Return the text of a file in a commit without its secrets; None if it is not here.

        Raises:
            OrganisationUnavailable: Its index was to be asked, and cannot be.
        """
        key = (source, path)
        if key not in self._texts:
            self._texts[key] = self._from_clone(source, path) or self._from_index(source, path)
        return self._texts[key]

    def may_differ(self, source: SourceCommit, path: str) -> bool:
        """Return whether secrets were struck out here, which an other version may do otherwise."""
        return (source, path) in self._struck_out

    def _from_clone(self, source: SourceCommit, path: str) -> str | None:
        root = self.clones.root(source)
        found = None if root is None else committed_source(root, source.commit, path)
        if found is None:
            return None
        clean = redacted(found.text)
        if clean.kinds:
            self._struck_out.add((source, path))
        return clean.text

    def _from_index(self, source: SourceCommit, path: str) -> str | None:
        if self._organisation is None:
            return None
        with self._organisation.reading() as conn:
            for head in visible_heads(conn):
                if (head.name, head.commit) == (source.name, source.commit):
                    return PostgresRows(conn, head).text(path)
        return None


def check_commits(
    document: Document,
    folder: Path,
    clone_folders: Sequence[str],
    organisation: Organisation | None = None,
    stop: StopFlag | None = None,
    near: Sequence[Path] = (),
) -> CommitsCheck:
    """Return what became of a document about an organisation's repositories.

    A commit stays what it is: a reference is good as long as its lines are those of the commit,
    whatever the code is today. What neither a clone nor the index has is not checked.

    Args:
        document: As it was read.
        folder: Where it lies.
        clone_folders: Folders in which clones lie.
        organisation: Whose index is asked for what no clone has; none if None.
        stop: Ends the work early when set.
        near: More places around which clones may lie.

    Raises:
        OrganisationUnavailable: The index was to be asked, and cannot be.
    """
    sources = document.front.sources
    texts = CommitTexts([folder, *near], clone_folders, organisation)
    links = CommitLinks(sources, folder, texts.clones)
    known = {item.reference.path for item in document.references}
    code = CachedCode(lambda: known, lambda path: _read(links, texts, path))
    search = Reanchoring(AnchorFiles(code), document.references)
    found: list[Reanchored] = []
    unchecked: Counter[str] = Counter()
    for item in document.references:
        if stop is not None:
            stop.check()
        why = _why_unchecked(links, texts, item.reference, asked=organisation is not None)
        if not why:
            now = search.one(item)
            if now.reference.state in _GOOD or not _may_differ(links, texts, item.reference):
                found.append(now)
                continue
            why = f"secrets were struck out of {item.reference.path}"
        unchecked[why] += 1
        reference = replace(item.reference, state=RefState.UNCHECKED)
        found.append(Reanchored(reference))
    in_text = document.links(links)
    check = document_state(document, in_text, found)
    # What has no page at a forge may never have been a link: the text lacks none then.
    listed = [
        was if now.change == "removed" and not _has_page(links, was.reference) else now
        for was, now in zip(found, check.references, strict=False)
    ]
    return CommitsCheck(
        replace(check, references=(*listed, *check.references[len(found) :])),
        tuple(
            f"{n} {'reference was' if n == 1 else 'references were'} not checked: {why}."
            for why, n in unchecked.items()
        ),
        len({link.target for link in in_text if _is_other_now(links, link)}),
    )


def _has_page(links: CommitLinks, reference: CodeReference) -> bool:
    split = links.split(reference.path)
    return split is not None and permalink(*split) is not None


def _is_other_now(links: CommitLinks, link: BodyLink) -> bool:
    """Return whether a link opens a file here whose lines are not those of the commit any more."""
    split = links.split(link.path)
    file = link.target.partition("#")[0]
    if split is None or "://" in file or not link.line_start or links.path_of(file) != link.path:
        return False
    return not links.clones.holds(*split, link.line_start, link.line_end)


def _read(links: CommitLinks, texts: CommitTexts, path: str) -> SourceText:
    split = links.split(path)
    text = None if split is None else texts.text(*split)
    if text is None:
        raise NotFound(f"The commit has no {path!r} here.")
    return SourceText(path, text, "utf-8")


def _may_differ(links: CommitLinks, texts: CommitTexts, reference: CodeReference) -> bool:
    split = links.split(reference.path)
    return split is not None and texts.may_differ(*split)


def _why_unchecked(
    links: CommitLinks, texts: CommitTexts, reference: CodeReference, *, asked: bool
) -> str:
    """Return why a reference cannot be checked here; empty if it can."""
    split = links.split(reference.path)
    if split is None:
        return "the document does not say at which commit"
    source, path = split
    if texts.text(source, path) is not None:
        return ""
    what = f"{source.name} at commit {source.commit[:_SHORT]}"
    if texts.clones.root(source) is None:
        here = "has no clone here"
    else:
        here = f"has a clone here without that commit, or without {path!r} in it"
    there = (
        "and the organisation's index does not have it any more" if asked
        else "and the organisation's index was not asked (--at ADDRESS)"
    )  # fmt: skip
    return f"{what} {here}, {there}"
