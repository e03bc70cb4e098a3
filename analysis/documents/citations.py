"""Finds citations of code in prose, in every form that people and models use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from analysis.documents.spans import Region, Zone, regions, unescaped, zones

_DASH = r"(?:-|\u2010|\u2011|\u2012|\u2013|\u2014|\.\.|…)"
_NUMBER = r"[Ll]?\d{1,9}(?:[Cc]\d{1,6})?"
_ONE = rf"{_NUMBER}(?:{_DASH}{_NUMBER})?"
_MANY = rf"{_ONE}(?:,\s?{_NUMBER}{_DASH}{_NUMBER}|,{_NUMBER})*"
_SEGMENT = r"(?:[\w.@+~$%&=-]|\[[\w.@+-]+\]|\((?:[\w@+-]|\.(?!\w+:))+\)(?=[\w./\\-]))+"
_PATH = rf"(?:[A-Za-z]:(?=[\\/]))?[\\/]{{0,2}}(?:{_SEGMENT}[\\/])*{_SEGMENT}"
_WORDS = (
    r"(?:,?\s{1,2}(?:at|on|in|around|from)?\s?[\(\[]?(?:[Ll]ines?|[Ll]n\.?|LL?(?=\d))\s{0,2}"
    rf"(?P<words>\d{{1,9}}(?:\s?(?:{_DASH}|to|through|and)\s?[Ll]?\d{{1,9}})?)[\)\]]?)"
)
_SUFFIX = rf"(?:(?::(?P<colon>{_MANY})(?::\d{{1,6}}(?!\d))?)|(?:#(?P<hash>{_MANY}))|{_WORDS})"
_START = r"(?<![\w./\\@:#%&=~+$-])"
_END = r"(?![\w%]|[.:#]\d|[.][A-Za-z]|:[A-Za-z/])"
_PLAIN = re.compile(rf"{_START}(?P<path>{_PATH}){_SUFFIX}{_END}")
_WHOLE = re.compile(rf"(?P<path>[^\n:#`]+?|[A-Za-z]:[\\/][^\n:#`]+?){_SUFFIX}")
_AFTER_CODE = re.compile(rf"{_SUFFIX}{_END}")
_BEFORE = re.compile(
    rf"\b[Ll]ines?\s{{1,2}}(?P<words>\d{{1,9}}(?:\s?(?:{_DASH}|to|through|and)\s?\d{{1,9}})?)\s{{1,2}}"
    rf"(?:of|in|from)\s{{1,2}}(?:(?:the\s)?file\s)?(?:(?P<path>{_PATH})|(?=`))(?![\w:#])"
)
_FILE = re.compile(_PATH)
_LABEL_RANGE = re.compile(rf"(?:[Ll]ines?\s+|[Ll]n\.?\s*|[:#])?({_MANY})")
_FRAGMENT = re.compile(rf"^(?P<path>[^#]*?)(?:#(?:lines-)?(?P<hash>{_MANY})|:(?P<colon>{_MANY}))?$")
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+\Z")
_PIECE = re.compile(
    rf"[Ll]?(\d{{1,9}})(?:[Cc]\d+)?(?:\s?(?:{_DASH}|to|through|and)\s?[Ll]?(\d{{1,9}}))?"
)
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+:")
_EXTENSION = re.compile(r"\.[A-Za-z][\w+-]{0,9}$")

Lines = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Citation:
    """A piece of prose that names a file, and mostly lines of it; nothing is checked yet."""

    start: int
    """Offset of its first character in the markdown."""
    end: int
    path: str
    """As written, with ``/`` for ``\\``."""
    ranges: tuple[Lines, ...]
    """First and last line of each range, as written: they may be 0, reversed or far too large."""
    label: str | None = None
    """For a link whose label says more than path and lines: that label's markdown."""
    is_link: bool = False
    region: int = 0
    """Number of the block of text that it stands in."""


def find_citations(markdown: str) -> tuple[Citation, ...]:
    """Return all citations outside code blocks, in order; they do not overlap."""
    found: list[Citation] = []
    for number, region in enumerate(regions(markdown)):
        if not region.is_code:
            found.extend(_in_region(markdown, region, number))
    return tuple(found)


def looks_like_file(path: str) -> bool:
    """Return whether a path ends in something like a file's extension."""
    return _EXTENSION.search(path) is not None


def _in_region(text: str, region: Region, number: int) -> Iterator[Citation]:
    """Yield the citations of one block of text."""
    position = region.start
    for zone in zones(text, region.start, region.end):
        if zone.start < position:
            continue
        ahead = _before_code(text, position, zone, number)
        yield from _in_plain(text, position, ahead.start if ahead else zone.start, number)
        citation = ahead or _from_zone(text, zone, region.end, number)
        position = zone.end
        if citation is not None:
            yield citation
            position = citation.end
    yield from _in_plain(text, position, region.end, number)


def _in_plain(text: str, start: int, end: int, number: int) -> Iterator[Citation]:
    """Yield the citations in a stretch without code spans and links."""
    position = start
    while position < end:
        plain = _PLAIN.search(text, position, end)
        before = _BEFORE.search(text, position, plain.start() if plain else end)
        match = before if before and before["path"] else plain
        if match is None:
            return
        if match.re is _PLAIN and not _names_file(match):
            position = match.end("path")
            continue
        yield _citation(match, match.start(), match.end(), number)
        position = match.end()


def _names_file(match: re.Match[str]) -> bool:
    """Return whether the word before some lines is a file; in prose it can be any word."""
    path = match["path"]
    if match["words"]:
        return looks_like_file(path)
    return any(character.isalpha() for character in path)


def _before_code(text: str, start: int, zone: Zone, number: int) -> Citation | None:
    """Return the citation that ends with a code span: lines 3-5 of `x.py`."""
    if zone.kind != "code" or not _FILE.fullmatch(zone.content.strip()):
        return None
    for match in _BEFORE.finditer(text, start, zone.start + 1):
        if match.end() == zone.start and not match["path"]:
            path = _clean(zone.content)
            return Citation(match.start(), zone.end, path, _ranges(match["words"]), region=number)
    return None


def _from_zone(text: str, zone: Zone, end: int, number: int) -> Citation | None:
    """Return the citation that a code span or link makes, if it makes one."""
    if zone.kind == "link":
        return _from_link(zone, number)
    if zone.kind != "code":
        return None
    content = zone.content.strip()
    match = _WHOLE.fullmatch(content)
    if match is not None and _plausible(match["path"]):
        return _citation(match, zone.start, zone.end, number)
    after = _AFTER_CODE.match(text, zone.end, end)
    if after is not None and _FILE.fullmatch(content):
        lines = _ranges(_lines_of(after))
        return Citation(zone.start, after.end(), _clean(content), lines, region=number)
    before = text[text.rfind("\n", 0, zone.start) + 1 : zone.start]
    if (
        "/" in content[1:]
        and content[0] != "/"
        and _FILE.fullmatch(content)
        and _ITEM.match(before)
    ):
        return Citation(zone.start, zone.end, _clean(content), (), region=number)
    return None


def _from_link(zone: Zone, number: int) -> Citation | None:
    """Return the citation that a link to a file makes."""
    label = unescaped(zone.content).strip("`* ")
    whole = _WHOLE.fullmatch(label)
    if whole is not None and _plausible(whole["path"]):
        path, lines = _clean(whole["path"]), _ranges(_lines_of(whole))
        return Citation(zone.start, zone.end, path, lines, None, is_link=True, region=number)
    if _SCHEME.match(zone.target) and not re.match(r"[A-Za-z]:[\\/]", zone.target):
        return None
    match = _FRAGMENT.match(zone.target)
    if match is None or not match["path"]:
        return None
    path = _clean(unquote(match["path"]))
    lines = _ranges(match["hash"] or match["colon"])
    in_label = _LABEL_RANGE.fullmatch(label)
    if not lines and in_label is not None:
        lines = _ranges(in_label[1])
    says_more = in_label is None and _clean(label) != path
    own_label = zone.content if says_more else None
    return Citation(zone.start, zone.end, path, lines, own_label, is_link=True, region=number)


def _citation(match: re.Match[str], start: int, end: int, number: int) -> Citation:
    lines = _ranges(_lines_of(match))
    return Citation(start, end, _clean(match["path"]), lines, region=number)


def _lines_of(match: re.Match[str]) -> str:
    groups = match.groupdict()
    return groups.get("colon") or groups.get("hash") or groups.get("words") or ""


def _ranges(text: str | None) -> tuple[Lines, ...]:
    """Return the ranges that are written in the part after the path."""
    pieces = (_PIECE.fullmatch(piece.strip()) for piece in (text or "").split(","))
    return tuple((int(p[1]), int(p[2] or p[1])) for p in pieces if p is not None)


def _plausible(path: str) -> bool:
    """Return whether the inside of a code span before a colon can be a path at all."""
    return "  " not in path and not path.startswith(" ") and bool(re.search(r"\w", path))


def _clean(path: str) -> str:
    """Return a path with forward slashes, without a leading ``./``."""
    clean = path.strip().strip("`").replace("\\", "/")
    while clean.startswith("./"):
        clean = clean[2:]
    return clean
