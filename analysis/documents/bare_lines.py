"""Finds lines that are cited without their file: "lines 120-131", after the file was named once."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.documents.citation_syntax import (
    DASH,
    END,
    MANY,
    Citation,
    line_ranges,
    looks_like_file,
)
from analysis.documents.resolve import PathResolver
from analysis.documents.spans import Region, cells, zones

# Not "line 3 of the log", but "line 3 of the file".
_BARE = re.compile(
    rf"(?<![^\s(,\"'\u2013\u2014*_])(?:[Ll]ines?\s{{1,2}}(?P<words>\d+(?:\s?(?:{DASH}|to|through)\s?\d+)?)"
    rf"|(?P<letters>L\d+{DASH}L?\d+)){END}"
    r"(?!\s{1,2}(?:of|in|from)\s(?!(?:the|this|that)\s(?:same\s)?(?:file|module)|it\b))"
)
_IN_CODE = re.compile(rf"(?::|#)({MANY})|(L\d+{DASH}L?\d+)")
_IN_CELL = re.compile(rf"\s*(?:[Ll]ines?\s)?(L?\d+{DASH}L?\d+)\s*")
# "lines 3-5 and 9": another number, if nothing is counted with it.
_MORE = re.compile(rf"(?:,\s?(?:and\s)?|\sand\s)(\d+(?:{DASH}\d+)?)(?=[).,;:]|\s*\Z)")
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s")
_PATH = re.compile(r"(?<![\w./\\@:#%&=~+$`-])(?:[\w.@+-]+/)+[\w.@+-]+\.[A-Za-z]\w*(?![\w/])")


@dataclass(frozen=True, slots=True)
class FileNamed:
    """The file that was named last before some lines."""

    path: str
    """As it is in the code base."""
    is_near: bool
    """Whether it was named in the very block of the lines."""


def bare_lines(
    text: str, region: Region, number: int, taken: Sequence[tuple[int, int]]
) -> Iterator[Citation]:
    """Yield the lines that a block cites without their file; in no order.

    Args:
        text: The whole markdown.
        region: The block.
        number: The block's number.
        taken: Start and end of the block's other citations, in order.
    """
    busy = list(taken)
    for zone in zones(text, region):
        match = _IN_CODE.fullmatch(zone.content.strip()) if zone.kind == "code" else None
        if match is not None and not _overlap(zone.start, zone.end, taken):
            yield _bare(zone.start, zone.end, match[1] or match[2], number)
        busy.append((zone.start, zone.end))
    busy.sort()
    for start, end in _gaps(region, busy):
        yield from _in_gap(text, start, end, number)
    if region.is_row:
        for start, end in cells(text, region.start, region.end):
            cell = _IN_CELL.fullmatch(text, start, end)
            if cell is not None and not cell[0].strip().lower().startswith("line"):
                yield _bare(cell.start(1), cell.end(1), cell[1], number)


def files_named(
    text: str,
    blocks: Sequence[Region],
    citations: Sequence[Citation],
    resolver: PathResolver,
    meant: Mapping[int, str],
) -> dict[int, FileNamed]:
    """Return the file that each bare citation is about, by its offset, where that is known.

    A file counts from where it is named up to the next heading of the same level, or the next
    file; one that is not in the code base hides those before it.

    Args:
        text: The whole markdown.
        blocks: Its regions.
        citations: Its citations.
        resolver: Knows the files.
        meant: The file that a citation turned out to mean, by its offset.
    """
    found: dict[int, FileNamed] = {}
    by_block: dict[int, list[Citation]] = {}
    for citation in citations:
        by_block.setdefault(citation.region, []).append(citation)
    known = {c.start: meant.get(c.start) or _only(c, resolver) for c in citations if not c.is_bare}
    named: list[tuple[str | None, int, int]] = []  # path, block, level of the heading around
    level = 0
    for number, block in enumerate(blocks):
        if block.is_code:
            continue
        heading = _HEADING.match(text, block.start, block.end)
        if heading is not None:
            level = len(heading[1])
            while named and named[-1][2] >= level:
                named.pop()
        for offset, path, is_bare in _in_order(
            text, block, by_block.get(number, ()), resolver, known
        ):
            if not is_bare:
                named.append((path, number, level))
            elif named and named[-1][0]:
                found[offset] = FileNamed(named[-1][0], named[-1][1] == number)
    return found


def _in_order(
    text: str,
    block: Region,
    citations: Sequence[Citation],
    resolver: PathResolver,
    known: Mapping[int, str | None],
) -> list[tuple[int, str | None, bool]]:
    """Return the files and the bare lines of a block: offset, path if it is known, which it is."""
    found = [(c.start, known.get(c.start), c.is_bare) for c in citations]
    taken = [(c.start, c.end) for c in citations]
    busy = list(taken)
    for zone in zones(text, block):
        content = zone.content.strip()
        if zone.kind == "code" and not _overlap(zone.start, zone.end, taken):
            path = resolver.resolve(content).only if looks_like_file(content) else None
            if path is not None or _PATH.fullmatch(content):
                found.append((zone.start, path, False))
        busy.append((zone.start, zone.end))
    busy.sort()
    for start, end in _gaps(block, busy):
        for match in _PATH.finditer(text, start, end):
            found.append((match.start(), resolver.resolve(match[0]).only, False))
    return sorted(found, key=lambda item: item[0])


def _only(citation: Citation, resolver: PathResolver) -> str | None:
    return resolver.resolve(citation.path, is_link=citation.is_link).only


def _in_gap(text: str, start: int, end: int, number: int) -> Iterator[Citation]:
    """Yield the lines that plain text cites."""
    for match in _BARE.finditer(text, start, end):
        yield _bare(match.start(), match.end(), match["words"] or match["letters"], number)
        position = match.end()
        while (more := _MORE.match(text, position, end)) is not None:
            yield _bare(more.start(1), more.end(1), more[1], number)
            position = more.end()


def _bare(start: int, end: int, lines: str, number: int) -> Citation:
    return Citation(start, end, "", line_ranges(lines), region=number, is_bare=True)


def _gaps(region: Region, busy: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield what of a block is not taken."""
    position = region.start
    for start, end in busy:
        if start > position:
            yield position, start
        position = max(position, end)
    if position < region.end:
        yield position, region.end


def _overlap(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    """Return whether a stretch overlaps one of others, which are in order and apart."""
    at = bisect_left(taken, (end, -1))
    return at > 0 and taken[at - 1][1] > start
