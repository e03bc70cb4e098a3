"""The tokens of code in one spelling, so that a formatter or a comment does not change them.

Two pieces of code have the same tokens only if they mean the same: comments, blank lines, optional
commas and semicolons, redundant parentheses and the style of quotes are left out. In place of the
parentheses stand marks around each operation, in place of indentation marks around each block; the
contents of strings are kept to the blank.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing import python_tokens, script_tokens
from analysis.parsing.trees import check_time

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.token_parts import TokenGrammar
    from analysis.parsing.trees import ParsedTree
    from analysis.stopping import Deadline

OPEN, CLOSE, TUPLE, BLOCK, BLOCK_END, STATEMENT = "\1(", "\1)", "\1,", "\1{", "\1}", "\1;"
_GRAMMARS = {
    "python": python_tokens.GRAMMAR,
    "javascript": script_tokens.GRAMMAR,
    "jsx": script_tokens.GRAMMAR,
    "typescript": script_tokens.GRAMMAR,
    "tsx": script_tokens.GRAMMAR,
}


@dataclass(frozen=True, slots=True)
class CodeTokens:
    """Tokens and comments of some lines, in order."""

    texts: tuple[str, ...]
    """Each token's spelling; marks begin with a control character."""
    lines: tuple[int, ...]
    """The line of each token, 1-based; a token never spans lines."""
    comments: tuple[tuple[int, str], ...]
    """Line and text of each comment."""

    def between(self, start: int, end: int) -> tuple[int, int]:
        """Return the indices of the first and behind the last token of some lines, marks off."""
        first, last = bisect_left(self.lines, start), bisect_right(self.lines, end)
        while first < last and is_mark(self.texts[first]):
            first += 1
        while first < last and is_mark(self.texts[last - 1]):
            last -= 1
        return first, last

    def part(self, start: int, end: int) -> CodeTokens:
        """Return those of some of the lines; marks at their borders may be missing."""
        first, last = bisect_left(self.lines, start), bisect_right(self.lines, end)
        comments = tuple(item for item in self.comments if start <= item[0] <= end)
        return CodeTokens(self.texts[first:last], self.lines[first:last], comments)


def is_mark(text: str) -> bool:
    """Return whether a token is a mark of structure, which no character of the code stands for."""
    return text.startswith("\1")


def has_tokens(language: str) -> bool:
    """Return whether the tokens of a language are known."""
    return language in _GRAMMARS


def code_tokens(
    tree: ParsedTree, language: str, lines: tuple[int, int], deadline: Deadline
) -> CodeTokens:
    """Return the tokens of some lines of a file in a known language.

    Args:
        tree: The file's tree.
        language: The language it was parsed as.
        lines: The first and the last one, 1-based.
        deadline: Ends the walk.

    Raises:
        OutOfTime: The time is up.
        Cancelled: The caller asked to stop.
    """
    grammar = _GRAMMARS[language]
    walk = _TokenWalk(tree, grammar, lines[0] - 1, lines[1] - 1)
    walk.run(deadline)
    return CodeTokens(tuple(walk.texts), tuple(walk.lines), tuple(walk.comments))


class _TokenWalk:
    """Goes through a tree without recursion: code may be nested as deep as it likes."""

    def __init__(
        self, tree: ParsedTree, grammar: TokenGrammar, first_row: int, last_row: int
    ) -> None:
        self._tree = tree
        self._grammar = grammar
        self._first, self._last = first_row, last_row
        self.texts: list[str] = []
        self.lines: list[int] = []
        self.comments: list[tuple[int, str]] = []

    def run(self, deadline: Deadline) -> None:
        """Collect what stands on the rows."""
        tree, grammar = self._tree, self._grammar
        stack: list[Node | str | tuple[str, int]] = [tree.root]
        first_byte, last_byte = self._bytes()
        steps = 0
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                self._add(item, self.lines[-1] if self.lines else self._first + 1)
            elif isinstance(item, tuple):
                self._add(*item)
            elif item.end_byte > first_byte and item.start_byte < last_byte:
                steps += 1
                if not steps & 0xFFF:
                    check_time(deadline)
                kind = item.type
                if kind in grammar.comments:
                    self.comments.append((item.start_point[0] + 1, tree.text(item)))
                elif item.child_count or kind in grammar.contents:
                    stack.extend(reversed(grammar.parts(item, tree)))
                else:
                    text = grammar.spelled(kind, tree.text(item))
                    self._add(text, item.start_point[0] + 1)

    def _bytes(self) -> tuple[int, int]:
        """Return where the rows begin and end."""
        starts, size = self._tree.line_starts(), len(self._tree.data)
        first = starts[self._first] if self._first < len(starts) else size
        last = starts[self._last + 1] if self._last + 1 < len(starts) else size + 1
        return first, last

    def _add(self, text: str, line: int) -> None:
        if text and self._first < line <= self._last + 1:
            self.texts.append(text)
            self.lines.append(line)


def occurrences(pattern: Sequence[str], texts: Sequence[str]) -> Iterator[int]:
    """Yield the indices at which a sequence of tokens occurs in another one."""
    n = len(pattern)
    if not n:
        return
    first, wanted, position = pattern[0], tuple(pattern), 0
    while True:
        try:
            position = texts.index(first, position, len(texts) - n + 1)
        except ValueError:
            return
        if tuple(texts[position : position + n]) == wanted:
            yield position
        position += 1
