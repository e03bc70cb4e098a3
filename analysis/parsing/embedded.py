"""Code inside files that are more than code: components with scripts, notebooks with magics."""

from __future__ import annotations

import re

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_FRONT_MATTER = re.compile(r"\A\s*---\n(.*?)^---\s*$", re.DOTALL | re.MULTILINE)
_TYPESCRIPT = re.compile(r"""\blang\s*=\s*["']?tsx?\b""")
_SCRIPT_TYPE = re.compile(r"""\btype\s*=\s*["']?([^"'\s>]+)""")
_IS_SCRIPT = re.compile(r"module|(?:text|application)/(?:x-)?(?:java|ecma|type)script|text/babel")
# Script and style elements and comments: what stands in them is no markup.
_RAW = re.compile(r"<(script|style)\b[^>]*>.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
# A tag, or a value put into the text: ``{x}`` and ``{{ x }}``, brackets in it up to two deep.
_MARKUP = re.compile(
    r"<[A-Za-z][^<>]*(?:=>[^<>]*)*>|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|\{%.*?%\}"
)
_TAG_NAME = re.compile(r"<[\w.]+")
_BRACES = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")
_ATTRIBUTE = re.compile(r"""([^\s=<>"'{}]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'))?""")
# Attributes whose names or values are code, as they are called by the usual frameworks.
_DIRECTIVE = re.compile(r"on|v-|x-|ng-|[:@#(\[*]|(?:use|in|out|bind|transition|animate):")
_TEMPLATE_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|<%.*?%>", re.DOTALL)
_FENCE = re.compile(r"^(```+|~~~+).*?^\1", re.DOTALL | re.MULTILINE)
# An import or export in a document goes on up to the next blank line.
_MODULE_BLOCK = re.compile(r"^(?:import|export)\b.*?(?=^[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
# What only a header of C++ has.
_IS_CPP = re.compile(
    r"^[ \t]*(?:class[ \t]+\w|namespace\b|template[ \t]*<|using[ \t]+\w|(?:public|private):)",
    re.MULTILINE,
)
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
    if language == "c" and path.lower().endswith(".h") and _IS_CPP.search(text):
        return "cpp", text
    if path.lower().endswith(".ipynb"):
        text = _FOREIGN_CELL.sub(lambda match: _blank(match[0]), text)
        return language, _MAGIC.sub(r"\1#", text)
    return language, text


def scripts_in(path: str, language: str, text: str) -> tuple[str, str]:
    """Return the language and text of all script in a file, as ``code_in`` does.

    Pages and documents hold script too, but it is not what their outline is made of. A file
    without any gives an empty text.
    """
    name = path.lower()
    if language == "astro":
        spans = [match.span(1) for match in _FRONT_MATTER.finditer(text)]
        return "typescript", _all_but(sorted(spans + _script_spans(text)), text)
    if language == "html":
        spans = _script_spans(text)
        return ("javascript", _all_but(spans, text)) if spans else (language, "")
    if name.endswith(".mdx"):
        fences = [match.span() for match in _FENCE.finditer(text)]
        spans = [
            match.span()
            for match in _MODULE_BLOCK.finditer(text)
            if not any(start <= match.start() < end for start, end in fences)
        ]
        return ("tsx", _all_but(spans, text)) if spans else (language, "")
    return code_in(path, language, text)


def markup_spans(path: str, language: str, text: str) -> list[tuple[int, int]]:
    """Return where the markup of a file can name things of its scripts or of the program.

    That is in tags and in what stands between curly brackets, outside of scripts and styles.
    """
    if language == "template":
        return [match.span() for match in _TEMPLATE_TAG.finditer(text)]
    if language not in ("vue", "svelte", "astro", "html") and not path.lower().endswith(".mdx"):
        return []
    hidden = [match.span() for match in _RAW.finditer(text)]
    if path.lower().endswith(".mdx"):
        hidden += [match.span() for match in _FENCE.finditer(text)]
        hidden += [match.span() for match in _MODULE_BLOCK.finditer(text)]
    if language == "astro":
        hidden += [match.span() for match in _FRONT_MATTER.finditer(text)]
    found: list[tuple[int, int]] = []
    for match in _MARKUP.finditer(text):
        if not any(start <= match.start() < end for start, end in hidden):
            found += _named_in(match)
    return found


def _named_in(match: re.Match[str]) -> list[tuple[int, int]]:
    """Return where a value, or a tag, can name something: not in plain attributes."""
    text = match[0]
    if not text.startswith("<"):
        return [match.span()]
    found = [*_TAG_NAME.finditer(text), *_BRACES.finditer(text)]
    found += [item for item in _ATTRIBUTE.finditer(text) if _DIRECTIVE.match(item[1])]
    return [(match.start() + item.start(), match.start() + item.end()) for item in found]


def _script_spans(text: str) -> list[tuple[int, int]]:
    """Return the contents of script elements; those that hold data or templates are left out."""
    return [
        match.span(2)
        for match in _SCRIPT.finditer(text)
        if not (kind := _SCRIPT_TYPE.search(match[1])) or _IS_SCRIPT.fullmatch(kind[1])
    ]


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
