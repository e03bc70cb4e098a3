"""The source of what stands in a tree of ``ast``, whose columns are bytes."""

from __future__ import annotations

import ast
import re

from analysis.parsing.source_lines import SourceLines

_STRING = (
    r"'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\""
)
_TOKEN = re.compile(rf"{_STRING}|\#[^\n]*|[()\[\]{{}}:]", re.DOTALL)
_UNUSUAL = re.compile(r"""["'#\\]""")
# More of a value is not shown.
_BEGINNING = 2000


class UnusualSource(Exception):
    """Something is written so that its place cannot be told from the tree."""


class AstSource(SourceLines):
    """A file's lines, and the source of the nodes of its tree."""

    def slice(self, node: ast.expr | ast.stmt, to: ast.stmt | None = None) -> str:
        """Return the source of a node, or from there to the end of another one."""
        last = to or node
        return self._between(
            node.lineno,
            self.column(node.lineno, node.col_offset),
            last.end_lineno or node.lineno,
            self.column(last.end_lineno or node.lineno, last.end_col_offset or 0),
        )

    def beginning(self, node: ast.stmt) -> str:
        """Return as much of a node's source as is worth folding to one line."""
        end = node.end_lineno or node.lineno
        if end - node.lineno < _BEGINNING:
            source = self.slice(node)
        else:
            column = self.column(node.lineno, node.col_offset)
            last = node.lineno + _BEGINNING
            source = self._between(node.lineno, column, last, len(self.lines[last - 1]))
        return source[:_BEGINNING]

    def head(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, column: int) -> str:
        """Return the source of a definition up to its colon.

        Args:
            node: The definition.
            column: Where it starts in its line, in code points.

        Raises:
            UnusualSource: There is no colon where one has to be.
        """
        line = self.lines[node.lineno - 1][column:].rstrip()
        if line.endswith(":") and not _UNUSUAL.search(line) and _is_balanced(line):
            return line[:-1].rstrip()
        last = node.body[0].lineno
        source = self._between(node.lineno, column, last, len(self.lines[last - 1]))
        depth = 0
        for match in _TOKEN.finditer(source):
            token = match[0]
            if token in "([{":
                depth += 1
            elif token in ")]}":
                depth -= 1
            elif token == ":" and depth == 0:
                return source[: match.start()].rstrip(" \t\f\\\n")
        raise UnusualSource

    def _between(self, line: int, column: int, line_end: int, column_end: int) -> str:
        if line == line_end:
            return self.lines[line - 1][column:column_end]
        first, *middle, last = self.lines[line - 1 : line_end]
        return "\n".join((first[column:], *middle, last[:column_end]))


def _is_balanced(line: str) -> bool:
    """Return whether as many brackets are closed as are opened in a line without strings."""
    pairs = (("(", ")"), ("[", "]"), ("{", "}"))
    return all(line.count(opening) == line.count(closing) for opening, closing in pairs)
