"""Code inside files that are more than code: components with scripts, notebooks with magics."""

from __future__ import annotations

import re

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_FRONT_MATTER = re.compile(r"\A\s*---\n(.*?)^---\s*$", re.DOTALL | re.MULTILINE)
_TYPESCRIPT = re.compile(r"""\blang\s*=\s*["']?tsx?\b""")
_NOT_NEWLINE = re.compile(r"[^\n]")
# A line magic, a shell command or a question for help; a line of code begins with none of these.
_MAGIC = re.compile(r"^([ \t]*)[%!?](?!=)", re.MULTILINE)
# A cell in another language, up to the next cell.
_FOREIGN_CELL = re.compile(
    r"^# %%\n(?:[ \t]*\n)*%%(?!time|capture|prun)\w.*?(?=^# %%|\Z)", re.DOTALL | re.MULTILINE
)


def code_in(path: str, language: str, text: str) -> tuple[str, str]:
    """Return the language to parse a file as and the text to parse.

    The text is as long as the file's, line for line and column for column: what is not code is
    blank or a comment.
    """
    if language in ("vue", "svelte"):
        matches = list(_SCRIPT.finditer(text))
        typed = any(_TYPESCRIPT.search(match[1]) for match in matches)
        spans = [match.span(2) for match in matches]
        return "typescript" if typed else "javascript", _all_but(spans, text)
    if language == "astro":
        return "typescript", _all_but([m.span(1) for m in _FRONT_MATTER.finditer(text)], text)
    if path.lower().endswith(".ipynb"):
        text = _FOREIGN_CELL.sub(lambda match: _blank(match[0]), text)
        return language, _MAGIC.sub(r"\1#", text)
    return language, text


def _all_but(spans: list[tuple[int, int]], text: str) -> str:
    """Return the text with everything outside of the spans blanked out."""
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces += [_blank(text[at:start]), text[start:end]]
        at = end
    return "".join([*pieces, _blank(text[at:])])


def _blank(text: str) -> str:
    return _NOT_NEWLINE.sub(" ", text)
