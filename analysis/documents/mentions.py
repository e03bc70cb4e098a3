"""Finds what prose names: names of code and quoted code, in the order of the text."""

from __future__ import annotations

import keyword
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.documents.citation_syntax import looks_like_file
from analysis.documents.code import CodeView
from analysis.documents.spans import Region, zones

_NAME = re.compile(
    r"(?P<defines>(?:async\s+)?(?:def|class|function|interface|enum|type|const|let|var|func|fn)\s+)?"
    r"@?(?P<name>[^\W\d][\w$]*(?:(?:\.|::|#|->)[^\W\d][\w$]*)*)(?P<call>\(.*\))?:?",
    re.DOTALL,
)
_SEPARATOR = re.compile(r"::|#|->")
# In prose a word counts as a name only if it is written like code.
_PROSE_NAME = re.compile(
    r"(?<![\w`./)\]])(?:[^\W\d]\w*(?:\.\w+)*(?=\(\))|[^\W\d_]\w*_\w+|_+[^\W\d_]\w*"
    r"|[A-Z][a-z0-9]+[A-Z]\w*|[a-z][a-z0-9]*[A-Z]\w*)(?P<call>\(\))?"
)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{6,200})[\"”]")
_LETTERS = re.compile(r"[^\W_]{2}")
_PATH = re.compile(r"[\w.@+~$%&=/-]*/[\w.@+~$%&=/-]*|\.[\w-]+")
# Words that are in every file and so say nothing of the place.
_SAY_NOTHING = frozenset(keyword.kwlist) | {
    *("null", "undefined", "true", "false", "self", "this", "cls", "void", "function"),
    *("int", "str", "float", "bool", "list", "dict", "tuple", "set", "bytes", "object", "Any"),
    *("string", "number", "boolean", "nil", "NULL"),
}
# Quotes longer than this are no quotes but listings.
_MAX_QUOTE = 400


@dataclass(frozen=True, slots=True)
class Mention:
    """A name or a quote in prose; offsets into the whole text."""

    start: int
    end: int
    name: str | None
    """Parts divided by dots; None for a quote."""
    quote: str | None
    is_call: bool = False
    """Whether it is written with brackets, as functions are."""
    is_definition: bool = False
    """Whether it is written as code that defines it: ``class Session``."""
    is_prose: bool = False
    """Whether it is not marked as code."""


class MentionFinder:
    """Finds the mentions of a text about one code base."""

    def __init__(self, code: CodeView) -> None:
        self._code = code
        self._file_names = {posixpath.basename(path).casefold() for path in code.paths()}
        self._is_known: dict[str, bool] = {}

    def in_region(
        self, text: str, region: Region, taken: Sequence[tuple[int, int]]
    ) -> list[Mention]:
        """Return what a block names, outside of some stretches, in order.

        Args:
            text: The whole markdown.
            region: The block.
            taken: Start and end of stretches, in order.
        """
        found: list[Mention] = []
        busy = list(taken)
        ends = iter(taken)
        stretch = next(ends, None)
        for zone in zones(text, region):
            while stretch is not None and stretch[1] <= zone.start:
                stretch = next(ends, None)
            is_taken = stretch is not None and stretch[0] < zone.end
            if zone.kind == "code" and not is_taken:
                found += self.in_code(zone.content, zone.start, zone.end)
            if zone.kind in {"code", "url", "image"}:
                busy.append((zone.start, zone.end))
        busy.sort()
        position = region.start
        for start, end in [*busy, (region.end, region.end)]:
            if position < start:
                found += self._in_prose(text, position, start)
            position = max(position, end)
        return sorted(found, key=lambda mention: mention.start)

    def in_label(self, label: str, start: int, end: int) -> list[Mention]:
        """Return what a link's label names; a single word is a name if something is called so."""
        whole = Region(0, len(label), is_code=False)
        found = self.in_region(label, whole, ())
        word = label.strip("*_ ")
        if not found and _NAME.fullmatch(word) and self._is_defined(word):
            found = self.in_code(word, 0, 0)
        return [Mention(start, end, m.name, m.quote, m.is_call, m.is_definition) for m in found]

    def in_code(self, content: str, start: int, end: int) -> list[Mention]:
        """Return what a code span mentions: a name, or code."""
        content = content.strip()
        if self._is_file(content):
            return []
        match = _NAME.fullmatch(content)
        if match is not None:
            name = _SEPARATOR.sub(".", match["name"])
            if name in _SAY_NOTHING:
                return []
            is_call = match["call"] is not None
            return [Mention(start, end, name, None, is_call, match["defines"] is not None)]
        quote = " ".join(content.split())
        if len(quote) <= 2 or len(quote) > _MAX_QUOTE or not _LETTERS.search(quote):
            return []
        return [Mention(start, end, None, quote)]

    def _in_prose(self, text: str, start: int, end: int) -> Iterator[Mention]:
        """Yield names that are written like code without being marked as such, and quotes."""
        for match in _PROSE_NAME.finditer(text, start, end):
            name = match[0].removesuffix("()")
            is_code = match["call"] is not None or "_" in name.strip("_")
            if is_code or self._is_defined(name):
                yield Mention(
                    match.start(), match.end(), name, None, match["call"] is not None, is_prose=True
                )
        for match in _QUOTED.finditer(text, start, end):
            if " " in match[1]:
                yield Mention(match.start(), match.end(), None, " ".join(match[1].split()))

    def _is_file(self, content: str) -> bool:
        """Return whether a code span is a path, and so names no code."""
        if _PATH.fullmatch(content):
            return True
        return looks_like_file(content) and content.casefold() in self._file_names

    def _is_defined(self, name: str) -> bool:
        if name not in self._is_known:
            self._is_known[name] = bool(self._code.named(name))
        return self._is_known[name]
