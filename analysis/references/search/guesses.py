"""Calls guessed from names alone, where nothing better is known; each is called a guess."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from posixpath import dirname

from analysis.index.symbols import SymbolRow
from analysis.models import CodeEdge, SymbolChoice, SymbolInfo, UseKind
from analysis.parsing.comment_spans import comment_spans
from analysis.parsing.languages import language_of
from analysis.parsing.words import split_identifier
from analysis.references.scopes.script_layout import is_script
from analysis.references.search.session import ResolutionSession
from analysis.workspace.test_files import is_test_file

_CALLED_KINDS = frozenset({"function", "method", "class"})
_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
_CALL = re.compile(
    r"(?P<new>\bnew\s+)?(?P<receiver>[\w)\]]\s*(?:\.|->|::|\?\.)\s*)?(?<![\w$])"
    r"(?P<name>[^\W\d][\w$]*)\s*\("
)
_RECEIVER = re.compile(r"(?P<word>[\w$]*)\s*(?:\.|->|::|\?\.)\s*\Z")
# Words for the object, or its class, that a method belongs to.
_OWN = frozenset({"this", "$this", "self", "Self", "static", "super", "parent", "base"})
# Languages in which what is private is called in its own file alone, parts of classes apart.
_CLOSING = frozenset({"java", "csharp", "php", "kotlin", "swift"})
# What stands before a bracket and is no call, in the usual languages.
_KEYWORDS = frozenset(
    {"if", "for", "while", "switch", "return", "catch", "func", "fn", "fun", "def", "function"}
    | {"sizeof", "defer", "go", "select", "match", "elif", "elseif", "unless", "when", "using"}
    | {"foreach", "lock", "fixed", "typeof", "alignof", "case", "and", "or", "not", "in", "do"}
)
# On an object of unknown type, one word is too common to tell whose method is meant.
_TELLING_WORDS = 2


class Guesses:
    """Finds the one definition that a name can mean."""

    def __init__(self, code: ResolutionSession) -> None:
        self._code = code
        self._named: dict[str, list[SymbolRow]] = {}
        self._texts: dict[str, list[str]] = {}

    def of_unknown(self, path: str, name: str) -> SymbolChoice | None:
        """Return what a call on an object of unknown type may mean; None if that is not clear."""
        if len(split_identifier(name)) < _TELLING_WORDS:
            return None
        found = [
            row
            for row in self._definitions(name)
            if is_script(row.path) is is_script(path) and row.parent is not None
        ]
        return choice_from(found[0]) if len(found) == 1 else None

    def edges_from(self, path: str, sources: Sequence[SymbolChoice]) -> Iterator[CodeEdge]:
        """Yield what definitions in a file without facts may call."""
        infos = {
            (row.info.line, row.info.qualified_name): row.info
            for row in self._code.symbols_in(path)
        }
        for source in sources:
            info = infos.get((source.line, source.qualified_name))
            if info is None:
                continue
            inner = _functions_in(info, infos.values())
            for line, name, kind, receiver in self._calls(path, info.line, info.line_end):
                if any(first <= line <= last for first, last in inner):
                    continue
                target = self._meant(path, name, receiver)
                is_own = line == info.name_line and name == info.name
                if target is not None and target != source and not is_own:
                    yield CodeEdge(source, target, line, kind, resolved=False)

    def _calls(self, path: str, first: int, last: int) -> Iterator[tuple[int, str, UseKind, str]]:
        """Yield line, name, kind and receiver of what looks like a call."""
        lines = self._bare(path)
        for number in range(first, min(last, len(lines)) + 1):
            for match in _CALL.finditer(lines[number - 1]):
                if match["name"] not in _KEYWORDS:
                    kind: UseKind = "construction" if match["new"] else "call"
                    before = _RECEIVER.search(lines[number - 1][: match.start("name")])
                    yield number, match["name"], kind, before["word"] or "?" if before else ""

    def _meant(self, path: str, name: str, receiver: str) -> SymbolChoice | None:
        """Return the one definition in the file, its folder or the code base of a name.

        What is called on another object is not looked for nearby, nor is it a member of a type
        that is not the one that is named; and nobody calls what another file keeps for itself.
        """
        language = language_of(path)
        found = [row for row in self._definitions(name) if language_of(row.path) == language]
        if receiver and receiver not in _OWN:
            if receiver[:1].isupper():
                owned = {row: _owner(row) for row in found}
                found = [row for row in found if owned[row] in ("", receiver)]
            near = found if len(found) == 1 else []
            found = [row for row in near if row.path == path or not _is_closed(row)]
            return choice_from(found[0]) if found else None
        found = [row for row in found if row.path == path or not _is_closed(row)]
        for near in (
            [row for row in found if row.path == path],
            [row for row in found if dirname(row.path) == dirname(path)],
            found,
        ):
            if near:
                return choice_from(near[0]) if len(near) == 1 else None
        return None

    def _definitions(self, name: str) -> list[SymbolRow]:
        """Return the functions and classes of a name outside of tests."""
        if name not in self._named:
            self._named[name] = [
                row
                for row in self._code.symbols_named(name)
                if row.info.kind in _CALLED_KINDS and not is_test_file(row.path)
            ]
        return self._named[name]

    def _bare(self, path: str) -> list[str]:
        """Return a file's lines with comments and strings blanked out."""
        if path not in self._texts:
            text = self._code.text(path)
            pieces, at = [], 0
            for start, end in comment_spans(language_of(path), text):
                if start >= at:
                    pieces += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
                    at = end
            bare = "".join([*pieces, text[at:]])
            blanked = _STRING.sub(lambda match: " " * len(match[0]), bare)
            self._texts[path] = blanked.split("\n")
        return self._texts[path]


def _owner(row: SymbolRow) -> str:
    """Return the plain name of what a definition is a member of."""
    return row.info.qualified_name.rpartition(".")[0].rpartition(".")[2]


def _is_closed(row: SymbolRow) -> bool:
    """Return whether a definition says that other files cannot call it."""
    return language_of(row.path) in _CLOSING and not row.info.exported


def _functions_in(info: SymbolInfo, others: Iterable[SymbolInfo]) -> list[tuple[int, int]]:
    """Return the lines of the functions in a class; what they call is not called by the class."""
    if info.kind in ("function", "method"):
        return []
    return [
        (other.line, other.line_end)
        for other in others
        if other.kind in ("function", "method") and info.line < other.line <= info.line_end
    ]


def choice_from(row: SymbolRow) -> SymbolChoice:
    """Return a definition of the index as one to choose."""
    info = row.info
    return SymbolChoice(row.path, info.qualified_name, info.kind, info.line, info.signature)
