"""Makes prose harmless: no raw HTML, no images, no links that run anything."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from analysis.documents.spans import Region, block_parser, regions, unescaped, zones

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_SCHEME = re.compile(r"^\s*([A-Za-z][A-Za-z0-9+.-]*):")
_DRIVE = re.compile(r"^\s*[A-Za-z]:[\\/]")
_DEFINITION = re.compile(
    r"^([ \t>*+-]{0,20}(?:\d{1,9}[.)]\s)?\s{0,3})\[(?=[^\]]{0,999}\]:)", re.MULTILINE
)
_ALLOWED = frozenset({"http", "https", "mailto"})
_SPECIAL = re.compile(r"[<\[!]")
_MAY_ACT = re.compile(r"[<\[]")
# An escape may bring another block to light; text that needs more rounds was made for that.
_ROUNDS = 5
# No prose leaves so many brackets open, and a parser looks for the end of each.
_MAX_OPEN = 2000


def harmless(text: str, start: int, end: int, block: Region) -> str:
    """Return a stretch of a block, between citations, with all that could act made text."""
    return text[start:end] if block.is_code else _harmless_prose(text, start, end, block)


def harmless_document(markdown: str) -> str:
    """Return markdown in which a parser sees no HTML, image or acting link any more.

    What the first pass was too simple to see is escaped here block by block. An escape can make
    code of prose and the other way round, so it is looked at again until nothing acts.
    """
    for _ in range(_ROUNDS):
        bad = _acting_lines(markdown)
        if not bad:
            return markdown
        markdown = "".join(
            _escaped_block(markdown[block.start : block.end])
            if not block.is_code and not bad.isdisjoint(range(block.line_start, block.line_end))
            else markdown[block.start : block.end]
            for block in regions(markdown)
        )
    return _escaped_block(markdown) if _acting_lines(markdown) else markdown


def is_acting(target: str) -> bool:
    """Return whether following a link could do more than open a file or a web page."""
    scheme = _SCHEME.match(unescaped(target))
    return scheme is not None and scheme[1].lower() not in _ALLOWED and not _DRIVE.match(target)


def _harmless_prose(text: str, start: int, end: int, block: Region) -> str:
    pieces = []
    position = start
    for zone in zones(text, block, start, end):
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


def _acting_lines(markdown: str) -> set[int]:
    """Return the lines of the blocks in which a parser sees something that acts."""
    parser = MarkdownIt("commonmark").enable("table")
    references: dict[str, object] = {}
    bad: set[int] = set()
    for token in block_parser().parse(markdown, references):
        if token.map is None or token.type not in {"html_block", "inline"}:
            continue
        if token.type == "html_block" or _text_acts(parser, token.content, references):
            bad.update(range(*token.map))
    return bad


def _text_acts(parser: MarkdownIt, text: str, references: dict[str, object]) -> bool:
    """Return whether a parser sees something that acts in the text of one block."""
    if not _MAY_ACT.search(text):
        return False
    if text.count("[") - text.count("]") > _MAX_OPEN:
        return True
    (inline,) = parser.parseInline(text, references)
    return any(_acts(child) for child in inline.children or ())


def _acts(token: Token) -> bool:
    if token.type in {"image", "html_inline"}:
        return True
    return token.type == "link_open" and is_acting(str(token.attrGet("href") or ""))


def _escaped_block(text: str) -> str:
    return _SPECIAL.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return "&lt;" if match[0] == "<" else "\\" + match[0]
