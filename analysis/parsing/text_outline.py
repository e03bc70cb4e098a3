"""Definitions in languages without a parser, found by the look of their lines.

This is a good guess, not an analysis: a definition is a line with a keyword (or the shape of a C
function), and reaches to the line that closes it at the same indentation.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from analysis.models import FileOutline, SymbolInfo, SymbolKind
from analysis.parsing.comment_spans import comment_spans
from analysis.parsing.definition_words import (
    SQL_MODIFIERS,
    function_pattern,
    keyword_pattern,
    kinds_by_keyword,
    special_pattern,
)

# A function's head, from its parenthesis to its brace, is looked for within so many characters.
_MAX_HEAD = 1500
_MAX_SIGNATURE = 200
# A definition that nothing closes is cut after so many lines.
_MAX_UNCLOSED = 400
_MAX_STATEMENT = 2000
_CLOSERS = ("}", ")", "]", "end", "fi", "done")
_OPENERS = ("{", "(", "[", "->", "=>", "where")
_DEFAULT_KINDS: dict[str, SymbolKind] = {"zig": "class", "rust": "module", "make": "variable"}
_BLOCK_KINDS = frozenset({"class", "interface", "module", "enum"})


@dataclass(slots=True)
class _FoundHead:
    """A definition line, before its extent and place in the tree are known."""

    name: str
    kind: SymbolKind
    line: int
    indent: int
    owner: str = ""
    line_end: int = 0


def with_text_symbols(outline: FileOutline, text: str) -> FileOutline:
    r"""Return the outline with definitions guessed from the text, if it has none of a parser.

    >>> empty = FileOutline("a.go", "go", (), (), 3)
    >>> [s.name for s in with_text_symbols(empty, "func Run() {\n}\n").symbols]
    ['Run']
    """
    if outline.symbols:
        return outline
    return replace(outline, symbols=text_symbols(outline.language, text))


def text_symbols(language: str, text: str) -> tuple[SymbolInfo, ...]:
    """Return the definitions of a file in a language without a parser, nested, in order."""
    found = _definitions(language, text)
    if not found:
        return ()
    lines = text.split("\n")
    if language == "sql":
        for item in found:
            item.line_end = _statement_end(item.line, lines)
    else:
        _set_ends(found, lines)
    return _nested(found, lines)


def _definitions(language: str, text: str) -> list[_FoundHead]:
    """Return definition lines in order, at most one a line, none inside comments."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    spans = list(comment_spans(language, text))
    span_starts = [span[0] for span in spans]
    by_line: dict[int, _FoundHead] = {}
    for offset, item in _matches(language, text):
        i = bisect.bisect_right(span_starts, offset) - 1
        if i >= 0 and offset < spans[i][1]:
            continue
        item.line = bisect.bisect_right(starts, offset)
        by_line.setdefault(item.line, item)
    return [by_line[line] for line in sorted(by_line)]


def _matches(language: str, text: str) -> Iterator[tuple[int, _FoundHead]]:
    """Yield offset of the name and what is defined, special shapes before keywords before C's."""
    special = special_pattern(language)
    for match in special.finditer(text) if special else ():
        owner = match.groupdict().get("owner") or ""
        kind: SymbolKind = "method" if owner else _DEFAULT_KINDS.get(language, "function")
        yield match.start("name"), _FoundHead(match["name"], kind, 0, _indent(match.group()), owner)
    pattern = keyword_pattern(language)
    kinds = kinds_by_keyword(language)
    for match in pattern.finditer(text) if pattern else ():
        kind = _kind_of(match["word"], kinds)
        if (
            kind == "class"
            and language in ("c", "cpp", "cuda")
            and not _has_body(text, match.end())
        ):
            continue
        yield match.start("name"), _FoundHead(match["name"], kind, 0, _indent(match.group()))
    yield from _c_functions(language, text)


def _c_functions(language: str, text: str) -> Iterator[tuple[int, _FoundHead]]:
    """Yield functions without a keyword; one without a type counts only where it can be one."""
    shape = function_pattern(language)
    for match in shape.finditer(text) if shape else ():
        constructor = match["name"][:1].isupper() and language in ("java", "csharp", "dart")
        plain = not match["type"] and match["indent"] and not constructor
        if not plain and _opens_body(text, match.end()):
            yield (
                match.start("name"),
                _FoundHead(match["name"], "function", 0, len(match["indent"])),
            )


def _kind_of(word: str, kinds: dict[str, SymbolKind]) -> SymbolKind:
    """Return what a keyword defines, however it is spaced and written."""
    plain = " ".join(word.split())
    bare = re.sub(rf" (?:{SQL_MODIFIERS})\b", "", plain.lower())
    return kinds.get(plain) or kinds.get(bare, "type")


def _indent(line: str) -> int:
    """Return the width of the white space that a line starts with."""
    return len(line) - len(line.lstrip(" \t"))


def _has_body(text: str, offset: int) -> bool:
    """Return whether a brace comes before the statement ends (not ``struct foo *x;``)."""
    match = re.compile(r"[^;{()=]{0,300}\{").match(text, offset)
    return match is not None


def _opens_body(text: str, offset: int) -> bool:
    """Return whether the parenthesis opened before ``offset`` closes and a body follows."""
    depth = 1
    position = offset
    for match in re.compile(r"[()]").finditer(text, offset, offset + _MAX_HEAD):
        depth += 1 if match.group() == "(" else -1
        if depth == 0:
            position = match.end()
            break
    else:
        return False
    return re.compile(r"[^;{}=]{0,300}?(?:\{|=>)").match(text, position) is not None


def _set_ends(found: list[_FoundHead], lines: list[str]) -> None:
    """Find the last line of each definition."""
    indents = [_indent(line) if line.strip() else -1 for line in lines]
    heads = {item.line for item in found}
    for item in found:
        item.line_end = _end_of(item, lines, indents, heads)


def _statement_end(line: int, lines: list[str]) -> int:
    """Return the line that ends a statement of SQL: its semicolon, outside of a body.

    A body is what stands between dollar signs, or from BEGIN to the END of a line's own.
    """
    quote, depth = "", 0
    for number in range(line, min(len(lines), line + _MAX_STATEMENT) + 1):
        text = re.sub(r"--.*|'(?:[^']|'')*'", "", lines[number - 1])
        for sign in re.findall(r"\$\w*\$", text):
            quote = "" if quote == sign else quote or sign
        if quote:
            continue
        depth += bool(re.search(r"\bBEGIN\b(?!\s*;)", text, re.IGNORECASE))
        depth -= depth > 0 and bool(
            re.match(r"\s*END\b(?!\s+(?:IF|CASE|LOOP))", text, re.IGNORECASE)
        )
        is_next = number > line and re.match(r"(?:CREATE|GO)\b", text, re.IGNORECASE)
        if is_next:
            return _last_written(number - 1, lines)
        if ";" in text and depth == 0:
            return number
    return _last_written(min(len(lines), line + _MAX_STATEMENT), lines)


def _last_written(number: int, lines: list[str]) -> int:
    while number > 1 and not lines[number - 1].strip():
        number -= 1
    return number


def _end_of(item: _FoundHead, lines: list[str], indents: list[int], heads: set[int]) -> int:
    """Return the line that closes a definition: the first closer at its own indentation."""
    head = lines[item.line - 1].rstrip()
    if head.endswith((";", "}")) or head.endswith(" end"):
        return item.line
    braces = "{" in head
    last = item.line
    for number in range(item.line + 1, min(len(lines), item.line + 4000) + 1):
        indent = indents[number - 1]
        if indent < 0:
            continue
        if indent > item.indent:
            last = number
            continue
        stripped = lines[number - 1].strip()
        opens = stripped.endswith(_OPENERS) or stripped.startswith("{") or stripped == "where"
        if indent == item.indent and stripped.startswith(_CLOSERS) and not opens:
            return number
        if indent < item.indent or (number in heads and number != item.line):
            return last
        braces = braces or opens or stripped.startswith(item.name)  # Haskell's equations
        if not braces or number - item.line > _MAX_UNCLOSED:
            return last
        last = number
    return last


def _nested(found: list[_FoundHead], lines: list[str]) -> tuple[SymbolInfo, ...]:
    """Return the definitions as a tree, by their extents."""
    parents: list[_FoundHead] = []
    children: dict[int, list[_FoundHead]] = {}
    top: list[_FoundHead] = []
    qualified: dict[int, str] = {}
    for item in found:
        while parents and parents[-1].line_end < item.line:
            parents.pop()
        parent = parents[-1] if parents else None
        if parent is not None:
            item.line_end = min(item.line_end, parent.line_end)
        if parent is not None and parent.kind in _BLOCK_KINDS and item.kind == "function":
            item.kind = "method"
        prefix = qualified[id(parent)] if parent is not None else item.owner
        qualified[id(item)] = f"{prefix}.{item.name}" if prefix else item.name
        (children.setdefault(id(parent), []) if parent is not None else top).append(item)
        parents.append(item)
    built: dict[int, SymbolInfo] = {}
    for item in reversed(found):
        inner = tuple(built[id(child)] for child in children.get(id(item), ()))
        built[id(item)] = _symbol(item, qualified[id(item)], lines, inner)
    return tuple(built[id(item)] for item in top)


def _symbol(
    item: _FoundHead, qualified_name: str, lines: list[str], children: tuple[SymbolInfo, ...]
) -> SymbolInfo:
    head = lines[item.line - 1]
    signature = " ".join(head.strip().rstrip("{").split())[:_MAX_SIGNATURE].rstrip("; ")
    return SymbolInfo(
        name=re.split(r"::|[.:]", item.name)[-1] or item.name,
        qualified_name=qualified_name.replace("::", "."),
        kind=item.kind,
        line=item.line,
        line_end=max(item.line, item.line_end),
        signature=signature,
        name_line=item.line,
        name_column=max(head.find(item.name), 0),
        decorated_line=_decorated_line(lines, item.line),
        children=children,
        docstring=_comment_above(lines, item.line),
        exported=not re.match(r"\s*(?:private|local|static|fileprivate|defp)\b", head),
    )


def _decorated_line(lines: list[str], line: int) -> int:
    """Return the first line of the attributes and annotations above a definition."""
    while line > 1 and lines[line - 2].lstrip().startswith(("@", "#[", "[")):
        line -= 1
    return line


def _comment_above(lines: list[str], line: int) -> str | None:
    """Return the first line of the comment that stands right above a definition."""
    first = None
    number = _decorated_line(lines, line) - 1
    while number >= 1 and (match := _COMMENT_LINE.match(lines[number - 1])):
        first = match["text"].strip(" */") or first
        number -= 1
    return first


_COMMENT_LINE = re.compile(
    r"\s*(?:///?!?|/\*\*?|\*/?|#(?!\[|(?:include|define|undef|pragma|error|if|ifn?def|el(?:se|if)|end(?:if|region)|region)\b)+|--+|;+|%+)(?P<text>.*)"
)
