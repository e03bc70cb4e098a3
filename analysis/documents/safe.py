"""Makes prose harmless: no raw HTML, no images, no links that run anything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from analysis.documents.spans import Region, regions, unescaped, zones

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_SCHEME = re.compile(r"^\s*([A-Za-z][A-Za-z0-9+.-]*):")
_DRIVE = re.compile(r"^\s*[A-Za-z]:[\\/]")
_DEFINITION = re.compile(
    r"^([ \t>*+-]{0,20}(?:\d{1,9}[.)]\s)?\s{0,3})\[(?=[^\]]*\]:)", re.MULTILINE
)
_ALLOWED = frozenset({"http", "https", "mailto"})
_SPECIAL = re.compile(r"[<\[!]")


def harmless(text: str, start: int, end: int, blocks: Sequence[Region]) -> str:
    """Return a stretch of markdown, between citations, with all that could act made text."""
    pieces = []
    for block in blocks:
        low, high = max(start, block.start), min(end, block.end)
        if low < high:
            piece = text[low:high] if block.is_code else _harmless_prose(text, low, high)
            pieces.append(piece)
    return "".join(pieces)


def harmless_document(markdown: str) -> str:
    """Return markdown in which a parser sees no HTML, image or acting link any more.

    What the first pass was too simple to see is escaped here block by block.
    """
    bad = set(_acting_lines(MarkdownIt("commonmark").enable("table").parse(markdown)))
    if not bad:
        return markdown
    pieces = []
    for block in regions(markdown):
        text = markdown[block.start : block.end]
        first = markdown.count("\n", 0, block.start)
        lines = range(first, first + text.count("\n") + 1)
        acts = not block.is_code and not bad.isdisjoint(lines)
        pieces.append(_SPECIAL.sub(_escaped, text) if acts else text)
    return "".join(pieces)


def is_acting(target: str) -> bool:
    """Return whether following a link could do more than open a file or a web page."""
    scheme = _SCHEME.match(unescaped(target))
    return scheme is not None and scheme[1].lower() not in _ALLOWED and not _DRIVE.match(target)


def _harmless_prose(text: str, start: int, end: int) -> str:
    pieces = []
    position = start
    for zone in zones(text, start, end):
        pieces.append(_harmless_plain(text[position : zone.start]))
        raw = text[zone.start : zone.end]
        if zone.kind == "image":
            raw = "!\\[" + _TAG.sub("&lt;", raw[2:])
        elif zone.kind == "link" and is_acting(zone.target):
            raw = "\\" + _TAG.sub("&lt;", raw)
        elif zone.kind == "link":
            raw = "[" + _harmless_plain(raw[1:])
        elif zone.kind == "url" and is_acting(zone.target):
            raw = raw.replace("<", "&lt;")
        pieces.append(raw)
        position = zone.end
    pieces.append(_harmless_plain(text[position:end]))
    return "".join(pieces)


def _harmless_plain(text: str) -> str:
    text = _TAG.sub("&lt;", text).replace("![", "!\\[")
    return _DEFINITION.sub(r"\1\\[", text)


def _acting_lines(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield the lines of the blocks in which a parser sees something that acts."""
    for token in tokens:
        inner = token.children or ()
        acts = token.type == "html_block" or any(_acts(child) for child in inner)
        if acts and token.map:
            yield from range(*token.map)


def _acts(token: Token) -> bool:
    if token.type in {"image", "html_inline"}:
        return True
    return token.type == "link_open" and is_acting(str(token.attrGet("href") or ""))


def _escaped(match: re.Match[str]) -> str:
    return "&lt;" if match[0] == "<" else "\\" + match[0]
