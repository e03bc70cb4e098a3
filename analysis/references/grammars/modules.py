"""What is looked up in a package, namespace or module rather than in an object."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analysis.references.grammars.bindings import local_binding
from analysis.references.grammars.classes import CLASS_KINDS
from analysis.references.grammars.folder_packages import FolderPackages
from analysis.references.grammars.path_modules import RELATIVE, PathModules
from analysis.references.grammars.visible import Seen

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.index.symbols import SymbolRow
    from analysis.references.grammars.meaning import Meanings
    from analysis.references.grammars.source import SourceFile

_PATH = re.compile(r"[\w$]+(?:\s*(?:\.|::|\\)\s*[\w$]+)*\Z|\\[\w\\]+\Z")


class Modules:
    """Finds what a name is in a package or module."""

    def __init__(self, meanings: Meanings) -> None:
        self._meanings = meanings
        self._folders = FolderPackages(meanings)
        self._paths = PathModules(meanings)

    def members(self, file: SourceFile, receiver: Node, text: str) -> Seen | None:
        """Return what a name is in a receiver; None if that is no package or module."""
        around = receiver.parent
        if around is not None and around.type in file.rules.values:
            return None
        written = file.text(receiver)
        is_relative = file.rules.uses_paths and written in RELATIVE
        is_object = written in file.rules.own | file.rules.parents
        if not is_relative and (is_object or not _PATH.match(written)):
            return None
        parts = [part for part in re.split(r"\.|::|\\", re.sub(r"\s", "", written)) if part]
        if not parts or local_binding(file, receiver, parts[0]) is not None:
            return None
        if file.rules.sees == "folder":
            return self._folders.member(file, parts, text) if len(parts) == 1 else None
        if file.rules.uses_paths:
            return self._paths.member(file, receiver, parts, text)
        return self._in_namespace(file, receiver, parts, text)

    def of_path(self, file: SourceFile, node: Node, parts: list[str], text: str) -> Seen | None:
        """Return what a name is at the end of a path; None if nobody knows."""
        return self._in_namespace(file, node, parts, text)

    def _in_namespace(
        self, file: SourceFile, receiver: Node, parts: list[str], text: str
    ) -> Seen | None:
        """Return what a full name is, or one that begins in a namespace that is seen."""
        visible = self._meanings.visible
        rules = file.rules
        named = visible.candidates(file, text)
        if rules.sees == "file":
            if not self._is_own(file, parts[0]):
                return None
            named = [row for row in named if row.path == file.path]
        written = ".".join(parts)
        begins = [".".join([*item.path, *parts[1:]]) for item in visible.imported(file, parts[0])]
        around = [*visible.prefixes(file, receiver), ""]
        if rules.class_modules:
            classes = [row for row in file.around(receiver) if row.info.kind in CLASS_KINDS]
            around += [row.info.qualified_name for row in classes]
        wanted = {f"{begin}.{text}" for begin in begins} or {
            f"{prefix}.{written}.{text}" if prefix else f"{written}.{text}" for prefix in around
        }
        rows = [row for row in named if visible.full_name(row) in wanted]
        is_open = rules.class_modules
        rows = [r for r in rows if is_open or r.info.kind in CLASS_KINDS or r.parent is None]
        if not rows and is_open and rules.sees == "code base":
            return self._in_class_module(file, parts, begins)
        return Seen(tuple(rows), is_known=True) if rows else None

    def _is_own(self, file: SourceFile, name: str) -> bool:
        """Return whether a file makes what a name holds."""
        foreign = file.rules.foreign
        rows = [r for r in self._meanings.visible.candidates(file, name) if r.path == file.path]
        return bool(rows) and not any(
            foreign and re.search(foreign, row.info.signature) for row in rows
        )

    def _in_class_module(
        self, file: SourceFile, parts: list[str], begins: list[str]
    ) -> Seen | None:
        """Return that a name is nothing of ours if the module that it is looked up in is not."""
        if not parts[0][:1].isupper():
            return None
        visible = self._meanings.visible
        named = visible.candidates(file, (begins[0] if begins else parts[-1]).rpartition(".")[2])
        last = parts[-1]
        named += [r for r in visible.candidates(file, last) if r not in named]
        return Seen(is_known=True) if not named else None

    def plain(
        self, file: SourceFile, node: Node, text: str, named: list[SymbolRow]
    ) -> tuple[SymbolRow, ...] | None:
        """Return what a name is in the module around; None if it comes from outside."""
        return self._paths.plain(file, node, text, named)
