"""The documents about a code base that are held, with the states of their references.

A document need not be about the whole code base: its root may be a folder of it, or one of several
folders that are open together. Then its paths are relative to that folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.engine.code_base import CodeBase
from analysis.engine.documents import GitRenames, LiveCode, document_links
from analysis.errors import BadInput

if TYPE_CHECKING:
    from analysis.documents import Document, DocumentCheck, Links
    from analysis.documents.body_links import BodyLink
    from analysis.documents.citing import CitingReference
    from analysis.documents.library import DocumentLibrary, Rewrite
    from analysis.index.code_index import CodeIndex
    from analysis.models import SymbolInfo
    from analysis.stopping import StopFlag


class DocumentStates:
    """Documents about a code base and their states, as the user sees code and documents.

    Unsaved buffers count. The index is brought up to date when it is first needed, which is for
    code that is not where it was; after that whoever knows of changes tells it first, and then
    ``changed``.

    Args:
        code_base: The code base.
    """

    def __init__(self, code_base: CodeBase) -> None:
        self._code_base = code_base
        self._libraries: dict[str, DocumentLibrary] = {}
        self._prefixes: dict[Path, str] = {}
        self._is_indexed = False

    @property
    def library(self) -> DocumentLibrary:
        """The documents about the code base as a whole, by the files that they cite."""
        return self._library("")

    def put(self, document: Path, text: str | None = None) -> None:
        """Hold a document.

        Args:
            document: Where it lies; absolute.
            text: What the editor shows of it; None for what is on the disk.

        Raises:
            BadInput: It cannot be read, is no document of ours, or is about other code.
        """
        from analysis.documents.parse import document_text, parse_document

        shown = document_text(document) if text is None else text
        parsed = parse_document(shown)
        prefix = self._prefix_for(document, parsed)
        if self._prefixes.get(document, prefix) != prefix:
            self.remove(document)
        self._library(prefix).put(document, shown, self._links(prefix, document, parsed))
        self._prefixes[document] = prefix

    def remove(self, document: Path) -> None:
        """Forget a document."""
        prefix = self._prefixes.pop(document, None)
        if prefix is not None:
            self._library(prefix).remove(document)

    def documents(self) -> tuple[Path, ...]:
        """Return where all held documents lie, in their order."""
        return tuple(sorted(self._prefixes))

    def prefix(self, document: Path) -> str:
        """Return what stands before a held document's paths in the code base; mostly nothing.

        Raises:
            KeyError: The document is not held.
        """
        return self._prefixes[document]

    def links(self, document: Path) -> tuple[BodyLink, ...]:
        """Return the links of a held document's text into the code, to whole files too.

        Raises:
            KeyError: The document is not held.
        """
        return self._library(self._prefixes[document]).links(document)

    def document(self, document: Path) -> Document:
        """Return a document as it is held.

        Raises:
            KeyError: The document is not held.
        """
        return self._library(self._prefixes[document]).document(document)

    def changed(self, paths: Iterable[str] | None = None) -> tuple[Path, ...]:
        """Take note that code changed, and return the documents whose states may be others now.

        Args:
            paths: The files that changed, relative to the root; None if any of them may have.
        """
        known = None if paths is None else set(paths)
        code = LiveCode(self._code_base, self._index)
        touched: list[Path] = []
        for prefix, library in list(self._libraries.items()):
            view = _FolderCode(code, prefix) if prefix else code
            inside = None if known is None else _below(prefix, known)
            if inside is None or inside:
                touched += library.changed(view, inside)
        return tuple(sorted(touched))

    def citations(
        self,
        path: str,
        line_start: int | None = None,
        line_end: int | None = None,
        stop: StopFlag | None = None,
    ) -> tuple[CitingReference, ...]:
        """Return the references of held documents to a file, or to lines of it, as it is now.

        Args:
            path: The file, relative to the root, as it is called now.
            line_start: First line that counts, 1-based; None for the whole file.
            line_end: Last line that counts; None for the first one alone.
            stop: Ends the work early when set.
        """
        return tuple(
            item
            for prefix, library in list(self._libraries.items())
            if path.startswith(prefix)
            for item in library.citations(path[len(prefix) :], line_start, line_end, stop)
        )

    def check(self, document: Path, stop: StopFlag | None = None) -> DocumentCheck:
        """Return all references of a held document with their present place and state.

        Raises:
            KeyError: The document is not held.
        """
        return self._library(self._prefixes[document]).check(document, stop)

    def rewritten(self, document: Path, rewrite: Rewrite) -> str | None:
        """Return the text that a held document is to have; None if it is to stay.

        Args:
            document: Where it lies.
            rewrite: Given the document, its check, where its links point to, and the code.

        Raises:
            KeyError: The document is not held.
        """
        return self._library(self._prefixes[document]).rewritten(document, rewrite)

    def distrust_index(self) -> None:
        """Bring the index up to date before it is asked the next time."""
        self._is_indexed = False

    def _index(self) -> CodeIndex:
        """Return the index. It is waited for while it is built: what it lacks would seem gone."""
        if not self._is_indexed:
            self._code_base.refresh()
            self._is_indexed = True
        return self._code_base.index

    def _library(self, prefix: str) -> DocumentLibrary:
        """Return what holds the documents about a folder of the code base."""
        if prefix not in self._libraries:
            from analysis.documents.library import DocumentLibrary

            code = LiveCode(self._code_base, self._index)
            renames = GitRenames(self._code_base, code.paths)
            self._libraries[prefix] = (
                DocumentLibrary(_FolderCode(code, prefix), _renamed_below(renames, prefix))
                if prefix
                else DocumentLibrary(code, renames)
            )
        return self._libraries[prefix]

    def _links(self, prefix: str, document: Path, parsed: Document) -> Links:
        if not prefix:
            return document_links(self._code_base, document, parsed.front)
        from analysis.documents import OutputTarget

        root = self._code_base.files.absolute(prefix.rstrip("/"))
        return OutputTarget(root=root, folder=document.absolute().parent).links()

    def _prefix_for(self, document: Path, parsed: Document) -> str:
        """Return what stands before the paths of a document in the code base.

        A document may have been moved by hand, so that its root is another folder now. Where the
        files are that it cites decides.

        Raises:
            BadInput: It is about other code.
        """
        from analysis.documents.front_matter import local_root

        about = None
        try:
            about = self._folder_at(local_root(parsed.front, document))
        except BadInput:
            if parsed.front.is_about_commits:
                raise  # Its links are to a commit, which stays what it is.
        paths = {item.reference.path for item in parsed.references}
        candidates = ["", *([about] if about else [])]
        best = max(candidates, key=lambda prefix: (self._n_files(prefix, paths), prefix == about))
        if paths and not self._n_files(best, paths) and self._leads_elsewhere(document, parsed):
            about = None
        if about is None and not self._n_files(best, paths):
            raise BadInput(
                f"The document {document.name!r} is about other code than what is open.",
                "Open the folder that it is about.",
            )
        return best

    def _folder_at(self, root: Path) -> str | None:
        """Return the prefix of all paths in a folder; None if it is not in the code base."""
        for label, folder in self._code_base.files.folders().items():
            real = Path(os.path.realpath(folder))
            if root.is_relative_to(real):
                inside = root.relative_to(real).as_posix()
                parts = [part for part in (label, inside) if part not in ("", ".")]
                return "".join(f"{part}/" for part in parts)
        return None

    def _n_files(self, prefix: str, paths: Iterable[str]) -> int:
        """Return how many of the paths are files."""
        return sum(self._is_there(prefix + path) for path in paths)

    def _is_there(self, path: str) -> bool:
        files = self._code_base.files
        return files.buffers.get(path) is not None or files.absolute(path).is_file()

    def _leads_elsewhere(self, document: Path, parsed: Document) -> bool:
        """Return whether links lead to files that are there, under other paths than they say."""
        links = parsed.links(document_links(self._code_base, document, parsed.front))
        return any(not link.agrees and self._is_there(link.path) for link in links)


class _FolderCode:
    """The code below a folder, by paths relative to it."""

    def __init__(self, code: LiveCode, prefix: str) -> None:
        self._code, self._prefix = code, prefix

    def paths(self) -> frozenset[str]:
        """Return the paths of all files in the index."""
        return frozenset(_below(self._prefix, self._code.paths()))

    def lines(self, path: str) -> Sequence[str] | None:
        """Return a file's lines without their ends; None if there is no such readable file."""
        return self._code.lines(self._prefix + path)

    def symbols(self, path: str) -> Sequence[SymbolInfo]:
        """Return all definitions of a file, outer ones before the ones inside them."""
        return self._code.symbols(self._prefix + path)

    def named(self, name: str) -> Sequence[tuple[str, SymbolInfo]]:
        """Return path and definition of everything of that plain name in the index."""
        start = len(self._prefix)
        found = self._code.named(name)
        return [(path[start:], info) for path, info in found if path.startswith(self._prefix)]


def _below(prefix: str, paths: Iterable[str]) -> set[str]:
    """Return those of the paths that lie in a folder, relative to it."""
    return {path[len(prefix) :] for path in paths if path.startswith(prefix)}


def _renamed_below(
    renames: Callable[[str], str | None], prefix: str
) -> Callable[[str], str | None]:
    """Return what tells new names of the files in a folder, relative to it."""

    def renamed(path: str) -> str | None:
        new = renames(prefix + path)
        return new[len(prefix) :] if new is not None and new.startswith(prefix) else None

    return renamed
