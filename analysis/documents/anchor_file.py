"""A file as re-anchoring looks at it: hashes, definitions, tokens and blocks, each when needed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from analysis.documents.anchor_region import AnchorRegion
from analysis.documents.mark import PROOF, WEAK, Rule, digest, digests
from analysis.models import SymbolInfo
from analysis.parsing.code_tokens import CodeTokens, code_tokens, has_tokens, is_mark
from analysis.parsing.enclosing import EnclosingBlock, blocks_by_indentation, enclosing_blocks
from analysis.parsing.languages import language_of
from analysis.parsing.trees import OutOfTime, parse_tree
from analysis.stopping import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable

    from analysis.parsing.trees import ParsedTree

_TIME_LIMIT_S = 5.0
# Lines shorter than this are in every file.
_TELLING_CHARS = 12
_LINE_CHARS = 4
# White space between words stays: it is what keeps them apart.
_OPTIONAL = re.compile(r"#.*|//.*|['\"(),;]|\s+(?=\W)|(?<=\W)\s+|\s+\Z")
_ACCESSOR = re.compile(r"(?:static )?(?:get|set) |(?:async )?def ")
_INDENT = re.compile(r"[ \t]*")


class AnchorFile:
    """One file of the code base as it is now."""

    def __init__(
        self, path: str, lines: Sequence[str], symbols: Callable[[], Sequence[SymbolInfo]]
    ) -> None:
        self.path = path
        self.lines = lines
        self._symbols = symbols
        self._tokens: dict[tuple[int, int], CodeTokens] = {}
        self._regions: dict[tuple[int, int, str, Rule], AnchorRegion] = {}
        self._language = language_of(path)
        self._only_lines = False

    @property
    def rule(self) -> Rule:
        """By which rule places of this file are marked today."""
        return "l" if self._only_lines or self._tree is None else "p"

    def count_lines_only(self) -> None:
        """Look at lines from now on: tokens would take too long."""
        self._only_lines = True

    @cached_property
    def symbols(self) -> Sequence[SymbolInfo]:
        """All definitions, outer ones before the ones inside them."""
        return self._symbols()

    @cached_property
    def text_hash(self) -> str:
        """Hash of the whole file."""
        return digest(self.lines, PROOF)

    @cached_property
    def _tree(self) -> ParsedTree | None:
        if not has_tokens(self._language):
            return None
        text = "\n".join(self.lines) + "\n"
        try:
            return parse_tree(self._language, text, Deadline(_TIME_LIMIT_S))
        except OutOfTime:
            return None

    @cached_property
    def line_hashes(self) -> frozenset[str]:
        """Short hashes of its longer lines, white space aside."""
        return frozenset(digests(self._telling_lines, _LINE_CHARS))

    def sketch(self, count: int) -> Mapping[str, str]:
        """Return the hashes of some of its longer lines, always the same ones, and the lines."""
        lines = sorted(self._telling_lines)
        by_hash = dict(zip(digests(lines, _LINE_CHARS), lines, strict=True))
        return {key: by_hash[key] for key in sorted(by_hash)[:count]}

    def holds(self, line: str) -> bool:
        """Return whether one of its longer lines is this one, white space aside."""
        return line in self._squeezed and line in self._telling_lines

    @cached_property
    def _squeezed(self) -> str:
        """All of its text without white space: most files do not hold a line of another one."""
        return "".join("".join(self.lines).split())

    @cached_property
    def _telling_lines(self) -> frozenset[str]:
        squeezed = {"".join(line.split()) for line in self.lines}
        return frozenset(line for line in squeezed if len(line) >= _TELLING_CHARS)

    @cached_property
    def is_sound(self) -> bool:
        """Whether the file is valid code: of broken code a parser makes what it likes."""
        if self._language == "python":
            from analysis.parsing.python_module import module_of

            return module_of("\n".join(self.lines) + "\n") is not None
        return self._tree is None or not self._tree.root.has_error

    def key_of(self, info: SymbolInfo, *, nameless: bool = False) -> str:
        """Return a definition's text without what a formatter may touch, to sort out others fast.

        Args:
            info: The definition.
            nameless: Whether its own name is left out, and those of what it is in.
        """
        lines = self.lines[info.decorated_line - 1 : info.line_end]
        text = "\n".join(lines)
        if nameless:
            names = "|".join(map(re.escape, info.qualified_name.split(".")))
            text = re.sub(rf"(?<![\w$])(?:{names})(?![\w$])", "\0", text)
        return _OPTIONAL.sub("", text)

    def hash_of(self, start: int, end: int) -> str:
        """Return the hash of some lines as they stand."""
        return digest(self.lines[start - 1 : end], PROOF)

    def has_lines(self, start: int, end: int) -> bool:
        """Return whether there are such lines."""
        return 1 <= start <= end <= len(self.lines)

    def innermost(self, start: int, end: int) -> SymbolInfo | None:
        """Return the smallest function, class or type that holds all of the lines."""
        best: SymbolInfo | None = None
        for info in self.symbols:
            holds = info.decorated_line <= start and end <= info.line_end
            if holds and info.name and not is_value(info):
                best = info if best is None or _span(info) <= _span(best) else best
        return best

    def value(self, start: int, end: int) -> SymbolInfo | None:
        """Return the variable or attribute that is defined by exactly these lines."""
        for info in self.symbols:
            if is_value(info) and (info.decorated_line, info.line_end) == (start, end):
                return info
        return None

    def outermost(self, info: SymbolInfo) -> SymbolInfo | None:
        """Return the outermost definition around another one; None if it is that itself."""
        for other in self.symbols:
            if other is not info and _holds(other, info):
                return other
        return None

    def named(self, qualified_name: str) -> Sequence[SymbolInfo]:
        """Return its definitions of a qualified name."""
        return self._by_name.get(qualified_name, ())

    @cached_property
    def _by_name(self) -> dict[str, list[SymbolInfo]]:
        found: dict[str, list[SymbolInfo]] = {}
        for info in self.symbols:
            found.setdefault(info.qualified_name, []).append(info)
        return found

    def beside(self, info: SymbolInfo) -> str:
        """Return a hint of the names of the definitions before and after this one."""
        before = [s for s in self.symbols if s.line_end < info.decorated_line]
        after = [s for s in self.symbols if s.decorated_line > info.line_end]
        names = (
            max(before, key=lambda s: (s.line_end, -s.decorated_line)).name if before else "",
            after[0].name if after else "",
        )
        return "".join(digest([name], WEAK) for name in names)

    def tokens(self, start: int, end: int, rule: Rule) -> CodeTokens:
        """Return the tokens of some lines; by rule ``l`` each line is one.

        Raises:
            OutOfTime: The file is such that it would take too long.
        """
        if rule == "l" or self._tree is None:
            numbers = tuple(range(start, end + 1))
            return CodeTokens(tuple(self.lines[start - 1 : end]), numbers, ())
        for (first, last), known in self._tokens.items():
            if first <= start and end <= last:
                return known if (first, last) == (start, end) else known.part(start, end)
        key = (start, end)
        deadline = Deadline(_TIME_LIMIT_S)
        self._tokens[key] = code_tokens(self._tree, self._language, key, deadline)
        return self._tokens[key]

    def read_whole(self) -> None:
        """Take the tokens of all lines at once, where many definitions are looked at."""
        self.tokens(1, len(self.lines), self.rule)

    def region(self, info: SymbolInfo | None, rule: Rule) -> AnchorRegion:
        """Return the tokens of a definition, or of the whole file; taken once."""
        if info is None:
            key = (1, len(self.lines), "", rule)
        else:
            key = (info.decorated_line, info.line_end, info.qualified_name, rule)
        if key not in self._regions:
            self._regions[key] = AnchorRegion(self, key[0], key[1], rule, key[2])
        return self._regions[key]

    def blocks(self, line: int, rule: Rule) -> tuple[EnclosingBlock, ...]:
        """Return the blocks around the first token of a line."""
        text = self.lines[line - 1]
        column = len(_indent(text).encode())
        if rule == "p" and self._tree is not None:
            return enclosing_blocks(self._tree, self._language, line, column)
        return tuple(blocks_by_indentation(self.lines, line))

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Return the lines without those at both ends that hold no code; all if none does."""
        if self.rule == "l":
            return start, end
        found = self.tokens(start, end, "p")
        first, behind = found.between(start, end)
        return (found.lines[first], found.lines[behind - 1]) if first < behind else (start, end)

    def widened(self, spot: tuple[int, int], lead: int, trail: int) -> tuple[int, int]:
        """Return lines of code with the comments and empty lines around them, so many at most."""
        start, end = spot
        while lead and start > 1 and self._is_codeless(start - 1):
            start, lead = start - 1, lead - 1
        while trail and end < len(self.lines) and self._is_codeless(end + 1):
            end, trail = end + 1, trail - 1
        return start, end

    def _is_codeless(self, line: int) -> bool:
        found = self.tokens(line, line, "p")
        return all(is_mark(text) for text in found.texts)


def is_value(info: SymbolInfo) -> bool:
    """Return whether a definition only names a value, as a variable and an attribute do."""
    if info.kind == "variable":
        return True
    is_accessor = bool(info.decorators) or _ACCESSOR.match(info.signature) is not None
    return info.kind == "property" and not is_accessor


def _span(info: SymbolInfo) -> int:
    return info.line_end - info.decorated_line


def _holds(outer: SymbolInfo, inner: SymbolInfo) -> bool:
    inside = outer.decorated_line <= inner.decorated_line and inner.line_end <= outer.line_end
    return inside and inner.qualified_name.startswith(f"{outer.qualified_name}.")


def _indent(line: str) -> str:
    match = _INDENT.match(line)
    return match[0] if match else ""
