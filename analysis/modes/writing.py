"""Pieces of an answer's prose: names with their place, quotes, sentences within a word limit."""

from __future__ import annotations

import re
from collections.abc import Iterable

from analysis.documents import CodeView
from analysis.documents.links import Links
from analysis.documents.markdown import inline_code, link, plain
from analysis.documents.render import reference_label, reference_link
from analysis.models import CodeReference, RefState
from analysis.modes.places import Place

_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)")
_CODE_SPAN = re.compile(r"`{1,2}([^`]+)`{1,2}")
# In a role of reStructuredText only the last part of the name is meant to be shown.
_SHORTENED = re.compile(r"`~(?:\w+\.)*(?=\w+`)")
_ROLE = re.compile(r":(?:[a-z]+:)?[a-z]+:(?=`)")
# Of Java: {@code null}, {@link Reader}. Of reStructuredText: what ends code inside of a word.
_TAG = re.compile(r"\{@(?:code|link|linkplain|literal|value)\s+([^{}]*)\}")
_WORD_END = re.compile(r"(?<=`)\\+ ?(?=\w)")
_MAX_QUOTE = 200
_MAX_CODE = 100
CHARS = 90
"""So much of a line of code is shown beside a link."""


def named(place: Place, links: Links) -> str:
    """Return a place as its name, followed by a link to its lines."""
    where = reference_link(good(place.reference()), links)
    return f"{inline_code(place.name)} ({where})" if place.info else where


def name_link(place: Place, links: Links) -> str:
    """Return a link to a place's lines."""
    return reference_link(good(place.reference()), links)


def line_link(path: str, start: int, end: int, links: Links) -> str:
    """Return a link to lines of a file."""
    reference = CodeReference(path, start, end, state=RefState.OK)
    return link(reference_label(reference), links.target(path, start, end))


def file_link(path: str, links: Links) -> str:
    """Return a link to a file."""
    return link(path, links.target(path))


def good(reference: CodeReference) -> CodeReference:
    """Return a reference that is known to be right, since it was made from the code."""
    return CodeReference(
        reference.path,
        reference.line_start,
        reference.line_end,
        reference.symbol,
        reference.description,
        RefState.OK,
    )


def quoted(text: str | None) -> str:
    """Return a docstring's first line as a quotation; empty if there is none."""
    clean = _WORD_END.sub("", _TAG.sub(r"`\1`", " ".join((text or "").split())))
    if len(clean) > _MAX_QUOTE:
        clean = clean[:_MAX_QUOTE].rsplit(" ", 1)[0] + "…"
    clean = _SHORTENED.sub("`", _ROLE.sub("", clean)).rstrip(".")
    parts = _CODE_SPAN.split(clean)
    # Every other part is what stands between backticks.
    pieces = [inline_code(p) if n % 2 else _spaced(p) for n, p in enumerate(parts)]
    return f"\u201c{''.join(pieces)}\u201d" if clean else ""


def _spaced(text: str) -> str:
    """Return plain text with the spaces at its ends, which separate it from code."""
    before = " " if text[:1] == " " else ""
    after = " " if text[-1:] == " " and text.strip() else ""
    return f"{before}{plain(text)}{after}"


def line_of(path: str, line: int, code: CodeView) -> str:
    """Return a line of a file (1-based); empty if there is none."""
    lines = code.lines(path) or ()
    return lines[line - 1] if line <= len(lines) else ""


def line_told(path: str, line: int, code: CodeView, links: Links) -> str:
    """Return a link to a line, and what stands there."""
    return f"{line_link(path, line, line, links)}: {code_line(line_of(path, line, code)[:CHARS])}"


def code_line(text: str) -> str:
    """Return a line of code as inline code, cut if it is very long."""
    clean = text.strip()
    return inline_code(clean if len(clean) <= _MAX_CODE else clean[:_MAX_CODE] + " …")


def n_words(markdown: str) -> int:
    """Return how many words a reader sees; a link counts as one."""
    return len(_LINK.sub("link", markdown).split())


def within(sentences: Iterable[str], max_words: int) -> str:
    """Return as many sentences as fit, in order; the first one always."""
    kept: list[str] = []
    left = max_words
    for sentence in sentences:
        left -= n_words(sentence)
        if kept and left < 0:
            break
        kept.append(sentence)
    return " ".join(kept)


def listed(items: Iterable[str]) -> str:
    """Return words joined as in a sentence: a, b and c."""
    words = list(items)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
