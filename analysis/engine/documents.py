"""The documents about one code base: what became of their references, for every front end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.engine.code_base import CodeBase
from analysis.errors import BadInput, ScopeError

if TYPE_CHECKING:
    from analysis.documents import DocumentCheck, FrontMatter, Links
    from analysis.documents.export import Exported
    from analysis.index.code_index import CodeIndex
    from analysis.index.difference import OnProgress
    from analysis.models import SymbolInfo
    from analysis.stopping import StopFlag


class LiveCode:
    """Code as it is at this moment, unsaved buffers included; each file is read at most once.

    Files that a document cites are read and parsed here, so that an edit is seen without waiting
    for the index. The index is asked only for what is not where it was.

    Args:
        code_base: The code base.
        index: Returns its index as it is to be asked; as it is at this moment if None.
    """

    def __init__(self, code_base: CodeBase, index: Callable[[], CodeIndex] | None = None) -> None:
        self._code_base = code_base
        self._index = index or (lambda: code_base.index)
        self._texts: dict[str, str | None] = {}
        self._symbols: dict[str, tuple[SymbolInfo, ...]] = {}

    def paths(self) -> frozenset[str]:
        """Return the paths of all files in the index."""
        return frozenset(self._index().file_table().paths)

    def lines(self, path: str) -> Sequence[str] | None:
        """Return a file's lines without their ends; None if there is no such readable file."""
        from analysis.workspace.decoding import split_lines

        text = self._text(path)
        return None if text is None else split_lines(text)

    def symbols(self, path: str) -> Sequence[SymbolInfo]:
        """Return all definitions of a file, outer ones before the ones inside them."""
        from analysis.parsing.find_symbols import walk
        from analysis.parsing.outline import outline_of

        if path not in self._symbols:
            text = self._text(path)
            self._symbols[path] = () if text is None else tuple(walk(outline_of(path, text)))
        return self._symbols[path]

    def named(self, name: str) -> Sequence[tuple[str, SymbolInfo]]:
        """Return path and definition of everything of that plain name in the index."""
        return [(row.path, row.info) for row in self._index().symbols_named(name)]

    def _text(self, path: str) -> str | None:
        if path not in self._texts:
            files = self._code_base.files
            # To read what is not there would look for what it may have been meant for.
            there = files.buffers.get(path) is not None or files.absolute(path).is_file()
            try:
                self._texts[path] = files.read(path).text if there else None
            except ScopeError:
                self._texts[path] = None
        return self._texts[path]


class DocumentVerifier:
    """Checks documents on the disk, one after the other; each file of code is read once.

    Args:
        code_base: The code base; its index is brought up to date when it is first needed.
        stop: Ends the work early when set.
        on_progress: Told how many of the files are in the index, if some have to be read.
    """

    def __init__(
        self,
        code_base: CodeBase,
        stop: StopFlag | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        from analysis.documents.anchor_files import AnchorFiles

        self._code_base, self._stop = code_base, stop
        view = code_base.view(stop, on_progress)
        self._files = AnchorFiles(view, GitRenames(code_base, view.paths))

    def check(self, path: Path) -> DocumentCheck:
        """Return what became of a document.

        Raises:
            BadInput: It cannot be read or is not one of ours.
        """
        from analysis.documents import check_document, read_document

        document = read_document(path)
        links = document_links(self._code_base, path, document.front)
        return check_document(document, links, self._files, self._stop)

    def correct(self, path: Path) -> DocumentCheck:
        """Write a document anew with the references that have moved at their new places.

        Returns:
            What became of it; what was corrected is called so, at its new place.

        Raises:
            BadInput: It cannot be read or is not one of ours.
            OutputUnwritable: It cannot be written; it is as it was then.
        """
        from analysis.documents.correct import as_corrected
        from analysis.documents.parse import with_line_ends_of
        from analysis.workspace.atomic import write_atomically

        check, text = self._corrected(path)
        if text is None:
            return check
        write_atomically(path, with_line_ends_of(path, text))
        return as_corrected(check, self.check(path))

    def current(self, path: Path) -> tuple[DocumentCheck, str]:
        """Return what became of a document, and its text with moved references at their new places.

        Nothing is written.

        Raises:
            BadInput: It cannot be read or is not one of ours.
        """
        from analysis.documents import read_document

        check, text = self._corrected(path)
        return check, read_document(path).text if text is None else text

    def _corrected(self, path: Path) -> tuple[DocumentCheck, str | None]:
        """Return what became of a document, and its corrected text if anything can be mended."""
        from analysis.documents import check_document, corrected_text, read_document

        document = read_document(path)
        links = document_links(self._code_base, path, document.front)
        check = check_document(document, links, self._files, self._stop)
        return check, corrected_text(document, check, links, self._files)

    def export(self, path: Path) -> Exported:
        """Return a document with permalinks to the commit that is checked out.

        Raises:
            BadInput: It cannot be read or is not one of ours; or there is no commit, or no host
                that shows it.
        """
        from analysis.documents import Permalinks, check_document, read_document
        from analysis.documents.export import exported
        from analysis.workspace.committed import commit_of

        commit = commit_of(self._code_base.root)
        permalinks = None if commit is None else Permalinks(commit.url, commit.name)
        if commit is None or permalinks is None or permalinks.target("x") is None:
            raise BadInput(
                f"There are no permalinks for {str(self._code_base.root)!r}.",
                "It takes a git repository with a commit, and a remote 'origin' with web pages.",
            )
        document = read_document(path)
        links = document_links(self._code_base, path, document.front)
        check = check_document(document, links, self._files, self._stop)
        return exported(document, document.links(links), check, permalinks, commit.holds)


class GitRenames:
    """What git knows of renamed files of a code base; it is asked when a file is gone.

    Args:
        code_base: The code base.
        paths: Gives the files that there are.
    """

    def __init__(self, code_base: CodeBase, paths: Callable[[], frozenset[str]]) -> None:
        self._code_base, self._paths = code_base, paths
        self._renames: dict[str, Mapping[str, tuple[str, ...]]] = {}

    def __call__(self, path: str) -> str | None:
        """Return what a file that is gone is called now; None if git does not say."""
        from analysis.workspace.git_renames import current_name, git_renames

        for label, root in self._code_base.files.folders().items():
            prefix = f"{label}/" if label else ""
            if not path.startswith(prefix):
                continue
            if label not in self._renames:
                self._renames[label] = git_renames(root)
            inside = frozenset(p[len(prefix) :] for p in self._paths() if p.startswith(prefix))
            found = current_name(path[len(prefix) :], self._renames[label], inside)
            return None if found is None else prefix + found
        return None


def document_links(code_base: CodeBase, document: Path, front: FrontMatter) -> Links:
    """Return where the links of a document about a code base point to.

    Args:
        code_base: The code base.
        document: Where the document lies.
        front: What its front matter says; of a clone's document the links are permalinks.
    """
    from analysis.documents import OutputTarget

    folders = code_base.files.folders()
    return OutputTarget(
        root=code_base.root,
        folder=document.absolute().parent,
        url=front.source_repo if front.source_commit else None,
        commit=front.source_commit,
        folders=None if set(folders) == {""} else folders,
    ).links()
