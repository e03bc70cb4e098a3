"""What cited lines hold: definitions, uses of names, comments on them, quoted code."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from functools import cached_property

from analysis.documents.code import CodeView, definitions, innermost, word_pattern
from analysis.models import SymbolInfo

_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|--|;|<!--)")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_SPACE = re.compile(r"\s+")
# Who owns a name is not said in the code where one of these stands before it.
_ITSELF = frozenset({"self", "this", "cls", "super", "Self"})
# Longer stretches are cited by mistake; nothing is looked for behind that.
_MOST_LINES = 5000


class LineEvidence:
    """What a range of lines of one file holds; the range must be in the file."""

    def __init__(self, code: CodeView, path: str, lines: tuple[int, int]) -> None:
        self._code = code
        self._path = path
        self._lines = lines
        self._shown = slice(lines[0] - 1, min(lines[1], lines[0] + _MOST_LINES))

    @cached_property
    def is_blank(self) -> bool:
        """Whether there is nothing to see."""
        return not self._text.strip()

    @property
    def around(self) -> str | None:
        """Qualified name of the smallest definition that holds all of the lines."""
        info = innermost(self._code, self._path, *self._lines)
        return info.qualified_name if info else None

    def defined(self, name: str) -> SymbolInfo | None:
        """Return the definition of a name that the lines show: its head, a part, or all of it."""
        text = self._code.lines(self._path) or ()
        first, last = self._lines
        for info in self.definitions(name):
            if first <= info.name_line <= last or _fits(info, self._lines, text):
                return info
        return None

    def definitions(self, name: str) -> list[SymbolInfo]:
        """Return what the file defines under a name; a module's name before it is no matter."""
        found = definitions(self._code, self._path, name)
        module, _, plain = name.rpartition(".")
        if not found and module and self._is_module(module):
            found = definitions(self._code, self._path, plain)
        return found

    def uses(self, name: str) -> bool:
        """Return whether a name stands in the code of the lines.

        Of ``A.b`` the last part alone is enough only if it cannot be the ``b`` of something else.
        """
        owner, _, plain = name.rpartition(".")
        owner = owner.rpartition(".")[2]
        if not owner or owner in _ITSELF:
            return word_pattern(plain).search(self._bare) is not None
        if _tokens(f"{owner}.{plain}").search(self._bare):
            return True
        if self._is_of_another(plain, name):
            return False
        if re.search(rf"(?<![\w$.]){re.escape(plain)}(?![\w$])", self._bare):
            return True
        is_owned = word_pattern(plain).search(self._bare) is not None
        return is_owned and len(self._code.named(plain)) <= 1

    def comments_on(self, name: str) -> bool:
        """Return whether a name stands on the lines at all, be it in a comment."""
        return word_pattern(name.rpartition(".")[2]).search(self._text) is not None

    def quotes(self, quote: str, *, in_comments: bool) -> bool:
        """Return whether quoted code stands on the lines, whatever its white space."""
        return _tokens(quote).search(self._text if in_comments else self._bare) is not None

    @cached_property
    def _text(self) -> str:
        return _collapsed((self._code.lines(self._path) or ())[self._shown])

    @cached_property
    def _bare(self) -> str:
        return _collapsed(self._code.bare_lines(self._path)[self._shown])

    def _is_module(self, name: str) -> bool:
        """Return whether a dotted name can be that of the file, or of a folder above it."""
        stem = posixpath.splitext(self._path)[0].removesuffix("/__init__").removesuffix("/index")
        return f"/{stem}".endswith("/" + name.replace(".", "/"))

    def _is_of_another(self, plain: str, name: str) -> bool:
        """Return whether the lines define something of that plain name, and it is not meant."""
        first, last = self._lines
        return bool(self._code.named(name)) and any(
            first <= info.name_line <= last for info in definitions(self._code, self._path, plain)
        )


def _fits(info: SymbolInfo, lines: tuple[int, int], text: Sequence[str]) -> bool:
    """Return whether a range shows a definition: a part of it, or all of it and more.

    The comment right above it belongs to it, and so does an empty line below.
    """
    start, end = lines
    while start < info.decorated_line and _COMMENT.match(text[start - 1]):
        start += 1
    while end > info.line_end and not text[end - 1].strip():
        end -= 1
    if not any(line.strip() for line in text[start - 1 : end]):
        return False
    inside = info.decorated_line <= start and end <= info.line_end
    return inside or (start <= info.line and info.line_end <= end)


def _tokens(code: str) -> re.Pattern[str]:
    """Return a pattern for code whose white space may differ, but whose words must be whole."""
    tokens = _TOKEN.findall(code)
    pattern = ""
    for before, token in zip(["", *tokens], tokens, strict=False):
        if before:
            pattern += r"\s+" if _is_word(before) and _is_word(token) else r"\s*"
        pattern += re.escape(token)
    head = r"(?<![\w$])" if tokens and _is_word(tokens[0]) else ""
    tail = r"(?![\w$])" if tokens and _is_word(tokens[-1]) else ""
    return re.compile(f"{head}{pattern}{tail}")


def _is_word(token: str) -> bool:
    return token[0] == "_" or token[0].isalnum()


def _collapsed(lines: Sequence[str]) -> str:
    return _SPACE.sub(" ", "\n".join(lines))
