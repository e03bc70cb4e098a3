"""Languages as data: a module a language with nothing but its table, and the list of them."""

from __future__ import annotations

import importlib
import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.parsing.grammars.table import LanguageTable

# One line a language: its name, the module of its table, that of its grammar, the function in it.
_LANGUAGES = """
shell bash tree_sitter_bash language
c c tree_sitter_c language
cpp cpp tree_sitter_cpp language
csharp csharp tree_sitter_c_sharp language
elixir elixir tree_sitter_elixir language
go go tree_sitter_go language
haskell haskell tree_sitter_haskell language
java java tree_sitter_java language
kotlin kotlin tree_sitter_kotlin language
lua lua tree_sitter_lua language
php php tree_sitter_php language_php
ruby ruby tree_sitter_ruby language
rust rust tree_sitter_rust language
scala scala tree_sitter_scala language
swift swift tree_sitter_swift language
zig zig tree_sitter_zig language
"""
_ROWS = {line.split()[0]: line.split()[1:] for line in _LANGUAGES.strip().splitlines()}

TABLE_LANGUAGES = frozenset(_ROWS)
"""Languages that are outlined by a table."""
_OWN_READERS = ("javascript", "python", "typescript")
GRAMMAR_PACKAGES = tuple(
    sorted(
        [row[1].replace("_", "-") for row in _ROWS.values()]
        + [f"tree-sitter-{language}" for language in _OWN_READERS]
    )
)
"""The distributions of all grammars."""


def grammar_of(language: str) -> tuple[str, str]:
    """Return the module of a language's grammar and the name of the function in it."""
    _, module, function = _ROWS[language]
    return module, function


def readable(language: str, data: bytes) -> bytes:
    """Return a source with blanks in place of what the language's grammar cannot read."""
    return shown(table_of(language), data)


def shown(table: LanguageTable, data: bytes) -> bytes:
    """Return a source with blanks in place of what a table says that its grammar cannot read."""
    for pattern in table.unreadable:
        data = _compiled(pattern).sub(_blanked, data)
    if table.unended is not None:
        lines, blank = (_compiled(pattern) for pattern in table.unended)
        data = lines.sub(lambda match: blank.sub(b";", match[0]), data)
    return data


def _blanked(match: re.Match[bytes]) -> bytes:
    first, last = match.start(1) - match.start(), match.end(1) - match.start()
    return match[0][:first] + b" " * (last - first) + match[0][last:]


@cache
def _compiled(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode())


@cache
def table_of(language: str) -> LanguageTable:
    """Return the table of a language; loaded at its first use."""
    module = importlib.import_module(f"analysis.parsing.grammars.{_ROWS[language][0]}")
    table: LanguageTable = module.TABLE
    return table
