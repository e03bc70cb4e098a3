"""Definitions of a broken JavaScript or TypeScript file that its tree does not show.

A class whose body is being written is no class in the tree. Lines that look like the head of a
definition are taken for one, and reach as far as the indentation says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analysis.parsing.drafts import Draft
from analysis.parsing.indentation import IndentedLines
from analysis.parsing.signatures import one_line
from analysis.parsing.trees import check_time

if TYPE_CHECKING:
    from analysis.models import SymbolKind
    from analysis.parsing.trees import ParsedTree

_STRING_OR_COMMENT = re.compile(
    rb"'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|`(?:\\.|[^`\\])*`|//[^\n]*|/\*.*?\*/", re.DOTALL
)
_HEAD = re.compile(
    rb"^[ \t]*(?P<head>(?P<modifiers>(?:(?:export|default|declare|abstract|async|const|static"
    rb"|public|private|protected|override|readonly|get|set)[ \t]+)*)"
    rb"(?:(?P<word>class|interface|enum|namespace|function[ \t]*\*?)[ \t]*"
    rb"(?<=[ \t*])(?P<named>[\w$]+)"
    rb"|(?:let[ \t]+|var[ \t]+)?(?P<arrow>[\w$]+)(?:[ \t]*:[^=\n]+)?[ \t]*=[ \t]*(?:async[ \t]*)?"
    rb"(?:function\b|(?:\([^\n]*\)|[\w$]+)[^=\n]*=>)"
    rb"|\*?[ \t]*(?P<method>[#\w$]+)[ \t]*(?:<[^\n(]*>)?\([^\n]*\)[^;=\n(]*\{))[^\n]*$",
    re.MULTILINE,
)
_KINDS: dict[bytes, SymbolKind] = {
    b"class": "class",
    b"interface": "interface",
    b"enum": "enum",
    b"namespace": "module",
}
_NO_NAMES = frozenset(b"if for while switch catch function return with else do new super".split())
_CONTAINERS = ("class", "interface")


def repaired(tree: ParsedTree, drafts: list[Draft]) -> list[Draft]:
    """Return the definitions of a broken file: those of the tree, and those it should have."""
    lines = IndentedLines(tree.data, _STRING_OR_COMMENT)
    known = {(draft.name_line, draft.name): draft for draft in drafts}
    heads = _heads(tree, lines)
    ends = lines.ends({draft.line: lines.depth(draft.line) for draft in heads})
    starts = tree.line_starts()
    new = []
    for head in heads:
        line_end = ends[head.line]
        end = starts[line_end] - 1 if line_end < len(starts) else len(tree.data)
        draft = known.get((head.name_line, head.name), head)
        if draft is head:
            draft.line_end, draft.end = line_end, max(head.end, end)
            new.append(draft)
        elif draft.line < line_end < draft.line_end:  # it swallowed what stands after it
            draft.line_end, draft.end = line_end, end
        draft.exported = draft.exported or head.exported
    return _settled([*drafts, *new], {id(draft) for draft in new})


def _heads(tree: ParsedTree, lines: IndentedLines) -> list[Draft]:
    """Return a draft for each line that looks like a definition, its end still open."""
    result = []
    line, position = 1, 0
    for n_seen, match in enumerate(_HEAD.finditer(lines.plain)):
        if n_seen % 128 == 0:
            check_time(tree.deadline)
        line += lines.plain.count(b"\n", position, match.start("head"))
        position = match.start("head")
        group = next(name for name in ("named", "arrow", "method") if match[name])
        if match[group] in _NO_NAMES:
            continue
        kind: SymbolKind = "method" if group == "method" else "function"
        if match["word"] is not None:
            kind = _KINDS.get(match["word"], "function")
        line_start = tree.line_starts()[line - 1]
        result.append(
            Draft(
                name=tree.slice(*match.span(group)),
                kind=kind,
                start=match.start("head"),
                end=match.end(group),
                line=line,
                line_end=line,
                signature=_signature(tree.slice(match.start("head"), match.end())),
                name_line=line,
                name_column=len(tree.slice(line_start, match.start(group))),
                decorated_line=lines.first_decorator(line),
                exported=b"export" in match["modifiers"],
            )
        )
    return result


def _signature(source: str) -> str:
    line = one_line(source, python=False)
    return line.removesuffix("}").rstrip().removesuffix("{").rstrip()


def _settled(drafts: list[Draft], new: set[int]) -> list[Draft]:
    """Return the drafts without methods outside of classes, kinds set by what is around them."""
    result: list[Draft] = []
    open_: list[Draft] = []
    for draft in sorted(drafts, key=lambda d: (d.start, -d.end)):
        while open_ and open_[-1].end <= draft.start:
            open_.pop()
        in_class = bool(open_) and open_[-1].kind in _CONTAINERS
        if id(draft) in new and draft.kind == "method" and not in_class:
            continue
        if in_class and draft.kind == "function":
            draft.kind = "method"
        if in_class and not draft.name.startswith(("#", "_")):
            draft.exported = True
        result.append(draft)
        open_.append(draft)
    return result
