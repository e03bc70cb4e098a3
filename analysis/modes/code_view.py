"""The code base as documents see it, over files and index."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from analysis.documents import CachedCode

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex
    from analysis.models import FileOutline, SymbolInfo


def code_view(
    access: SmartFileAccess,
    index: Callable[[], CodeIndex],
    outline: Callable[[str], FileOutline],
) -> CachedCode:
    """Return a view that reads and outlines every file at most once.

    Args:
        access: The code base.
        index: Its index, asked for when a name or the list of files is wanted.
        outline: Outlines one file, or raises a ``ScopeError``.
    """

    def named(name: str) -> list[tuple[str, SymbolInfo]]:
        return [(row.path, row.info) for row in index().symbols_named(name)]

    return CachedCode(lambda: index().file_table().paths, access.files.read, outline, named)
