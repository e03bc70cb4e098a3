"""Finds citations of code in prose, in every form that people and models use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from analysis.documents.bare_lines import bare_lines
from analysis.documents.citation_syntax import (
    DASH,
    END,
    MANY,
    Citation,
    Lines,
    is_file_name,
    line_ranges,
    looks_like_file,
)
from analysis.documents.spans import Region, Zone, regions, unescaped, zones

_SEGMENT = r"(?:[\w.@+~$%&=-]|\[[\w.@+-]+\]|\((?:[\w@+-]|\.(?!\w+:))+\)(?=[\w./\\-]))+"
_PATH = rf"(?:[A-Za-z]:(?=[\\/]))?[\\/]{{0,2}}(?:{_SEGMENT}[\\/])*{_SEGMENT}"
_WORDS = (
    r"(?:,?\s{1,2}(?:at|on|in|around|from)?\s?[\(\[]?(?:[Ll]ines?|[Ll]n\.?|LL?(?=\d))\s{0,2}"
    rf"(?P<words>\d+(?:\s?(?:{DASH}|to|through|and)\s?[Ll]?\d+)?)[\)\]]?)"
)
_SUFFIX = rf"(?:(?::(?P<colon>{MANY})(?::\d+(?!\d))?)|(?:#(?P<hash>{MANY}))|{_WORDS})"
_START = r"(?<![\w./\\@:#%&=~+$-])"
_PLAIN = re.compile(rf"{_START}(?P<path>{_PATH}){_SUFFIX}{END}")
_WHOLE = re.compile(rf"(?P<path>[^\n:#`]+?|[A-Za-z]:[\\/][^\n:#`]+?){_SUFFIX}")
_AFTER_CODE = re.compile(rf"{_SUFFIX}{END}")
_BEFORE = re.compile(
    rf"\b[Ll]ines?\s{{1,2}}(?P<words>\d+(?:\s?(?:{DASH}|to|through|and)\s?\d+)?)\s{{1,2}}"
    rf"(?:of|in|from)\s{{1,2}}(?:(?:the\s)?file\s)?(?:(?P<path>{_PATH})|(?=`))(?![\w:#])"
)
_FILE = re.compile(_PATH)
_LABEL_RANGE = re.compile(rf"(?:[Ll]ines?\s+|[Ll]n\.?\s*|[:#])?({MANY})")
_FRAGMENT = re.compile(rf"(?:lines-)?(?P<lines>{MANY})")
_LINE_AT_START = re.compile(r"[Ll]?(\d+)(?![\w.])")
_COLON = re.compile(rf"(?P<path>.*?):(?P<lines>{MANY})")
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+\Z")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+:")


def find_citations(markdown: str, blocks: Sequence[Region] | None = None) -> tuple[Citation, ...]:
    """Return all citations outside code blocks, in order; they do not overlap.

    Args:
        markdown: The whole text.
        blocks: Its regions, if they are known already.
    """
    found: list[Citation] = []
    for number, region in enumerate(regions(markdown) if blocks is None else blocks):
        if not region.is_code:
            named = list(_in_region(markdown, region, number))
            bare = bare_lines(markdown, region, number, [(c.start, c.end) for c in named])
            found.extend(sorted([*named, *bare], key=lambda citation: citation.start))
    return tuple(found)


def _in_region(text: str, region: Region, number: int) -> Iterator[Citation]:
    """Yield the citations of one block of text."""
    position = region.start
    for zone in zones(text, region):
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
        return is_file_name(path)
    return any(character.isalpha() for character in path)


def _before_code(text: str, start: int, zone: Zone, number: int) -> Citation | None:
    """Return the citation that ends with a code span: lines 3-5 of `x.py`."""
    if zone.kind != "code" or not _FILE.fullmatch(zone.content.strip()):
        return None
    for match in _BEFORE.finditer(text, start, zone.start + 1):
        if match.end() == zone.start and not match["path"]:
            path = _clean(zone.content)
            return Citation(
                match.start(), zone.end, path, line_ranges(match["words"]), region=number
            )
    return None


def _from_zone(text: str, zone: Zone, end: int, number: int) -> Citation | None:
    """Return the citation that a code span or link makes, if it makes one."""
    if zone.kind in ("link", "image"):
        return _from_link(zone, number)
    if zone.kind == "url" and text[zone.start] == "<":
        whole = _WHOLE.fullmatch(zone.content)  # ``<a.py:3>`` is written like a URL.
        is_file = whole is not None and is_file_name(_clean(whole["path"]))
        return _citation(whole, zone.start + 1, zone.end - 1, number) if whole and is_file else None
    if zone.kind != "code":
        return None
    content = zone.content.strip()
    match = _WHOLE.fullmatch(content)
    if match is not None and _plausible(match["path"]):
        return _citation(match, zone.start, zone.end, number)
    after = _AFTER_CODE.match(text, zone.end, end)
    if after is not None and _is_path(content, after):
        lines = line_ranges(_lines_of(after))
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


def _is_path(content: str, after: re.Match[str]) -> bool:
    """Return whether a code span before some lines is a path; before words it can be a name."""
    return bool(_FILE.fullmatch(content)) and (not after["words"] or is_file_name(content))


def _from_link(zone: Zone, number: int) -> Citation | None:
    """Return the citation that a link to a file makes; so does an image of one."""
    label = unescaped(zone.content).strip("`* ")
    whole = _WHOLE.fullmatch(label)
    if whole is not None and _is_file_label(_clean(whole["path"]), zone.target):
        path, lines = _clean(whole["path"]), line_ranges(_lines_of(whole))
        return Citation(zone.start, zone.end, path, lines, None, is_link=True, region=number)
    path, lines, fragment = _split_target(zone.target)
    if not path or (_SCHEME.match(zone.target) and not _is_file_target(zone.target, path)):
        return None
    in_label = _LABEL_RANGE.fullmatch(label)
    label_lines = line_ranges(in_label[1]) if in_label is not None else ()
    is_worded = bool(label_lines) and label_lines == lines
    says_more = is_worded or (not label_lines and _clean(label) != path)
    return Citation(
        zone.start,
        zone.end,
        path,
        lines or label_lines,
        zone.content if says_more else None,
        is_link=True,
        region=number,
        is_worded=is_worded,
        fragment=fragment,
    )


def _is_file_label(path: str, target: str) -> bool:
    """Return whether what stands before lines in a link's label is a file, and not a word."""
    return is_file_name(path) or looks_like_file(path) or target.partition("#")[0].endswith(path)


def _is_file_target(target: str, path: str) -> bool:
    """Return whether what looks like a URL is a path on a drive, or one with a line."""
    is_on_drive = re.match(r"[A-Za-z]:[\\/]", target) is not None
    return is_on_drive or (target.startswith(f"{path}:") and is_file_name(path))


def _split_target(target: str) -> tuple[str, tuple[Lines, ...], str]:
    """Return the path that a link's target names, its lines, and what else is said of it.

    A fragment that begins with a line but is not well formed means that line.
    """
    whole, _, fragment = target.partition("#")
    path = whole.partition("?")[0]
    colon = _COLON.fullmatch(path)
    if colon is not None and not re.fullmatch(r"[A-Za-z]", colon["path"]):
        return _clean(unquote(colon["path"])), line_ranges(colon["lines"]), ""
    match = _FRAGMENT.fullmatch(fragment) or _LINE_AT_START.match(fragment)
    lines = line_ranges(match[1]) if match else ()
    return _clean(unquote(path)), lines, "" if lines else fragment


def _citation(match: re.Match[str], start: int, end: int, number: int) -> Citation:
    lines = line_ranges(_lines_of(match))
    return Citation(start, end, _clean(match["path"]), lines, region=number)


def _lines_of(match: re.Match[str]) -> str:
    groups = match.groupdict()
    return groups.get("colon") or groups.get("hash") or groups.get("words") or ""


def _plausible(path: str) -> bool:
    """Return whether the inside of a code span before a colon can be a path at all."""
    return "  " not in path and not path.startswith(" ") and bool(re.search(r"\w", path))


def _clean(path: str) -> str:
    """Return a path with forward slashes, without a leading ``./``."""
    clean = path.strip().strip("`").replace("\\", "/")
    while clean.startswith("./"):
        clean = clean[2:]
    return clean
