"""Sections of files that are no code: headings of Markdown, rules of style sheets.

They are shown where a file is outlined, and are no definitions: nothing is ranked by them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from analysis.models import FileOutline, SymbolInfo, SymbolKind
from analysis.parsing.comment_spans import comment_spans

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
# Rules that are nested deeper are listed with the last one that is not.
_MAX_DEPTH = 40


@dataclass(slots=True)
class _Section:
    name: str
    kind: SymbolKind
    line: int
    line_end: int
    column: int
    text: str
    level: int = 0
    children: list[_Section] = field(default_factory=list)


def has_sections(outline: FileOutline) -> bool:
    """Return whether a file is no code, so that its outline tells sections."""
    return outline.language == "markdown" or outline.language in _STYLE


def with_sections(outline: FileOutline, text: str) -> FileOutline:
    r"""Return an outline with the sections of its file, if that has any and is no code.

    >>> page = with_sections(FileOutline("a.md", "markdown", (), (), 4), "# A\n\n## B\nText\n")
    >>> [(s.name, s.line, s.line_end) for s in page.symbols[0].children]
    [('B', 3, 4)]
    """
    if outline.language == "markdown":
        headings = _symbols(_by_level(_headings(text)), "")
        return replace(outline, symbols=(*outline.symbols, *headings))
    if outline.language in _STYLE:
        return replace(outline, symbols=_symbols(_rules(outline.language, text), ""))
    return outline


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _headings(text: str) -> list[_Section]:
    """Return the headings outside of fences, comments and what stands before the page."""
    lines = _COMMENT.sub(_blank, _FRONT_MATTER.sub(_blank, text)).split("\n")
    found: list[_Section] = []
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
            found.append(_heading(match["title"] or "", number, line, len(match["level"])))
        elif number > 1 and (under := _UNDERLINE.match(line)):
            above = lines[number - 2]
            is_text = not _NO_PARAGRAPH.match(above) and not _HEADING.match(above)
            if is_text and not (found and found[-1].line >= number - 1):
                found.append(
                    _heading(above, number - 1, above, 1 if under["sign"][0] == "=" else 2)
                )
    _set_ends(found, text.split("\n"))
    return [section for section in found if section.name]


def _heading(title: str, line: int, text: str, level: int) -> _Section:
    name = re.sub(r"[`*]", "", _LINK.sub(r"\1", title)).strip()[:_MAX_NAME]
    column = max(text.find(name), 0)
    return _Section(name, "module", line, line, column, text.strip()[:_MAX_NAME], level)


def _set_ends(found: list[_Section], lines: list[str]) -> None:
    """Let each section end before the next one that is not below it."""
    for idx, section in enumerate(found):
        following = (other.line for other in found[idx + 1 :] if other.level <= section.level)
        end = next(following, len(lines) + 1) - 1
        while end > section.line and not lines[end - 1].strip():
            end -= 1
        section.line_end = end


def _by_level(found: list[_Section]) -> list[_Section]:
    top: list[_Section] = []
    open_: list[_Section] = []
    for section in found:
        while open_ and open_[-1].level >= section.level:
            open_.pop()
        (open_[-1].children if open_ else top).append(section)
        open_.append(section)
    return top


def _rules(language: str, text: str) -> list[_Section]:
    """Return the rules of a style sheet: what stands before a bracket, up to the one that closes.

    Commas and white space of what is selected are kept as one line.
    """
    pieces, at = [], 0
    for start, end in comment_spans(language, text):
        if start >= at:
            pieces += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
            at = end
    code = "".join([*pieces, text[at:]])
    bare = _STRING.sub(lambda match: re.sub(r"[^\n]", "_", match[0]), code)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    top: list[_Section] = []
    open_: list[_Section | None] = []
    begin, line = 0, 1
    for match in _MARK.finditer(bare):
        if len(match[0]) > 1:
            continue  # a value in the middle of a name
        if match[0] == "{":
            head = code[begin : match.start()]
            first = begin + len(head) - len(head.lstrip())
            line += text.count("\n", starts[line - 1], first)
            section = _rule(head, line, first - starts[line - 1])
            around = next((rule for rule in reversed(open_) if rule is not None), None)
            if section is not None:
                (around.children if around is not None else top).append(section)
            open_.append(section if len(open_) < _MAX_DEPTH else None)
        elif match[0] == "}" and open_:
            closed = open_.pop()
            if closed is not None:
                closed.line_end = closed.line + text.count(
                    "\n", starts[closed.line - 1], match.start()
                )
        begin = match.end()
    for left in open_:
        if left is not None:
            left.line_end = text.count("\n") + (not text.endswith("\n"))
    return top


def _rule(head: str, line: int, column: int) -> _Section | None:
    name = " ".join(head.split())[:_MAX_NAME]
    if not name:
        return None
    kind: SymbolKind = "module" if name.startswith("@") else "class"
    if re.match(r"@(?:mixin|function)\b", name):
        name, kind = re.split(r"[\s(]", name)[1], "function"
    return _Section(name, kind, line, line, column, " ".join(head.split())[:_MAX_NAME])


def _symbols(sections: list[_Section], around: str) -> tuple[SymbolInfo, ...]:
    return tuple(_symbol(section, around) for section in sections)


def _symbol(section: _Section, around: str) -> SymbolInfo:
    qualified = f"{around}.{section.name}" if around else section.name
    return SymbolInfo(
        name=section.name,
        qualified_name=qualified,
        kind=section.kind,
        line=section.line,
        line_end=section.line_end,
        signature=section.text,
        name_line=section.line,
        name_column=section.column,
        decorated_line=section.line,
        children=_symbols(section.children, qualified),
    )
