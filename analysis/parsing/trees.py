"""Source text to syntax tree, with a time limit and a way to stop."""

from __future__ import annotations

import importlib
import re
from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING

from analysis.parsing.grammars import TABLE_LANGUAGES, grammar_of, readable

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Point, Tree

    from analysis.stopping import Deadline

# `in` and `out` before a type parameter: nowhere else does a name follow them after `<` or `,`.
_VARIANCE = re.compile(
    rb"([<,]\s*(?:/\*(?:[^*]|\*(?!/))*\*/\s*)?(?:const\s+)?)((?:in|out)\s+(?:out\s+)?)(?=[A-Z_$a-z])"
)


# Languages with a reader of their own: the module of the grammar, and the function in it.
_GRAMMARS = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "jsx": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
}


# Smaller sources are parsed in a moment, without being asked again and again whether to go on.
_SMALL = 50_000


class OutOfTime(Exception):
    """Parsing or walking one file took longer than it may."""


class MissingGrammar(Exception):
    """The grammar of a language is not installed, or there is none for this machine."""


def check_time(deadline: Deadline) -> None:
    """Raise if the work on one file has to end.

    Raises:
        Cancelled: The caller asked to stop.
        OutOfTime: The file's time is up.
    """
    deadline.around.check()
    if deadline.is_over:
        raise OutOfTime


class ParsedTree:
    """A syntax tree together with its source; turns byte positions into code points."""

    def __init__(self, tree: Tree, data: bytes, deadline: Deadline) -> None:
        self.tree = tree
        self.root = tree.root_node
        self.data = data
        self.deadline = deadline
        self._is_ascii = data.isascii()

    def text(self, node: Node) -> str:
        """Return the source of a node."""
        return self.slice(node.start_byte, node.end_byte)

    def slice(self, start: int, end: int) -> str:
        """Return the source between two byte offsets."""
        return self.data[start:end].decode("utf-8", "replace")

    def column(self, point: Point) -> int:
        """Return the column of a tree position in code points."""
        if self._is_ascii or point.column == 0:
            return point.column
        start = self.line_starts()[point.row]
        return len(self.slice(start, start + point.column))

    def characters(self, spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Return byte ranges, in order and apart from each other, as ranges of code points."""
        if self._is_ascii:
            return tuple(spans)
        result: list[tuple[int, int]] = []
        at_byte = at_char = 0
        for start, end in spans:
            first = at_char + len(self.slice(at_byte, start))
            at_byte, at_char = end, first + len(self.slice(start, end))
            result.append((first, at_char))
        return tuple(result)

    def line_starts(self) -> list[int]:
        """Return the byte offset of the start of each line."""
        if not hasattr(self, "_line_starts"):
            self._line_starts = [0, *(m.end() for m in re.finditer(b"\n", self.data))]
        return self._line_starts

    def positions(self, pattern: re.Pattern[bytes]) -> Positions:
        """Return where a pattern matches, to skip subtrees in which it does not."""
        return Positions([match.start() for match in pattern.finditer(self.data)])


class Positions:
    """Sorted byte offsets that can be asked about a range."""

    def __init__(self, offsets: list[int]) -> None:
        self._offsets = offsets

    def any_in(self, start: int, end: int) -> bool:
        """Return whether one of the offsets lies in the range."""
        idx = bisect_left(self._offsets, start)
        return idx < len(self._offsets) and self._offsets[idx] < end


def parse_tree(language: str, text: str, deadline: Deadline) -> ParsedTree:
    """Return the syntax tree of a text in one of the parsed languages.

    Raises:
        MissingGrammar: The language cannot be parsed here.
        OutOfTime: The file's time is up.
        Cancelled: The caller asked to stop.
    """
    from tree_sitter import Parser

    data = text.encode("utf-8", "replace")
    parsed = _readable(language, data)
    parser = Parser(_grammar(language))
    if len(parsed) < _SMALL:
        tree = parser.parse(parsed)
        check_time(deadline)
        return ParsedTree(tree, data, deadline)
    try:
        tree = parser.parse(
            lambda offset, _: parsed[offset:],
            progress_callback=lambda _offset, _error: deadline.is_set(),
        )
    except ValueError:  # what the binding raises when the progress callback ends the parse
        check_time(deadline)
        raise
    check_time(deadline)
    return ParsedTree(tree, data, deadline)


def _readable(language: str, data: bytes) -> bytes:
    """Return a source without what its grammar cannot read, as the variance of type parameters.

    Blanks take its place, so that all positions stay the same.
    """
    if language in TABLE_LANGUAGES:
        return readable(language, data)
    if language not in ("typescript", "tsx"):
        return data
    return _VARIANCE.sub(lambda match: match[1] + b" " * len(match[2]), data)


@cache
def _grammar(language: str) -> Language:
    """Return the tree-sitter grammar of a language; loaded at its first use."""
    from tree_sitter import Language

    module, function = _GRAMMARS.get(language) or grammar_of(language)
    try:
        grammar = importlib.import_module(module)
    except ImportError as error:
        raise MissingGrammar(f"{module} cannot be loaded: {error}") from error
    return Language(getattr(grammar, function)())
