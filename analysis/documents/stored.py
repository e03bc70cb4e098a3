"""The code index as documents see it: only what is of the text that was read counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from analysis.documents.code import CachedCode
from analysis.index.content_hash import content_hash

if TYPE_CHECKING:
    from analysis.index.code_index import CodeIndex
    from analysis.models import FileOutline, SourceText, SymbolInfo


def indexed_code(index: CodeIndex, read: Callable[[str], SourceText]) -> CachedCode:
    """Return the code base as it is now: each file is read anew, once.

    Args:
        index: Its index. A file that it knows otherwise is read again with the next refresh.
        read: Reads one file, or raises a ``ScopeError``.
    """
    return CachedCode(lambda: index.file_table().paths, read, IndexStore(lambda: index))


def lazily_indexed_code(
    index: Callable[[], CodeIndex], read: Callable[[str], SourceText]
) -> CachedCode:
    """Return the code base as it is now; its index is only asked for what files do not tell.

    Args:
        index: Returns the index, brought up to date.
        read: Reads one file, or raises a ``ScopeError``.
    """
    store = IndexStore(index, with_outlines=False)
    return CachedCode(lambda: index().file_table().paths, read, store)


class IndexStore:
    """What is kept of a code base, by its index."""

    def __init__(self, index: Callable[[], CodeIndex], *, with_outlines: bool = True) -> None:
        self._index = index
        self._with_outlines = with_outlines

    def is_current(self, path: str, text: str) -> bool:
        """Return whether the index has this very text; a file that differs is read again."""
        if not self._with_outlines:
            return False
        index = self._index()
        with index.view() as view:
            known = view.content_hash(path)
        if known is None or known == content_hash(text):
            return known is not None
        index.distrust([path])
        return False

    def outline(self, path: str) -> FileOutline:
        """Return the outline that the index has of a file."""
        return self._index().outline(path)

    def symbols_named(self, name: str) -> list[tuple[str, SymbolInfo]]:
        """Return path and definition of everything of a plain name."""
        return [(row.path, row.info) for row in self._index().symbols_named(name)]

    def spells(self, name: str) -> bool:
        """Return whether a plain name stands in any file."""
        return bool(self._index().files_with_identifier(name))
