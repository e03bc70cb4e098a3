"""Packages that are folders: what an import of one leads to."""

from __future__ import annotations

import re
from posixpath import basename, dirname
from typing import TYPE_CHECKING

from analysis.references.grammars.visible import Seen

if TYPE_CHECKING:
    from analysis.references.grammars.meaning import Meanings
    from analysis.references.grammars.source import SourceFile


class FolderPackages:
    """Finds what a name is in a package that a file imports by the path of its folder."""

    def __init__(self, meanings: Meanings) -> None:
        self._meanings = meanings
        self._roots: list[tuple[str, str]] | None = None

    def member(self, file: SourceFile, parts: list[str], text: str) -> Seen | None:
        """Return what a name is in a package of Go; nothing of ours if that is another's."""
        visible = self._meanings.visible
        bound = visible.imported(file, parts[0])
        if not bound:
            bound = [
                item
                for _, item in visible.imports(file)
                if (folder := self._folder(file, item.path)) is not None
                and self._package_in(folder) == parts[0]
            ]
        if not bound:
            return None
        folders = [self._folder(file, item.path) for item in bound]
        named = visible.candidates(file, text)
        rows = [
            row
            for row in named
            if dirname(row.path) in folders
            and row.info.qualified_name == text
            and not self._meanings.files.package(row.path).endswith("_test")
        ]
        return Seen(tuple(rows), is_known=True)

    def _package_in(self, folder: str) -> str:
        for path in self._meanings.code.paths():
            if dirname(path) == folder and path.endswith(".go") and not path.endswith("_test.go"):
                return self._meanings.files.package(path)
        return ""

    def _folder(self, file: SourceFile, path: tuple[str, ...]) -> str | None:
        """Return the folder of a package that is imported by its path; None if it is not here."""
        if self._roots is None:
            self._roots = self._read_roots()
        wanted = "/".join(path)
        for name, folder in self._roots:
            if wanted == name or wanted.startswith(f"{name}/"):
                return f"{folder}{wanted[len(name) :]}".strip("/")
        return None

    def _read_roots(self) -> list[tuple[str, str]]:
        code = self._meanings.code
        found: list[tuple[str, str]] = []
        vendored: dict[str, str] = {}
        for path in code.paths():
            if basename(path) == "go.mod":
                match = re.search(r"^module\s+(\S+)", code.text(path), re.MULTILINE)
                if match:
                    found.append((match[1].strip('"'), dirname(path)))
            folder = dirname(path)
            at = f"/{folder}".rfind("/vendor/")
            if at >= 0 and path.endswith(".go"):
                vendored[folder[at + len("/vendor/") - 1 :].lstrip("/")] = folder
        found += vendored.items()
        return sorted(found, key=lambda item: -len(item[0]))
