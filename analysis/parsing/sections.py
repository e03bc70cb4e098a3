"""Sections of files that are no code: headings of Markdown, rules of style sheets.

They are shown where a file is outlined, and are no definitions: nothing is ranked by them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace

from analysis.models import FileOutline, SymbolKind
from analysis.parsing.comment_spans import blanked, without_comments
from analysis.parsing.drafts import Draft, nest, symbols_from

_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(?P<level>#{1,6})(?:[ \t]+(?P<title>.*?))??(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(?P<sign>=+|-+)[ \t]*$")
_NO_PARAGRAPH = re.compile(r"\s*$| {4}|\t| {0,3}(?:>|[-*+][ \t]|\d+[.)][ \t]|\||<!--)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_STYLE = frozenset({"css", "scss", "less"})
_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|url\([^)\n]*\)")
_MARK = re.compile(r"(?:#\{[^}\n]*\}|@\{[^}\n]*\})|[{};]")
_MAX_NAME = 200


def has_sections(outline: FileOutline) -> bool:
    """Return whether a file is no code, so that its outline tells sections."""
    return outline.language == "markdown" or outline.language in _STYLE


def with_sections(outline: FileOutline, text: str) -> FileOutline:
    r"""Return an outline with the sections of its file, if that has any and is no code.

    >>> page = with_sections(FileOutline("a.md", "markdown", (), (), 4), "# A\n\n## B\nText\n")
    >>> [(s.name, s.line, s.line_end) for s in page.symbols[0].children]
    [('B', 3, 4)]
    """
    if not has_sections(outline):
        return outline
    if outline.language in _STYLE:
        return replace(outline, symbols=symbols_from(nest(_rules(outline.language, text))))
    return replace(outline, symbols=(*outline.symbols, *symbols_from(nest(_headings(text)))))


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _section(name: str, kind: SymbolKind, head: str, start: int, starts: list[int]) -> Draft:
    """Return a section that begins, and as yet ends, at an offset."""
    line = bisect_right(starts, start)
    column = start - starts[line - 1]
    return Draft(name, kind, start, start, line, line, head[:_MAX_NAME], line, column, line)


def _headings(text: str) -> list[Draft]:
    """Return the headings outside of fences, comments and what stands before the page."""
    page = _COMMENT.sub(_blank, _FRONT_MATTER.sub(_blank, text))
    lines, starts = page.split("\n"), _line_starts(text)
    found: list[tuple[int, Draft]] = []
    fence = ""
    for number, line in enumerate(lines, 1):
        opened = _FENCE.match(line)
        if fence:
            closes = opened is not None and opened["fence"].startswith(fence)
            if closes and not line.strip().strip(fence[0]):
                fence = ""
            continue
        if opened:
            fence = opened["fence"]
            continue
        match = _HEADING.match(line)
        if match:
            heading = _heading(match["title"] or "", line, starts[number - 1], starts)
            found.append((len(match["level"]), heading))
        elif number > 1 and (under := _UNDERLINE.match(line)):
            above = lines[number - 2]
            is_text = not _NO_PARAGRAPH.match(above) and not _HEADING.match(above)
            if is_text and not (found and found[-1][1].line >= number - 1):
                heading = _heading(above, above, starts[number - 2], starts)
                found.append((1 if under["sign"][0] == "=" else 2, heading))
    _set_ends(found, text.split("\n"), [*starts, len(text)])
    return [heading for _, heading in found if heading.name]


def _blank(match: re.Match[str]) -> str:
    return blanked(match[0])


def _heading(title: str, line: str, start: int, starts: list[int]) -> Draft:
    name = re.sub(r"[`*]", "", _LINK.sub(r"\1", title)).strip()[:_MAX_NAME]
    return _section(name, "module", line.strip(), start + max(line.find(name), 0), starts)


def _set_ends(found: list[tuple[int, Draft]], lines: list[str], starts: list[int]) -> None:
    """Let each section end before the next one that is not below it."""
    for idx, (level, section) in enumerate(found):
        following = (other.line for below, other in found[idx + 1 :] if below <= level)
        end = next(following, len(lines) + 1) - 1
        while end > section.line and not lines[end - 1].strip():
            end -= 1
        section.line_end, section.end = end, starts[end]


def _rules(language: str, text: str) -> list[Draft]:
    """Return the rules of a style sheet: what stands before a bracket, up to the one that closes.

    Commas and white space of what is selected are kept as one line.
    """
    code = without_comments(language, text, in_place=True)
    bare = _STRING.sub(lambda match: re.sub(r"[^\n]", "_", match[0]), code)
    starts = _line_starts(text)
    found: list[Draft] = []
    open_: list[Draft | None] = []
    begin = 0
    for match in _MARK.finditer(bare):
        if len(match[0]) > 1:
            continue  # a value in the middle of a name
        if match[0] == "{":
            rule = _rule(code[begin : match.start()], begin, starts)
            open_.append(rule)
            found += [rule] if rule is not None else []
        elif match[0] == "}" and open_:
            closed = open_.pop()
            if closed is not None:
                closed.line_end, closed.end = bisect_right(starts, match.start()), match.end()
        begin = match.end()
    for left in open_:
        if left is not None:
            left.line_end, left.end = bisect_right(starts, max(len(text) - 1, 0)), len(text)
    return found


def _rule(head: str, begin: int, starts: list[int]) -> Draft | None:
    """Return the rule whose head begins at an offset; None for a bracket without a head."""
    signature = " ".join(head.split())
    if not signature:
        return None
    name = signature[:_MAX_NAME]
    kind: SymbolKind = "module" if name.startswith("@") else "class"
    if re.match(r"@(?:mixin|function)\b", name):
        name, kind = re.split(r"[\s(]", name)[1], "function"
    first = begin + len(head) - len(head.lstrip())
    return _section(name, kind, signature, first, starts)
