"""Definitions of a Python file that the parser could not read in full.

Where a file is broken, or ahead of the grammar, the tree around that place is of little use: a
class loses its methods, a function ends too early. What is left to go by is how people indent.
If Python itself accepts the file, its own line ranges are taken instead.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.parsing.drafts import Draft
from analysis.parsing.python_values import docstring_line, is_private, makes_property
from analysis.parsing.signatures import one_line

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
# Stands for the end of a string of several lines, whose indentation means nothing.
_STRING_END = b"\x01"
# Lines that begin with these go on with what stands before them, whatever their indentation.
_CONTINUATIONS = (b")", b"]", b"}", _STRING_END)
# A head is not searched further than this for its colon, nor upwards for its decorators.
_MAX_HEAD = 4000
_MAX_DECORATOR_LINES = 60


@dataclass(slots=True)
class _Definition:
    """A ``def`` or ``class`` by its look."""

    head: re.Match[bytes]
    line: int
    line_end: int

    @property
    def indent(self) -> int:
        return len(self.head[1].expandtabs(8))

    @property
    def is_class(self) -> bool:
        return self.head[2] == b"class"


class _Lines:
    """The lines of a file whose strings and comments are blanked out."""

    def __init__(self, tree: ParsedTree) -> None:
        self.plain = _STRING_OR_COMMENT.sub(_blanked, tree.data)
        self.lines = self.plain.split(b"\n")
        self.starts = tree.line_starts()

    def end_by_indent(self, line: int, indent: int) -> int:
        """Return the last line of a block whose head stands on ``line``."""
        end = line
        for number in range(line + 1, len(self.lines) + 1):
            source = self.lines[number - 1]
            words = source.strip()
            if not words:
                continue
            depth = len(source.expandtabs(8)) - len(source.expandtabs(8).lstrip())
            if depth <= indent and not words.startswith(_CONTINUATIONS):
                break
            end = number
        return end

    def first_decorator(self, line: int, indent: int) -> int:
        """Return the line of the first decorator above ``line``; ``line`` itself without any."""
        first = line
        for number in range(line - 1, max(0, line - _MAX_DECORATOR_LINES), -1):
            source = self.lines[number - 1].expandtabs(8)
            words = source.strip()
            depth = len(source) - len(source.lstrip())
            if words.startswith(b"@") and depth == indent:
                first = number
            elif not words or (depth <= indent and not words.startswith(_CONTINUATIONS)):
                break
        return first


def repaired(tree: ParsedTree, drafts: list[Draft]) -> list[Draft]:
    """Return the definitions of a broken file: those of the tree, mended and completed."""
    lines = _Lines(tree)
    known = {draft.line: draft for draft in drafts if not _is_binding(draft)}
    items: list[tuple[int, _Definition | Draft]] = [
        (d.head.start(2), d) for d in _definitions(tree, lines)
    ]
    items += [(draft.start, draft) for draft in drafts if _is_binding(draft)]
    result: list[Draft] = []
    open_: list[_Definition] = []
    for n_seen, (start, item) in enumerate(sorted(items, key=lambda pair: pair[0])):
        if n_seen % 128 == 0:
            tree.watch.check()
        line = tree.data.count(b"\n", 0, start) + 1 if not isinstance(item, Draft) else item.line
        while open_ and open_[-1].line_end < line:
            open_.pop()
        outer = open_[-1] if open_ else None
        if isinstance(item, Draft):
            if outer is None or outer.is_class:
                result.append(item)
            continue
        result.append(_mended(tree, lines, item, known.get(item.line), outer))
        open_.append(item)
    return result


def _definitions(tree: ParsedTree, lines: _Lines) -> list[_Definition]:
    """Return everything that looks like a definition, with its extent."""
    ends = _ends_by_ast(tree)
    result = []
    line = position = 0
    for head in _HEAD.finditer(lines.plain):
        line += lines.plain.count(b"\n", position, head.start(2))
        position = head.start(2)
        definition = _Definition(head, line + 1, 0)
        if ends is None:
            definition.line_end = lines.end_by_indent(line + 1, definition.indent)
        elif line + 1 in ends:
            definition.line_end = ends[line + 1]
        else:
            continue
        result.append(definition)
    return result


def _ends_by_ast(tree: ParsedTree) -> dict[int, int] | None:
    """Return line -> last line of each definition, if Python can read the file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(tree.data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = (node for node in ast.walk(module) if isinstance(node, kinds))
    return {node.lineno: node.end_lineno or node.lineno for node in found}


def _mended(
    tree: ParsedTree,
    lines: _Lines,
    found: _Definition,
    draft: Draft | None,
    outer: _Definition | None,
) -> Draft:
    """Return the tree's draft of a definition, or a new one, in its right place and extent."""
    head = found.head
    draft = draft or _drafted(tree, lines, found)
    draft.line_end = found.line_end
    next_line = lines.starts[found.line_end : found.line_end + 1]
    draft.end = next_line[0] - 1 if next_line else len(tree.data)
    draft.end = max(draft.end, head.end())
    in_function = outer is not None and not outer.is_class
    draft.kind = _kind(draft, found, outer)
    draft.exported = not in_function and not is_private(draft.name)
    draft.top_level = outer is None
    return draft


def _drafted(tree: ParsedTree, lines: _Lines, found: _Definition) -> Draft:
    head = found.head
    colon = _colon(lines.plain, head.end())
    body = _BODY_STRING.match(tree.data, colon)
    first = lines.first_decorator(found.line, found.indent)
    above = tree.slice(lines.starts[first - 1], lines.starts[found.line - 1])
    decorators = re.split(r"^\s*@", above, flags=re.MULTILINE)[1:]
    line_start = lines.starts[found.line - 1]
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
        decorated_line=first,
        decorators=tuple(one_line(source.strip(), python=True) for source in decorators),
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


def _blanked(match: re.Match[bytes]) -> bytes:
    """Return a string or comment without its words, as long and with the same line ends."""
    source = match[0]
    blank = re.sub(rb"[^\n]", b" ", source)
    if source.startswith(b"#"):
        return blank
    return b"~" + blank[1:-1] + (_STRING_END if b"\n" in source else b"~")


def _is_binding(draft: Draft) -> bool:
    """Return whether a draft is of a name that is bound without ``def`` or ``class``."""
    return not draft.signature.startswith(("def ", "async ", "class "))
