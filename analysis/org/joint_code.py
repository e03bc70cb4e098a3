"""Two repositories as one code base, so that a use in one is resolved to a definition in the other.

Each lies in a folder of its own, as packages of one monorepo do; what is known of a monorepo's
imports holds for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.errors import NotFound
from analysis.index.symbols import SymbolRow

if TYPE_CHECKING:
    from analysis.index.view import IndexView
    from analysis.models import SourceText
    from analysis.org.stored_rows import PostgresRows

MAKER, USER = "package", "user"
"""The folders: of the repository that makes a package, and of the one that may use it."""


class JointCode:
    """What a search for uses needs of two repositories; all of it is read in one transaction."""

    def __init__(
        self, maker: tuple[IndexView, PostgresRows], user: tuple[IndexView, PostgresRows]
    ) -> None:
        self._parts = {MAKER: maker, USER: user}
        self.root = Path("/")

    @contextmanager
    def view(self) -> Iterator[JointCode]:
        """Return itself: there is one state only."""
        yield self

    @property
    def generation(self) -> object:
        """The same object for the same state."""
        return self

    def all_paths(self) -> Sequence[str]:
        """Return the files of both."""
        return [
            f"{folder}/{path}"
            for folder, (view, _) in self._parts.items()
            for path in view.file_table().paths
        ]

    def facts(self, path: str) -> bytes:
        """Return a file's packed facts."""
        view, _, inner = self._of(path)
        return view.facts(inner)

    def files_with_identifier(self, name: str) -> list[str]:
        """Return the files in which an identifier stands."""
        return [
            f"{folder}/{path}"
            for folder, (view, _) in self._parts.items()
            for path in view.files_with_identifier(name)
        ]

    def symbols_named(self, name: str) -> list[SymbolRow]:
        """Return the definitions with a plain name."""
        return [
            SymbolRow(f"{folder}/{row.path}", row.info, row.parent)
            for folder, (view, _) in self._parts.items()
            for row in view.symbols_named(name)
        ]

    def symbols_in(self, path: str) -> list[SymbolRow]:
        """Return the definitions of a file."""
        view, _, inner = self._of(path)
        return [SymbolRow(path, row.info, row.parent) for row in view.symbols_in(inner)]

    def read(self, path: str) -> SourceText:
        """Return the stored text of a file.

        Raises:
            NotFound: There is no such file.
        """
        _, rows, inner = self._of(path)
        source = rows.load(inner).source
        if source is None:
            raise NotFound(f"The file {path!r} is not stored.")
        return source

    def _of(self, path: str) -> tuple[IndexView, PostgresRows, str]:
        folder, _, inner = path.partition("/")
        if folder not in self._parts:
            raise NotFound(f"The file {path!r} is not stored.")
        return (*self._parts[folder], inner)
