"""How a file is cut into spans of lines: by its definitions, elsewhere by its layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.models import FileOutline, SymbolInfo

# A chunk should be readable at a glance and specific enough to rank; longer ones are split.
MAX_LINES = 60
# A split comes after two thirds of the limit, at the line that looks most like a seam.
_MIN_SPLIT = 40
# Text without definitions is told apart at blank lines once a block is this long.
_MIN_BLOCK = 20
# A definition nested in a long function, or a value, gets a chunk of its own from this length on.
_MIN_NESTED = 6
_ALWAYS = frozenset({"function", "class", "method", "interface", "enum", "module", "property"})
_ABOVE = re.compile(r"\s*(?:#|//|/\*|\*|--|;|%|@|\[\w|\"\"\"$)")
_HEADINGS = {
    "markdown": re.compile(r"#{1,6}[ \t]+(?P<title>\S.*)"),
    "asciidoc": re.compile(r"={1,6}[ \t]+(?P<title>\S.*)"),
    "org": re.compile(r"\*{1,6}[ \t]+(?P<title>\S.*)"),
    "toml": re.compile(r"\[+(?P<title>[^\]]+)\]+"),
    "ini": re.compile(r"\[+(?P<title>[^\]]+)\]+"),
    "yaml": re.compile(r"(?P<title>[A-Za-z_][\w.-]*):"),
}
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+])\1{2,}\s*$")


@dataclass(frozen=True, slots=True)
class LineSpan:
    """Lines that belong together, and the definition that they are of."""

    start: int
    end: int
    symbol: str | None
    """Qualified name of the definition, or the heading of a section of prose."""
    kind: str
    """Kind of the definition; ``block`` for everything else."""


def spans_of(outline: FileOutline, lines: Sequence[str]) -> list[LineSpan]:
    """Return a file's spans: they cover its lines exactly once, in order."""
    owners: list[tuple[str | None, str, int]] = [(None, "block", 0)] * len(lines)
    for symbol in _worth_a_span(outline):
        start = _first_line(symbol, lines)
        owner = (symbol.qualified_name, symbol.kind, symbol.line)
        end = min(symbol.line_end, len(lines))
        owners[start - 1 : end] = [owner] * max(end - start + 1, 0)
    _paint_sections(outline.language, owners, lines)
    runs = _runs(owners, lines)
    return [piece for run in runs for piece in _pieces(run, lines)]


def _worth_a_span(outline: FileOutline) -> Iterator[SymbolInfo]:
    """Yield the definitions that own lines, outer ones before the ones inside them."""
    stack = list(reversed(outline.symbols))
    while stack:
        symbol = stack.pop()
        length = symbol.line_end - symbol.decorated_line + 1
        least = 2 if symbol.kind in _ALWAYS else _MIN_NESTED
        if length >= least:
            yield symbol
        if symbol.kind not in ("function", "method") or length > MAX_LINES:
            stack.extend(reversed(symbol.children))
        elif any(child.kind == "class" for child in symbol.children):
            stack.extend(child for child in reversed(symbol.children) if child.kind == "class")


def _first_line(symbol: SymbolInfo, lines: Sequence[str]) -> int:
    """Return the first line of a definition with its decorators and the comments above."""
    line = min(symbol.decorated_line, symbol.line)
    indent = len(lines[line - 1]) - len(lines[line - 1].lstrip()) if line <= len(lines) else 0
    while line > 1 and _ABOVE.match(lines[line - 2]):
        above = lines[line - 2]
        if len(above) - len(above.lstrip()) < indent:
            break  # the head of what encloses it
        line -= 1
    return line


def _paint_sections(
    language: str, owners: list[tuple[str | None, str, int]], lines: Sequence[str]
) -> None:
    """Give the lines of prose and settings to the headings above them."""
    pattern = _HEADINGS.get(language)
    if pattern is None and language != "restructuredtext":
        return
    heading: tuple[str | None, str, int] = (None, "block", 0)
    fenced = False
    for i, line in enumerate(lines):
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        match = pattern.match(line) if pattern and not fenced else None
        if match:
            heading = (match["title"].strip(" #"), "block", i + 1)
        elif not pattern and i + 1 < len(lines) and line.strip() and _UNDERLINE.match(lines[i + 1]):
            heading = (line.strip(), "block", i + 1)
        if owners[i][0] is None:
            owners[i] = heading


def _runs(owners: Sequence[tuple[str | None, str, int]], lines: Sequence[str]) -> list[LineSpan]:
    """Return runs of lines with one owner; a run of nothing but blanks joins the one before."""
    runs: list[LineSpan] = []
    start = 0
    last: tuple[str | None, str, int] | None = None
    for i in range(len(lines) + 1):
        owner = owners[i] if i < len(lines) else None
        if i and (i == len(lines) or owner != last):
            name, kind, _ = last or (None, "block", 0)
            blank = not any(line.strip(" \t\f})];") for line in lines[start:i])
            if blank and runs:
                runs[-1] = LineSpan(runs[-1].start, i, runs[-1].symbol, runs[-1].kind)
            else:
                runs.append(LineSpan(start + 1, i, name, kind))
            start = i
        last = owner
    return runs


def _pieces(span: LineSpan, lines: Sequence[str]) -> Iterator[LineSpan]:
    """Yield the span, or pieces of it if it is long."""
    start = span.start
    least = _MIN_SPLIT if span.kind != "block" else _MIN_BLOCK
    while span.end - start + 1 > MAX_LINES:
        cut = _seam(lines, start + least, min(start + MAX_LINES, span.end))
        yield LineSpan(start, cut, span.symbol, span.kind)
        start = cut + 1
    yield LineSpan(start, span.end, span.symbol, span.kind)


def _seam(lines: Sequence[str], first: int, last: int) -> int:
    """Return the line after which to cut: before the least indented line, best after a blank."""
    best, best_cost = last - 1, 1 << 20
    for cut in range(first, last):
        following = lines[cut]
        if not following.strip():
            continue
        cost = 2 * (len(following) - len(following.lstrip()))
        cost -= 5 if not lines[cut - 1].strip() else 0
        if cost <= best_cost:
            best, best_cost = cut, cost
    return best
