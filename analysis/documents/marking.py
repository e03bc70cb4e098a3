"""Marks a reference: writes down by what the cited code can be known again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.documents.anchor_file import AnchorFile, is_value
from analysis.documents.anchor_files import AnchorFiles
from analysis.documents.anchor_region import AnchorRegion, Spot
from analysis.documents.mark import HINT, WEAK, Home, Mark, Rule, digest
from analysis.models import SymbolInfo
from analysis.parsing.trees import OutOfTime

# So many definitions of one name are not looked through for equal ones: the name is everywhere.
_MOST_NAMESAKES = 40
# From so many definitions on it is faster to take the tokens of the whole file.
_MANY_DEFINITIONS = 4
MANY = 99
"""Number of copies for a name that is everywhere: then equality elsewhere proves nothing."""


@dataclass(frozen=True, slots=True)
class WantedMark:
    """The code that is looked for in a region."""

    size: int
    first: str
    code: str
    blocks: str
    text: str
    line_count: int


def mark_of(files: AnchorFiles, path: str, line_start: int, line_end: int) -> Mark | None:
    """Return the mark of some lines; None if there are no such lines."""
    file = files.get(path)
    if file is None or not file.has_lines(line_start, line_end):
        return None
    try:
        return _mark(files, file, line_start, line_end)
    except OutOfTime:
        file.count_lines_only()
        return _mark(files, file, line_start, line_end)


def _mark(files: AnchorFiles, file: AnchorFile, line_start: int, line_end: int) -> Mark:
    file.region(file.innermost(line_start, line_end), file.rule)
    start, end = file.trimmed(line_start, line_end)
    info = file.innermost(start, end)
    region = file.region(info, file.rule)
    spot = region.spot(start, end)
    size = spot.last - spot.first
    wanted = WantedMark(
        size=size,
        first=region.first_of(spot) or "A" * WEAK,
        code=region.code_of(spot.first, spot.last) if size else "",
        blocks=block_kinds(file, info, start, file.rule),
        text=file.hash_of(line_start, line_end),
        line_count=line_end - line_start + 1,
    )
    head = block_head(file, info, start, file.rule)
    twins = twins_of(region, info, wanted)
    same = [t for t in twins if block_head(file, info, t.line_start, file.rule) == head]
    context = region.around(spot)
    others = [twin for twin in twins if twin.line_start != start]
    elsewhere = elsewhere_of(region, info, wanted)
    definition = file.value(start, end) or info
    return Mark(
        rule=file.rule,
        text=wanted.text,
        code=wanted.code,
        comments=region.comments_of(line_start, line_end),
        size=size,
        first=wanted.first,
        lead=start - line_start,
        trail=line_end - end,
        blocks=wanted.blocks,
        head=head,
        home=None if definition is None else _home(files, file, definition, start, end),
        total=max(1, len(twins)),
        count=max(1, len(same)),
        ordinal=next((n for n, twin in enumerate(same) if twin.line_start == start), 0),
        around=context,
        alone=not any(all(context.agreement(region.around(twin))) for twin in others),
        others=min(len(elsewhere), MANY),
    )


def twins_of(region: AnchorRegion, info: SymbolInfo | None, wanted: WantedMark) -> list[Spot]:
    """Return the places of a region that have some code in the same kinds of blocks.

    Lines without code, comments for example, are looked for as they stand.
    """
    spots = region.find(wanted.size, wanted.first, wanted.code)
    if not wanted.size:
        spots = region.find_text(wanted.line_count, wanted.text)
    file = region.file
    return [
        spot
        for spot in spots
        if file.innermost(spot.line_start, spot.line_end) is info
        and block_kinds(file, info, spot.line_start, region.rule) == wanted.blocks
    ]


def elsewhere_of(region: AnchorRegion, info: SymbolInfo | None, wanted: WantedMark) -> list[Spot]:
    """Return the places of a region that have some code in blocks of other kinds."""
    file = region.file
    return [
        spot
        for spot in region.find(wanted.size, wanted.first, wanted.code)
        if file.innermost(spot.line_start, spot.line_end) is info
        and block_kinds(file, info, spot.line_start, region.rule) != wanted.blocks
    ]


def block_kinds(file: AnchorFile, info: SymbolInfo | None, line: int, rule: Rule) -> str:
    """Return the kinds of blocks around a line, outside and inside its definition."""
    start = 0 if info is None else info.decorated_line
    blocks = file.blocks(line, rule)
    outer = "".join(b.kind for b in blocks if b.line < start and not b.defines)
    inner = "".join(b.kind for b in blocks if b.line >= start)
    return f"{outer}/{inner}"


def block_head(file: AnchorFile, info: SymbolInfo | None, line: int, rule: Rule) -> str:
    """Return a hint of the head of the nearest branch inside the definition, "" without one."""
    start = 0 if info is None else info.decorated_line
    blocks = [b for b in file.blocks(line, rule) if b.line >= start and not b.defines]
    return f":{digest([blocks[-1].head], WEAK)}" if blocks else ""


def role_of(info: SymbolInfo) -> str:
    """Return a letter that keeps the definitions apart that may share a name."""
    ends = {decorator.partition("(")[0].rpartition(".")[2] for decorator in info.decorators}
    for letter, words in (("s", "setter"), ("d", "deleter"), ("g", "getter"), ("o", "overload")):
        if words in ends:
            return letter
    prefix = info.signature.split("(")[0].split()[:-1]
    if info.kind in ("method", "property", "function"):
        for letter, word in (("s", "set"), ("g", "get"), ("t", "static")):
            if word in prefix:
                return letter
    return "v" if is_value(info) else "f"


def namesakes(file: AnchorFile, name: str, role: str) -> list[SymbolInfo]:
    """Return the definitions of a file with that qualified name and role."""
    return [info for info in file.named(name) if role_of(info) == role]


def alike_in(file: AnchorFile, length: int, role: str, code: str, rule: Rule) -> list[SymbolInfo]:
    """Return the definitions of a file that have these tokens, whatever their names."""
    found = _of_length(file, length, role)
    if len(found) >= _MANY_DEFINITIONS:
        file.read_whole()
    return [info for info in found if file.region(info, rule).code == code]


def copies_elsewhere(
    files: AnchorFiles, path: str, name: str, home: tuple[int, str, str], rule: Rule
) -> list[tuple[AnchorFile, SymbolInfo]] | None:
    """Return the definitions of other files with a plain name and these tokens.

    None if the name is so common that nobody looks.

    Args:
        files: The code base.
        path: The file that does not count.
        name: Qualified or plain; the last part counts.
        home: Length in lines, role, and hash of the tokens.
        rule: By which the hash was made.
    """
    length, role, code = home
    found = _namesakes_elsewhere(files, path, name, length, role)
    if found is None:
        return None
    return [(file, info) for file, info in found if file.region(info, rule).code == code]


def _of_length(file: AnchorFile, length: int, role: str) -> list[SymbolInfo]:
    return [
        info
        for info in file.symbols
        if info.line_end - info.decorated_line + 1 == length and role_of(info) == role
    ]


def _namesakes_elsewhere(
    files: AnchorFiles, path: str, name: str, length: int, role: str
) -> list[tuple[AnchorFile, SymbolInfo]] | None:
    """Return the definitions of a name, length and role in other files; None if of very many."""
    named = [
        (other, info)
        for other, info in files.named(name.rpartition(".")[2])
        if other != path
        and info.line_end - info.decorated_line + 1 == length
        and role_of(info) == role
    ]
    if len(named) > _MOST_NAMESAKES:
        return None
    found = []
    for other, info in named:
        file = files.get(other)
        if file is not None and file.has_lines(info.decorated_line, info.line_end):
            found.append((file, info))
    return found


def _home(files: AnchorFiles, file: AnchorFile, info: SymbolInfo, start: int, end: int) -> Home:
    """Return what is remembered of the definition around the cited lines."""
    region = file.region(info, file.rule)
    role, code = role_of(info), region.code
    length = info.line_end - info.decorated_line + 1
    same = namesakes(file, info.qualified_name, role)
    equal = [i for i in same if i is info or file.region(i, file.rule).code == code]
    key, nameless = file.key_of(info), file.key_of(info, nameless=True)
    alike = [i for i in _of_length(file, length, role) if file.key_of(i, nameless=True) == nameless]
    copies = _namesakes_elsewhere(files, file.path, info.qualified_name, length, role)
    equal_copies = [i for other, i in copies or () if other.key_of(i) == key]
    outermost = file.outermost(info)
    return Home(
        name=info.qualified_name,
        role=role,
        whole=(start, end) == (info.decorated_line, info.line_end),
        offset=start - info.decorated_line,
        length=length,
        text=file.hash_of(info.decorated_line, info.line_end),
        code=code,
        weight=region.weight,
        count=len(same),
        ordinal=_index_of(info, same),
        equal=len(equal),
        equal_ordinal=_index_of(info, equal),
        alike=max(1, len(alike)),
        copies=MANY if copies is None else len(equal_copies),
        beside=file.beside(info),
        outermost=""
        if outermost is None
        else file.hash_of(outermost.decorated_line, outermost.line_end)[:HINT],
    )


def _index_of(info: SymbolInfo, among: Sequence[SymbolInfo]) -> int:
    return next((number for number, other in enumerate(among) if other is info), 0)
