"""Makes prose harmless: no raw HTML, no images, no links that run anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analysis.documents.spans import Region, Zone, block_parser, regions, unescaped, zones

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_SCHEME = re.compile(r"^\s*([A-Za-z][A-Za-z0-9+.-]*):")
_DRIVE = re.compile(r"^\s*[A-Za-z]:[\\/]")
# On Windows to open such a path tells who is logged in to a machine that it names.
_NETWORK = re.compile(r"\s*(?:[/\\]|%2f|%5c){2}", re.IGNORECASE)
_DEFINITION = re.compile(
    r"^([ \t>*+-]{0,20}(?:\d{1,9}[.)]\s)?\s{0,3})\[(?=(?:[^\[\]\\]|\\.){0,999}\]:)", re.MULTILINE
)
_FENCE = re.compile(r"^([ \t>*+-]{0,20}(?:\d{1,9}[.)]\s)?)(`{3}|~{3})", re.MULTILINE)
_ALLOWED = frozenset({"http", "https", "mailto"})
_SPECIAL = re.compile(r"(\\*)([<\[!])")
_LABEL_SIGN = re.compile(r"(\\*)([<\[\]!`])")
_BACKTICKS = re.compile(r"(\\*)(`)")
_MAY_ACT = re.compile(r"[<\[]")
# An escape may bring another block to light; text that needs more rounds was made for that.
_ROUNDS = 5
# No prose leaves so many brackets open, and a parser looks for the end of each.
_MAX_OPEN = 2000


def with_plain_blocks(markdown: str) -> str:
    """Return markdown in which no block is HTML or a definition of links; lines stay the same.

    As text they make other blocks, which have to be known first. A fence inside of HTML is made
    text as well, so that what is code outside of it stays code.
    """
    for _ in range(_ROUNDS):
        html = {
            number
            for token in block_parser().parse(markdown)
            if token.type == "html_block" and token.map is not None
            for number in range(*token.map)
        }
        plain = "".join(
            markdown[block.start : block.end]
            if block.is_code
            else _plain_block(markdown[block.start : block.end], is_html=block.line_start in html)
            for block in regions(markdown)
        )
        if plain == markdown:
            break
        markdown = plain
    return markdown


def _plain_block(text: str, *, is_html: bool) -> str:
    if is_html:
        text = _FENCE.sub(r"\1\\\2", _TAG.sub("&lt;", text))
    return _DEFINITION.sub(r"\1\\[", text)


def harmless(text: str, start: int, end: int, block: Region, *, is_rewritten: bool) -> str:
    """Return a stretch of a block, between citations, with all that could act made text.

    Where citations of the block are rewritten, backticks that open nothing are escaped, so that
    they do not pair with new ones.
    """
    if block.is_code:
        return text[start:end]
    pieces = []
    position = start
    for zone in zones(text, block, start, end):
        pieces.append(_harmless_stretch(text, position, zone.start, is_rewritten=is_rewritten))
        pieces.append(_harmless_zone(zone, text[zone.start : zone.end], text, block.start))
        position = zone.end
    pieces.append(_harmless_stretch(text, position, end, is_rewritten=is_rewritten))
    return "".join(pieces)


def harmless_label(label: str) -> str:
    """Return a link's label in which nothing but code spans and emphasis means anything."""
    whole = Region(0, len(label), is_code=False)
    pieces = []
    position = 0
    for zone in zones(label, whole):
        if zone.kind == "code":
            pieces += [_LABEL_SIGN.sub(_escaped, label[position : zone.start])]
            pieces += [label[zone.start : zone.end]]
            position = zone.end
    return "".join([*pieces, _LABEL_SIGN.sub(_escaped, label[position:])])


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
    """Return whether following a link could do more than open a file here or a web page."""
    plain = unescaped(target)
    if _NETWORK.match(plain):
        return True
    scheme = _SCHEME.match(plain)
    return scheme is not None and scheme[1].lower() not in _ALLOWED and not _DRIVE.match(target)


def _harmless_zone(zone: Zone, raw: str, text: str, start: int) -> str:
    """Return a piece of inline markdown, of a block that starts at an offset, that does nothing."""
    acts = zone.kind == "link" and is_acting(zone.target)
    if zone.kind == "image" or acts:
        # A bracket that is open before would take over the end of this one.
        before = start, zone.start
        is_open = text.count("[", *before) > text.count("]", *before)
        mark = "!" if zone.kind == "image" else ""
        return mark + _as_text(zone.content, raw[len(mark) :], is_open=is_open)
    if zone.kind == "link":
        label = Region(0, len(zone.content), is_code=False)
        inner = harmless(zone.content, 0, label.end, label, is_rewritten=False)
        return f"[{inner}]{_harmless_plain(raw[len(zone.content) + 2 :])}"
    if zone.kind == "url" and is_acting(zone.target):
        return raw.replace("<", "&lt;")
    return raw


def _as_text(label: str, link: str, *, is_open: bool) -> str:
    """Return a link as text, its end too if a bracket before it is open."""
    clean = _SPECIAL.sub(_escaped, label)
    end = "\\]" if is_open else "]"
    return f"\\[{clean}{end}{_TAG.sub('&lt;', link[len(label) + 2 :])}"


def _harmless_stretch(text: str, start: int, end: int, *, is_rewritten: bool) -> str:
    """Return plain text between two offsets that does nothing."""
    plain = _harmless_plain(text[start:end])
    if plain.endswith("<") and _TAG.match(text, end - 1):
        plain = plain[:-1] + "&lt;"
    if is_rewritten:
        plain = _BACKTICKS.sub(_escaped, plain)
    if start and text[start - 1] not in "\r\n":
        first, end_of_line, rest = plain.partition("\n")
        return first + end_of_line + _DEFINITION.sub(r"\1\\[", rest)
    return _DEFINITION.sub(r"\1\\[", plain)


def _harmless_plain(text: str) -> str:
    return _TAG.sub("&lt;", text).replace("![", "!\\[")


def _acting_lines(markdown: str) -> set[int]:
    """Return the lines of the blocks in which a parser sees something that acts."""
    from markdown_it import MarkdownIt

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
    """Return a sign as text; one that is escaped already would come to life by another escape."""
    backslashes, sign = match[1], match[2]
    if sign == "<":
        return f"{backslashes}&lt;"
    return match[0] if len(backslashes) % 2 else f"{backslashes}\\{sign}"
