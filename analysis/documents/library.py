"""The documents of a workspace and the states of their references, kept while code changes.

Documents are found by the files that they cite: an edit of one file makes only the references to
it be looked for again. What cannot be found where it was is looked for again, too, when a file
changes that defines its symbol.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis.documents.anchor_files import AnchoredCode, AnchorFiles
from analysis.documents.body_links import BodyLink
from analysis.documents.citing import CitingReference, citing_references
from analysis.documents.document_check import DocumentCheck, document_state
from analysis.documents.links import Links
from analysis.documents.parse import Document, parse_document
from analysis.documents.reanchor import Reanchoring
from analysis.documents.reanchored import Reanchored
from analysis.models import RefState
from analysis.stopping import StopFlag

Rewrite = Callable[[Document, DocumentCheck, Links, AnchorFiles], str | None]
_NOWHERE = frozenset({RefState.GONE, RefState.AMBIGUOUS, RefState.CHANGED})


@dataclass
class _Held:
    """One document, and what is known of its references."""

    text: str
    document: Document
    where: Links
    links: tuple[BodyLink, ...]
    found: list[Reanchored | None] = field(default_factory=list)
    """For each of its references; None where it has to be looked for."""
    checked: DocumentCheck | None = None
    """What all that comes to; None until it is asked for."""


class DocumentLibrary:
    """Holds documents and answers what became of them; safe to use from several threads.

    Args:
        code: The code base as it is now.
        renamed: Says what a file that is gone is called now, where that was written down.
    """

    def __init__(
        self, code: AnchoredCode, renamed: Callable[[str], str | None] | None = None
    ) -> None:
        self._files = AnchorFiles(code, renamed)
        self._held: dict[Path, _Held] = {}
        self._by_file: dict[str, set[Path]] = {}
        self._lock = threading.RLock()

    def put(self, path: Path, text: str, links: Links) -> None:
        """Hold a document; the text counts, saved or not.

        Args:
            path: Where it lies.
            text: What is in it.
            links: Where its links point to.

        Raises:
            BadInput: It is no document of ours.
        """
        with self._lock:
            held = self._held.get(path)
            if held is not None and held.text == text:
                return
            document = parse_document(text)
            found: list[Reanchored | None] = [None] * len(document.references)
            if held is not None and held.document.references == document.references:
                found = held.found
            self.remove(path)
            self._held[path] = _Held(text, document, links, document.links(links), found)
            for item in document.references:
                self._by_file.setdefault(item.reference.path, set()).add(path)

    def remove(self, path: Path) -> None:
        """Forget a document."""
        with self._lock:
            if self._held.pop(path, None) is not None:
                for documents in self._by_file.values():
                    documents.discard(path)

    def documents(self) -> tuple[Path, ...]:
        """Return where all held documents lie, in their order."""
        with self._lock:
            return tuple(sorted(self._held))

    def cited_files(self) -> frozenset[str]:
        """Return the files that documents cite; others need not be watched."""
        with self._lock:
            return frozenset(path for path, documents in self._by_file.items() if documents)

    def citing(self, path: str) -> tuple[Path, ...]:
        """Return the documents that cite a file."""
        with self._lock:
            return tuple(sorted(self._by_file.get(path, ())))

    def citations(
        self,
        path: str,
        line_start: int | None = None,
        line_end: int | None = None,
        stop: StopFlag | None = None,
    ) -> tuple[CitingReference, ...]:
        """Return the references of held documents to a file, or to lines of it, as it is now.

        What is not known yet is looked for, so that no reference is missing; for that only files
        are read that a document cites, or that a cited one may have become.

        Args:
            path: The file, as it is called now.
            line_start: First line that counts, 1-based; None for the whole file.
            line_end: Last line that counts; None for the first one alone.
            stop: Ends the work early when set.
        """
        return tuple(
            item
            for document in self.documents()
            if (check := self._check_if_held(document, stop)) is not None
            for item in citing_references(document, check, path, line_start, line_end)
        )

    def changed(self, code: AnchoredCode, paths: Iterable[str] | None = None) -> tuple[Path, ...]:
        """Take note that code changed, and return the documents whose states may be others now.

        Args:
            code: The code as it is now.
            paths: The files that changed, were added or are gone; None if any of them may have.
        """
        with self._lock:
            known = None if paths is None else set(paths)
            self._files.look_again(code, known)
            if known is None:
                for held in self._held.values():
                    held.found, held.checked = [None] * len(held.found), None
                return self.documents()
            names = _Names(code, known)
            return tuple(
                path for path in sorted(self._held) if _forget(self._held[path], known, names)
            )

    def check(self, path: Path, stop: StopFlag | None = None) -> DocumentCheck:
        """Return the state of a document; only what may have changed is looked at.

        Raises:
            KeyError: It is not held.
        """
        with self._lock:
            held = self._held[path]
            if held.checked is not None:
                return held.checked
            stored = held.document.references
            search: Reanchoring | None = None
            for number, item in enumerate(stored):
                if held.found[number] is None:
                    search = search or Reanchoring(self._files, stored)
                    if stop is not None:
                        stop.check()
                    held.found[number] = search.one(item)
            found = [item for item in held.found if item is not None]
            held.checked = document_state(held.document, held.links, found)
            return held.checked

    def _check_if_held(self, path: Path, stop: StopFlag | None) -> DocumentCheck | None:
        """Return the state of a document; None if it was forgotten in the meantime."""
        with self._lock:
            return self.check(path, stop) if path in self._held else None

    def document(self, path: Path) -> Document:
        """Return a document as it is held.

        Raises:
            KeyError: It is not held.
        """
        with self._lock:
            return self._held[path].document

    def links(self, path: Path) -> tuple[BodyLink, ...]:
        """Return the links of a document's text into the code, in order.

        Raises:
            KeyError: It is not held.
        """
        with self._lock:
            return self._held[path].links

    def rewritten(self, path: Path, rewrite: Rewrite) -> str | None:
        """Return the text that a document is to have; None if it is to stay.

        Args:
            path: Where it lies.
            rewrite: Given the document, its check, where its links point to, and the code.

        Raises:
            KeyError: It is not held.
        """
        with self._lock:
            held = self._held[path]
            return rewrite(held.document, self.check(path), held.where, self._files)


class _Names:
    """The names that changed files define, asked for only if somebody needs them."""

    def __init__(self, code: AnchoredCode, paths: Iterable[str]) -> None:
        self._code, self._paths = code, paths
        self._names: frozenset[str] | None = None

    def __contains__(self, symbol: str | None) -> bool:
        if self._names is None:
            self._names = frozenset(
                info.name for path in self._paths for info in self._code.symbols(path)
            )
        return symbol is not None and symbol.rpartition(".")[2] in self._names


def _forget(held: _Held, paths: set[str], names: _Names) -> bool:
    """Forget what depends on changed files; return whether anything does."""
    touched = False
    stored: Sequence[object] = held.document.references
    for number in range(len(stored)):
        item = held.found[number]
        if item is None:
            touched = True
            continue
        reference = item.reference
        here = {reference.path, item.new_path or reference.path}
        lost = reference.state in _NOWHERE and reference.symbol in names
        if not here.isdisjoint(paths) or lost:
            held.found[number] = None
            touched = True
    if touched:
        held.checked = None
    return touched
