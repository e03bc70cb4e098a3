"""Where the comments and docstrings of a file are, for any language, by its family of syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_DOUBLE = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
_SINGLE = r"'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
_TICK = r"`[^`\\\n]*(?:\\.[^`\\\n]*)*`"
_SLASH = r"//[^\n]*|/\*.*?\*/"
_HASH = r"\#[^\n]*"
_TRIPLE = r'''""".*?"""|\'\'\'.*?\'\'\''''

# Comment syntax by family; strings are matched too, so that "http://" opens no comment. Each way
# to go on begins with a character of its own kind: then the text between is passed over quickly.
_PATTERNS = {
    "slash": "|".join((_SLASH, _DOUBLE, _SINGLE, _TICK)),
    "hash": "|".join((_HASH, _DOUBLE, _SINGLE)),
    "hash_triple": "|".join((_TRIPLE, _HASH, _DOUBLE, _SINGLE)),
    "slash_hash": "|".join((r"//[^\n]*|/\*.*?\*/|\#(?!\[)[^\n]*", _DOUBLE, _SINGLE)),
    "dash": "|".join((r"--\[\[.*?\]\]|--[^\n]*|/\*.*?\*/|\{-.*?-\}", _DOUBLE)),
    "semicolon": "|".join((r";[^\n]*", _DOUBLE)),
    "percent": "|".join((r"%[^\n]*", _DOUBLE)),
    "markup": r"<!--.*?-->",
    "block": "|".join((r"/\*.*?\*/|\(\*.*?\*\)", _DOUBLE)),
}
_QUOTES = "\"'`"
_BEFORE_DOC = re.compile(r"[ \t]*(?:@\w+[ \t]+)?[rRuU~sS]*")
"""What stands on the line before a string that documents: its first three quotes follow."""
_TRIPLES = ('"""', "'''")
_FAMILIES = {
    "slash": "c cpp cuda objective-c csharp java kotlin scala groovy go rust swift dart zig d v "
    "odin javascript jsx typescript tsx vue svelte fsharp solidity verilog proto thrift prisma "
    "scss less",
    "hash": "ruby shell perl r julia toml yaml ini make cmake dockerfile graphql nix nim crystal "
    "powershell just ignore",
    "hash_triple": "python elixir bazel starlark",
    "slash_hash": "php terraform",
    "dash": "lua haskell sql ada vhdl",
    "semicolon": "lisp clojure scheme assembly",
    "percent": "erlang tex",
    "markup": "html xml template astro",
    "block": "css ocaml pascal",
}
_FAMILY_OF = {language: family for family, names in _FAMILIES.items() for language in names.split()}


def comment_spans(language: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end (in code points) of each comment and docstring, in order.

    >>> list(comment_spans("c", 'x = "//"; // y'))
    [(10, 14)]
    """
    family = _FAMILY_OF.get(language)
    if family is None:
        return
    for match in _compiled(family).finditer(text):
        start, end = match.span()
        if text[start] not in _QUOTES:
            yield start, end
        elif family == "hash_triple" and end - start > 5 and text.startswith(_TRIPLES, start):
            line = text.rfind("\n", 0, start) + 1
            if _BEFORE_DOC.fullmatch(text, line, start):
                yield line, end


def blanked(text: str) -> str:
    """Return blanks in place of a text, its lines apart."""
    return re.sub(r"[^\n]", " ", text)


def without_comments(language: str, text: str, *, in_place: bool = False) -> str:
    """Return a text of as many lines in which comments and docstrings are blank.

    >>> without_comments("c", "x; /* y */ w;")
    'x;  w;'

    Args:
        language: That of the text.
        text: A whole file, or some lines.
        in_place: Whether all else stays in its column too.
    """
    pieces: list[str] = []
    position = 0
    for start, end in comment_spans(language, text):
        comment = text[start:end]
        blank = blanked(comment) if in_place else "\n" * comment.count("\n")
        pieces += [text[position:start], blank]
        position = end
    return "".join([*pieces, text[position:]])


@cache
def _compiled(family: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[family], re.DOTALL)
