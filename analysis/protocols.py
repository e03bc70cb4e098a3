"""The protocols behind which implementations can be swapped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from analysis.models import DefinitionPlaces, FileOutline, Position, ReferenceList, SymbolDetail
    from analysis.stopping import StopFlag


class FileAnalysisBackend(Protocol):
    """Semantic operations on files; several implementations stand behind ``SmartFileAccess``."""

    def get_outline(self, file_path: str) -> FileOutline:
        """Return imports and definitions of a file.

        Raises:
            NotFound: There is no such file.
            PathOutsideRoot: The path leads outside the code base.
        """
        ...

    def read_symbol(self, file_path: str, symbol_name: str) -> SymbolDetail | None:
        """Return a definition with its source, by plain or qualified name; None if absent.

        Raises:
            AmbiguousSymbol: Several definitions have that name.
        """
        ...

    def find_references(
        self,
        symbol_name: str,
        scope: str | None,
        *,
        at: Position | None = None,
        stop: StopFlag | None = None,
    ) -> ReferenceList:
        """Return the uses of a symbol, in the files below ``scope`` or everywhere.

        Args:
            symbol_name: Plain or qualified name.
            scope: A file or folder.
            at: A definition or use of the symbol that is meant.
            stop: Ends the search early when set; the list then says so.

        Raises:
            AmbiguousSymbol: Several definitions have that name; the choices are attached.
        """
        ...


class EnhancedBackend(FileAnalysisBackend, Protocol):
    """A backend that also knows what the code base's own syntax does not tell."""

    def find_definition(self, at: Position) -> DefinitionPlaces:
        """Return where the identifier at a place is defined, and who says so."""
        ...

    def describe(self, at: Position) -> str | None:
        """Return the type of the identifier at a place, None if nobody knows it."""
        ...

    def close(self) -> None:
        """End the processes that it started."""
        ...
