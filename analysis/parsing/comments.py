"""What the comments of a file say to its reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.parsing.trees import ParsedTree

# Openings of comments that are meant for programs.
_NOT_PROSE = (
    *("eslint", "@ts-", "jshint", "jslint", "global ", "istanbul", "prettier", "<reference"),
    *("-*-", "pylint", "flake8", "mypy:", "ruff", "type:", "usr/bin", "vim:", "@flow", "%%"),
    *("frozen_string_literal:", "encoding:", "coding:", "typed:", "warn_indent:", "rubocop:"),
    *("shareable_constant_value:", "go:", "+build", "swift-tools-version", "phpcs:", "shellcheck"),
    *("biome-ignore", "swiftlint:", "swiftformat:", "credo:", "nolint"),
)
# A comment with one of these words is for lawyers.
_LEGAL = re.compile("copyright|licen[sc]e|spdx-", re.IGNORECASE)
# How comments open in Haskell, Lua and SQL.
_DASHES = re.compile(r"(?:-{2,}|\{-+)\s*[|^]?\s*")
SCRIPT_COMMENTS = frozenset({"comment", "html_comment", "hash_bang_line"})
"""Types of the nodes that are comments in scripts."""


def doc_line(comment: str) -> str | None:
    r"""Return the first line of a comment that says something to a reader.

    >>> doc_line("/**\n * Opens a door.\n * @param door\n */"), doc_line("/** @internal */")
    ('Opens a door.', None)
    """
    for line in comment.split("\n"):
        words = _opened(line.strip()).lstrip("/*!# ").removesuffix("*/").strip()
        tag, _, rest = words.partition(" ")
        if tag in ("@fileoverview", "@file", "@description", "@module"):
            words = rest.strip()
        elif tag.startswith("@"):
            return None
        is_pragma = words.endswith("#-}") or words.lower().startswith(_NOT_PROSE)
        if words.strip("-=*#/ ") and not is_pragma:
            return words
    return None


def _opened(line: str) -> str:
    match = _DASHES.match(line)
    return line[match.end() :] if match else line


def leading_comment(
    tree: ParsedTree,
    types: frozenset[str] = SCRIPT_COMMENTS,
    headers: frozenset[str] = frozenset(),
) -> str | None:
    """Return the first telling line of the comment that opens a file.

    A comment right above a definition belongs to that definition, not to the file.

    Args:
        tree: The file.
        types: Types of the nodes that are comments.
        headers: Types of the nodes right above which a comment is the file's all the same.
    """
    comments: list[Node] = []
    for node in tree.root.named_children:
        if node.type not in types:
            if not comments and node.type in headers:
                continue
            is_near = bool(comments) and node.start_point.row <= comments[-1].end_point.row + 1
            is_header = node.type in headers or "import" in node.type
            if is_near and not is_header and node.type != "expression_statement":
                return None
            break
        if comments and node.start_point.row > comments[-1].end_point.row + 1:
            if doc_line("\n".join(tree.text(node) for node in comments)):
                break
            comments.clear()  # they were meant for programs
        comments.append(node)
    return _telling_line(tree.text(node) for node in comments)


def comment_before(lines: Sequence[str], n_lines: int, *, is_owned: bool) -> str | None:
    """Return the first telling line of the comment that opens a Python file.

    Args:
        lines: The lines of the file.
        n_lines: How many of them stand before the first statement.
        is_owned: Whether a comment right above that statement belongs to it.
    """
    comments: list[str] = []
    last = -1
    for i, line in enumerate(lines[:n_lines]):
        text = line.strip()
        if not text:
            continue
        if comments and i > last + 1:
            if doc_line("\n".join(comments)):
                return _telling_line(comments)
            comments.clear()  # they were meant for programs
        comments.append(text)
        last = i
    if is_owned and comments and n_lines <= last + 1:
        return None
    return _telling_line(comments)


def _telling_line(comments: Iterable[str]) -> str | None:
    text = "\n".join(comments)
    return None if _LEGAL.search(text) else doc_line(text)
