"""Definitions of a Python file that the parser could not read in full.

Where a file is broken, or ahead of the grammar, the tree around that place is of little use: a
class loses its methods, a function ends too early. What is left to go by is how people indent.
If Python itself accepts the file, its own line ranges are taken instead.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.drafts import Draft
from analysis.parsing.indentation import IndentedLines
from analysis.parsing.python_module import parse_module
from analysis.parsing.python_values import docstring_line, is_private, makes_property
from analysis.parsing.signatures import one_line
from analysis.parsing.trees import check_time

if TYPE_CHECKING:
    from analysis.models import SymbolKind
    from analysis.parsing.trees import ParsedTree

_STRING = (
    rb"'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\""
)
_STRING_OR_COMMENT = re.compile(_STRING + rb"|#[^\n]*", re.DOTALL)
_BODY_STRING = re.compile(rb":(?:\s|#[^\n]*)*([rRuU]?(?:" + _STRING + rb"))", re.DOTALL)
_HEAD = re.compile(
    rb"^([ \t\f]*)((?:async[ \t]+)?def|class)[ \t]+([A-Za-z_\x80-\xff][\w\x80-\xff]*)", re.MULTILINE
)
# A head is not searched further than this for its colon.
_MAX_HEAD = 4000
_POLL_EVERY = 128


@dataclass(slots=True)
class _Definition:
    """A ``def`` or ``class`` by its look."""

    head: re.Match[bytes]
    line: int
    line_end: int

    @property
    def is_class(self) -> bool:
        return self.head[2] == b"class"


def repaired(tree: ParsedTree, drafts: list[Draft]) -> list[Draft]:
    """Return the definitions of a broken file: those of the tree, mended and completed."""
    lines = IndentedLines(tree.data, _STRING_OR_COMMENT)
    known = {draft.line: draft for draft in drafts if not _is_binding(draft)}
    items: list[_Definition | Draft] = [*_definitions(tree, lines), *filter(_is_binding, drafts)]
    result: list[Draft] = []
    open_: list[_Definition] = []
    for n_seen, item in enumerate(sorted(items, key=lambda item: item.line)):
        if n_seen % _POLL_EVERY == 0:
            check_time(tree.deadline)
        while open_ and open_[-1].line_end < item.line:
            open_.pop()
        outer = open_[-1] if open_ else None
        if isinstance(item, Draft):
            if outer is None or outer.is_class:
                result.append(item)
            continue
        result.append(_mended(tree, lines, item, known.get(item.line), outer))
        open_.append(item)
    return result


def _definitions(tree: ParsedTree, lines: IndentedLines) -> list[_Definition]:
    """Return everything that looks like a definition, with its extent."""
    found: list[_Definition] = []
    line, position = 1, 0
    for head in _HEAD.finditer(lines.plain):
        line += lines.plain.count(b"\n", position, head.start(2))
        position = head.start(2)
        found.append(_Definition(head, line, 0))
    ends = _ends_by_ast(tree)
    if ends is None:
        ends = lines.ends({d.line: lines.depth(d.line) for d in found})
    for definition in found:
        definition.line_end = ends.get(definition.line, 0)
    return [definition for definition in found if definition.line_end]


def _ends_by_ast(tree: ParsedTree) -> dict[int, int] | None:
    """Return line -> last line of each definition, if Python can read the file."""
    try:
        module = parse_module(tree.data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = (node for node in ast.walk(module) if isinstance(node, kinds))
    return {node.lineno: node.end_lineno or node.lineno for node in found}


def _mended(
    tree: ParsedTree,
    lines: IndentedLines,
    found: _Definition,
    draft: Draft | None,
    outer: _Definition | None,
) -> Draft:
    """Return the tree's draft of a definition, or a new one, in its right place and extent."""
    head = found.head
    draft = draft or _drafted(tree, lines, found)
    draft.line_end = found.line_end
    next_line = tree.line_starts()[found.line_end : found.line_end + 1]
    draft.end = next_line[0] - 1 if next_line else len(tree.data)
    draft.end = max(draft.end, head.end())
    in_function = outer is not None and not outer.is_class
    first = lines.first_decorator(found.line)
    if first < draft.decorated_line:
        starts = tree.line_starts()
        above = tree.slice(starts[first - 1], starts[found.line - 1])
        sources = re.split(r"^\s*@", above, flags=re.MULTILINE)[1:]
        draft.decorators = tuple(one_line(source, python=True).strip() for source in sources)
        draft.decorated_line = first
    draft.kind = _kind(draft, found, outer)
    draft.exported = not in_function and not is_private(draft.name)
    draft.top_level = outer is None
    return draft


def _drafted(tree: ParsedTree, lines: IndentedLines, found: _Definition) -> Draft:
    head = found.head
    starts = tree.line_starts()
    colon = _colon(lines.plain, head.end())
    body = _BODY_STRING.match(tree.data, colon)
    line_start = starts[found.line - 1]
    return Draft(
        name=head[3].decode("utf-8", "replace"),
        kind="function",
        start=head.start(2),
        end=head.end(),
        line=found.line,
        line_end=found.line_end,
        signature=one_line(tree.slice(head.start(2), colon), python=True),
        name_line=found.line,
        name_column=len(tree.slice(line_start, head.start(3))),
        decorated_line=found.line,
        docstring=docstring_line(body[1].decode("utf-8", "replace")) if body else None,
    )


def _kind(draft: Draft, found: _Definition, outer: _Definition | None) -> SymbolKind:
    if found.is_class:
        return "class"
    if outer is None or not outer.is_class:
        return "function"
    return "property" if any(map(makes_property, draft.decorators)) else "method"


def _colon(plain: bytes, start: int) -> int:
    """Return where a head's colon stands, or the end of its line if it has none."""
    depth = 0
    for idx in range(start, min(len(plain), start + _MAX_HEAD)):
        char = plain[idx : idx + 1]
        if char in b"([{":
            depth += 1
        elif char in b")]}":
            depth -= 1
        elif char == b":" and depth <= 0:
            return idx
    line_end = plain.find(b"\n", start)
    return line_end if line_end >= 0 else len(plain)


def _is_binding(draft: Draft) -> bool:
    """Return whether a draft is of a name that is bound without ``def`` or ``class``."""
    return not draft.signature.startswith(("def ", "async ", "class "))
