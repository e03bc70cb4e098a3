"""Which files load a module, and what becomes of the module itself."""

from __future__ import annotations

import re
from posixpath import basename, dirname, splitext
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import B, O, U
from analysis.parsing.facts.rows import Occurrence, position
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import ModuleValue

if TYPE_CHECKING:
    from analysis.references.search.resolver import CodeResolver

_WORD = re.compile(r"[^\W\d]\w*")
# What stands for the folder that it lies in.
_FOLDER_FILES = ("index", "__init__", "main")
_LOADING = ("require", "from", "import")
_HANDED_ON = (U.VALUE, U.ALIAS)


class Importers:
    """Finds the files in which a module is loaded."""

    def __init__(self, resolver: CodeResolver) -> None:
        self._resolver = resolver
        self._found: dict[str, list[str]] = {}

    def candidates(self, path: str) -> list[str]:
        """Return the files that can load a module; those that do are among them."""
        if path not in self._found:
            self._found[path] = self._candidates(path)
        return self._found[path]

    def _candidates(self, path: str) -> list[str]:
        stem = splitext(path)[0].removesuffix(".d")
        name = basename(stem)
        parts = [name]
        if name in _FOLDER_FILES:
            parts.append(basename(dirname(stem)))
        words = {_longest_word(part) for part in parts} - {""}
        found: set[str] = set()
        files_with = self._resolver.library.files_with_identifier
        if is_script(path):
            words |= {
                _longest_word(prefix) for prefix in self._resolver.scripts.words_for(path)
            } - {""}
        for word in words:
            found.update(files_with(word))
        if is_script(path) and name in _FOLDER_FILES:
            # ``require("..")`` names nothing that could be looked for.
            folder = dirname(path)
            for word in _LOADING:
                found.update(p for p in files_with(word) if f"{p}/".startswith(f"{folder}/"))
        return sorted(item for item in found if is_script(item) is is_script(path))


class Escapes:
    """Tells whether a module is handed on as a value, so that any object could be it."""

    def __init__(self, resolver: CodeResolver, importers: Importers) -> None:
        self._resolver = resolver
        self._importers = importers
        self._known: dict[str, bool] = {}

    def module(self, path: str) -> bool:
        """Return whether a module itself is used as a value anywhere."""
        if not dirname(path) and basename(splitext(path)[0]) == "__init__":
            # The root's own package has no name among the files.
            return True
        if path not in self._known:
            # What is asked for while it is found out is told by the outer question.
            self._known[path] = False
            self._known[path] = any(
                self._is_handed_on(path, file) for file in self._importers.candidates(path)
            )
        return self._known[path]

    def _is_handed_on(self, module: str, file: str) -> bool:
        """Return whether a file uses a module as a value."""
        facts = self._resolver.facts(file)
        wanted = ModuleValue(module)
        rows = facts.occurrences_of(facts.name_id(_module_name(module)))
        if any(self._is_value(file, facts, row, wanted) for row in rows):
            return True
        names = self._resolver.names
        bound = {facts.bindings[i].name: i for row in rows for i in _bound_by(facts, row)}
        if is_script(file):
            loading = [*facts.bindings_of_kind(B.FROM), *facts.bindings_of_kind(B.IMPORT)]
            bound |= {facts.bindings[index].name: index for index in loading}
        for name, index in bound.items():
            uses = (row for row in facts.occurrences_of(name) if row.kind == O.NAME)
            is_used = any(row.use in _HANDED_ON for row in uses)
            if is_used and wanted in names.definitions(file, (index,)):
                return True
        return any(
            row.kind == O.MODULE
            and row.use in _HANDED_ON
            and names.module(file, facts.names[row.name], 0) == wanted
            for row in (facts.occurrences if is_script(file) else ())
        )

    def _is_value(self, file: str, facts: Facts, row: Occurrence, wanted: ModuleValue) -> bool:
        """Return whether a module is handed on by its own name, or named in a string."""
        if row.kind == O.PATH:
            dotted = splitext(wanted.path)[0].removesuffix("/__init__").replace("/", ".")
            return f".{dotted}".endswith(f".{facts.names[row.reference]}")
        if row.use not in _HANDED_ON or row.kind not in (O.NAME, O.ATTRIBUTE):
            return False
        if row.kind == O.NAME:
            index = facts.name_row(row.name)
        else:
            index = facts.attribute_row(row.reference, row.name)
        place = position(row.line, row.column)
        return wanted in self._resolver.infer(file, row.scope, index, place)


def _bound_by(facts: Facts, row: Occurrence) -> list[int]:
    """Return the bindings that an import of a module under another name makes."""
    if row.kind == O.FROM:
        return facts.bindings_of(B.FROM, row.reference)
    return facts.bindings_of(B.IMPORT, row.reference) if row.kind == O.IMPORT else []


def _module_name(path: str) -> str:
    stem = splitext(path)[0]
    return basename(dirname(stem)) if basename(stem) in _FOLDER_FILES else basename(stem)


def _longest_word(text: str) -> str:
    """Return the longest identifier in a text, nothing if there is none."""
    return max(_WORD.findall(text), key=len, default="")
