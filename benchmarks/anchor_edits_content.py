"""Edits of the cited code itself: its tokens, layout, comments, names and branches."""

from __future__ import annotations

import re

from benchmarks.anchor_cases import (
    Case,
    Cited,
    Truth,
    comment,
    is_flow,
    siblings,
)
from benchmarks.anchor_formats import formatted, moved_lines

_WORD = re.compile(r"\b[A-Za-z_]\w{2,}\b")
_STRING = re.compile(r"(?<![\w\"'])[rbfu]?(\"[^\"\\\n]*\"|'[^'\\\n]*')(?![\"'])")
_GLUED = re.compile(
    r"\b(not|return|in|is|and|or|await|new|typeof|const|let|import|from|raise|yield) (?=[A-Za-z_])"
)
_COMMENT = re.compile(r"^\s*(#|//|/?\*)")


def edit_cited(cited: Cited) -> Case | None:
    """Change one word of the cited lines."""
    shown = cited.shown()
    spots = [
        (number, match)
        for number, line in enumerate(shown)
        if not _COMMENT.match(line)
        for match in _WORD.finditer(re.split(r"\s#|\s//", line)[0])
    ]
    if not spots:
        return None
    number, match = cited.rng.choice(spots)
    line = shown[number]
    shown[number] = line[: match.end()] + "_x" + line[match.end() :]
    return _replaced(cited, shown)


def blank_in_string(cited: Cited) -> Case | None:
    shown = cited.shown()
    spots = [
        (number, match)
        for number, line in enumerate(shown)
        if not _COMMENT.match(line) and '"""' not in line
        for match in _STRING.finditer(line)
        if "{" not in match[1]  # There may be code in it, in which a blank means nothing.
    ]
    if not spots:
        return None
    number, match = cited.rng.choice(spots)
    inside = match[1][1:-1]
    blank = inside.find(" ")
    new = inside[:blank] + inside[blank + 1 :] if blank >= 0 else inside + " "
    line = shown[number]
    shown[number] = line[: match.start(1) + 1] + new + line[match.end(1) - 1 :]
    return _replaced(cited, shown)


def blank_between_tokens(cited: Cited) -> Case | None:
    """Delete the blank that keeps two words apart."""
    shown = cited.shown()
    spots = [
        (number, match)
        for number, line in enumerate(shown)
        if not _COMMENT.match(line)
        for match in _GLUED.finditer(_STRING.sub(lambda m: " " * len(m[0]), line))
        if not re.search(r"\s#|//|\"\"\"", line[: match.start()])
    ]
    if not spots or not cited.statements:
        return None
    number, match = cited.rng.choice(spots)
    line = shown[number]
    shown[number] = line[: match.end() - 1] + line[match.end() :]
    return _replaced(cited, shown)


def comment_behind(cited: Cited) -> Case | None:
    """Put a comment behind a cited line of code."""
    inner = [
        s
        for s in cited.file.statements
        if cited.start <= s.start == s.end <= cited.end and s.kind != "comment"
    ]
    if not inner:
        return None
    chosen = cited.rng.choice(inner)
    lines = cited.lines()
    lines[chosen.start - 1] += "  " + comment(cited, "scripted note")
    return cited.case(lines, cited.same(cited.start, cited.end, told="comments"))


def comment_inside(cited: Cited) -> Case | None:
    """Put a line of comment between cited lines."""
    inner = [s for s in cited.file.statements if cited.start < s.start <= cited.end]
    inner = [s for s in inner if s.start - 1 >= cited.start]
    if not inner:
        return None
    chosen = cited.rng.choice(inner)
    lines = cited.lines()
    lines.insert(chosen.start - 1, chosen.indent + comment(cited, "scripted note"))
    return cited.case(lines, cited.same(cited.start, cited.end + 1, told="comments"))


def comment_above(cited: Cited) -> Case | None:
    if not cited.statements:
        return None
    lines = cited.lines()
    lines.insert(cited.start - 1, cited.statements[0].indent + comment(cited, "scripted note"))
    return cited.case(lines, cited.same(cited.start + 1, loose=True))


def comment_removed(cited: Cited) -> Case | None:
    made = comment_inside(cited)
    if made is None:
        return None
    lines = (cited.path, cited.start, cited.end + 1)
    truth = cited.same(cited.start, cited.end, told="comments")
    return Case(made.after, lines, {cited.path: cited.file.text}, truth)


def blank_line_inside(cited: Cited) -> Case | None:
    inner = [s for s in cited.file.statements if cited.start < s.start <= cited.end]
    if not inner:
        return None
    chosen = cited.rng.choice(inner)
    lines = cited.lines()
    lines.insert(chosen.start - 1, "")
    return cited.case(lines, cited.same(cited.start, cited.end + 1, told="reformatted"))


def reformat(cited: Cited) -> Case | None:
    """Format the file in a style that is not its own."""
    return _formatted(cited, "odd")


def reformat_usual(cited: Cited) -> Case | None:
    """Format a file of an odd style in the formatter's own style."""
    odd = formatted(cited.path, cited.file.text, "odd")
    if odd is None:
        return None
    start, end = moved_lines(cited.path, cited.file.text, odd, cited.start, cited.end)
    if not start:
        return None
    usual = formatted(cited.path, odd, "usual")
    if usual is None or usual == odd:
        return None
    now = moved_lines(cited.path, odd, usual, start, end)
    if not now[0]:
        return None
    told = "" if _lines(odd, start, end) == _lines(usual, *now) else "reformatted"
    truth = Truth("same", cited.path, *now, told=told, loose=True)
    return Case({cited.path: odd}, (cited.path, start, end), {cited.path: usual}, truth)


def _formatted(cited: Cited, style: str) -> Case | None:
    text = formatted(cited.path, cited.file.text, style)
    if text is None or text == cited.file.text:
        return None
    start, end = moved_lines(cited.path, cited.file.text, text, cited.start, cited.end)
    if not start:
        return None
    told = "" if cited.shown() == _lines(text, start, end) else "reformatted"
    truth = cited.same(start, end, told=told, loose=True)
    return Case({}, (cited.path, cited.start, cited.end), {cited.path: text}, truth)


def rename_symbol(cited: Cited) -> Case | None:
    """Rename the function or class, everywhere in its file."""
    home = cited.home
    return None if home is None else _renamed(cited, home.name)


def rename_class(cited: Cited) -> Case | None:
    """Rename the class around the method."""
    home = cited.home
    if home is None or "." not in home.qualified_name:
        return None
    return _renamed(cited, home.qualified_name.split(".")[-2])


def _renamed(cited: Cited, name: str) -> Case | None:
    pattern = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    text = cited.file.text
    if name.startswith("__") or name == "constructor" or len(pattern.findall(text)) > 12:
        return None
    after = pattern.sub(f"{name}_renamed", text)
    truth = cited.same(cited.start, cited.end, told="renamed")
    return Case({}, (cited.path, cited.start, cited.end), {cited.path: after}, truth)


def into_branch(cited: Cited) -> Case | None:
    """Put the cited statements into a branch of their own."""
    if not cited.statements or cited.top is None or _has_text_block(cited):
        return None
    indent = cited.statements[0].indent
    inside = ["    " + line if line.strip() else line for line in cited.shown()]
    lines = cited.lines()
    if cited.file.is_python:
        new = [f"{indent}if scripted_flag:", *inside]
    else:
        new = [f"{indent}if (scriptedFlag) {{", *inside, indent + "}"]
    lines[cited.start - 1 : cited.end] = new
    start, end = cited.around()
    return cited.case(lines, Truth("changed", cited.path, start, end + 2))


def into_branch_above(cited: Cited) -> Case | None:
    """Indent the cited statements so that they belong to the branch that ends above them."""
    if not cited.file.is_python or not cited.statements or _has_text_block(cited):
        return None
    above = [s for s in siblings(cited) if s.end < cited.start]
    kinds = ("if_statement", "for_statement", "while_statement", "with_statement")
    if not above or above[-1].kind not in kinds:
        return None
    inner = [s for s in cited.file.statements if above[-1].start < s.start <= above[-1].end]
    inner = [s for s in inner if s.end == above[-1].end]
    if not inner or len(inner[0].indent) <= len(above[-1].indent) or is_flow(inner[0]):
        return None
    step = inner[0].indent[len(above[-1].indent) :]
    lines = cited.lines()
    lines[cited.start - 1 : cited.end] = [step + line if line else line for line in cited.shown()]
    return cited.case(lines, Truth("changed", cited.path, *cited.around()))


def out_of_branch(cited: Cited) -> Case | None:
    """Take the cited statements out of the branch whose last ones they are."""
    if not cited.file.is_python or not cited.statements or _has_text_block(cited):
        return None
    indent = cited.statements[0].indent
    before = [s for s in siblings(cited) if s.end < cited.start]
    after = [s for s in siblings(cited) if s.start > cited.end]
    holders = [
        s
        for s in cited.file.statements
        if s.start < cited.start <= cited.end == s.end and len(s.indent) < len(indent)
    ]
    if not before or after or not holders or holders[-1].defines:
        return None
    holder = holders[-1]
    if holder.kind.split("_")[0] not in ("if", "for", "while", "with") or is_flow(before[-1]):
        return None
    lines = cited.lines()
    step = len(indent) - len(holder.indent)
    lines[cited.start - 1 : cited.end] = [
        line[step:] if line.strip() else line for line in cited.shown()
    ]
    return cited.case(lines, Truth("changed", cited.path, *cited.around()))


def _has_text_block(cited: Cited) -> bool:
    shown = "\n".join(cited.shown())
    return '"""' in shown or "'''" in shown or "`" in shown


def _replaced(cited: Cited, shown: list[str]) -> Case:
    lines = cited.lines()
    lines[cited.start - 1 : cited.end] = shown
    return cited.case(lines, Truth("changed", cited.path, *cited.around()))


def _lines(text: str, start: int, end: int) -> list[str]:
    return text.split("\n")[start - 1 : end]


EDITS = (
    edit_cited,
    blank_in_string,
    blank_between_tokens,
    comment_behind,
    comment_inside,
    comment_above,
    comment_removed,
    blank_line_inside,
    reformat,
    reformat_usual,
    rename_symbol,
    rename_class,
    into_branch,
    into_branch_above,
    out_of_branch,
)
