"""Reads from the words around a citation what is said to stand on the cited lines."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.documents.citations import Citation
from analysis.documents.code import CodeView
from analysis.documents.spans import Region, zones

_NAME = re.compile(
    r"(?:(?:async\s+)?(?:def|class|function|interface|enum|type|const|let|var|func|fn)\s+)?@?"
    r"(?P<name>[^\W\d][\w$]*(?:(?:\.|::|#|->)[^\W\d][\w$]*)*)(?:\(.*\))?:?",
    re.DOTALL,
)
_SEPARATOR = re.compile(r"::|#|->")
# In prose a word counts as a name only if it is written like code, and is defined somewhere.
_PROSE_NAME = re.compile(
    r"(?<![\w`./])(?:[^\W\d]\w*(?:\.\w+)*(?=\(\))|[^\W\d]\w*_\w+|[A-Z][a-z0-9]+[A-Z]\w*"
    r"|[a-z]+[a-z0-9]*[A-Z]\w*)"
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])[*_)\"]*\s+(?=[\"'(*_]{0,3}[A-Z0-9`\[])")
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{6,200})[\"”]")
# Words that are in every file and so say nothing of the place.
_SAY_NOTHING = frozenset(keyword.kwlist) | {
    *("null", "undefined", "true", "false", "self", "this", "cls", "void", "function"),
    *("int", "str", "float", "bool", "list", "dict", "tuple", "set", "bytes", "object", "Any"),
    *("string", "number", "boolean"),
}
_USE_BEFORE = re.compile(
    r"\b(?:calls?|calling|calls to|us(?:e|es|ing)|uses? of|invok\w+|imports?|importing|via|"
    r"raises?|instantiat\w+|references? to|through|tests?)\s+(?:(?:the|to|of|a|an)\s+)?[`*]*$"
)
_DEFINES = re.compile(
    r"\b(?:defin\w+|declar\w+|implement\w+|lives?|located|found|(?:is|are)\s+(?:at|in))\b"
)
_USE_AFTER = re.compile(
    r"^[`*()]*\s+(?:is|are|was|gets?|being)\s+(?:\w+ly\s+)?"
    r"(?:called|used|invoked|imported|raised|instantiated|registered|referenced|tested|passed)\b"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence says to be on the lines that it cites."""

    names: tuple[str, ...] = ()
    """Names of code, the one that the citation most likely belongs to first."""
    quotes: tuple[str, ...] = ()
    """Code that is quoted, with white space collapsed."""
    is_use: bool = False
    """Whether it is about a use of the first name and not about its definition."""
    is_definition: bool = False
    """Whether it says expressly that the name is defined there."""

    def __bool__(self) -> bool:
        """Return whether anything is claimed that the lines can be checked for."""
        return bool(self.names or self.quotes)


@dataclass(frozen=True, slots=True)
class _Mention:
    start: int
    end: int
    name: str | None
    quote: str | None


def claims_of(
    text: str, blocks: Sequence[Region], citations: Sequence[Citation], code: CodeView
) -> list[Claim]:
    """Return the claim that goes with each citation."""
    by_region: dict[int, list[Citation]] = {}
    for citation in citations:
        by_region.setdefault(citation.region, []).append(citation)
    claims: dict[int, Claim] = {}
    for number, inside in by_region.items():
        mentions = _mentions(text, blocks[number], inside, code)
        heading = _heading_before(text, blocks, number, code) if not mentions else []
        for idx, citation in enumerate(inside):
            bounds = _bounds(text, blocks[number], citation)
            claim = _claim(text, mentions, inside, idx, bounds)
            if not claim and heading and _is_bare(text, blocks[number], citation):
                claim = Claim(tuple(m.name for m in heading if m.name))
            claims[id(citation)] = claim
    return [claims[id(citation)] for citation in citations]


def _claim(
    text: str,
    mentions: list[_Mention],
    inside: list[Citation],
    idx: int,
    bounds: tuple[int, int],
) -> Claim:
    """Return the claim of one citation: what is named nearest to it in its sentence."""
    citation = inside[idx]
    low = max(bounds[0], inside[idx - 1].end if idx else 0)
    high = min(bounds[1], inside[idx + 1].start if idx + 1 < len(inside) else len(text))
    before = [m for m in mentions if low <= m.start and m.end <= citation.start][::-1]
    after = [m for m in mentions if citation.end <= m.start and m.end <= high]
    near = before or after
    if not near:
        near = [m for m in mentions if bounds[0] <= m.start and m.end <= citation.start][::-1]
    if not near:
        return Claim()
    names = tuple(dict.fromkeys(m.name for m in near if m.name))
    quotes = tuple(dict.fromkeys(m.quote for m in near if m.quote))
    is_use = _is_use(text, near[0])
    defines = not is_use and _DEFINES.search(text, *bounds) is not None
    return Claim(names, quotes, is_use, defines)


def _is_use(text: str, mention: _Mention) -> bool:
    before = text[max(0, mention.start - 30) : mention.start]
    after = text[mention.end : mention.end + 40]
    return bool(_USE_BEFORE.search(before) or _USE_AFTER.search(after))


def _mentions(
    text: str, region: Region, citations: Sequence[Citation], code: CodeView
) -> list[_Mention]:
    """Return names and quotes in a block of text, outside its citations, in order."""
    taken = [(c.start, c.end) for c in citations]
    found: list[_Mention] = []
    for zone in zones(text, region.start, region.end):
        if zone.kind == "code" and not _overlaps(zone.start, zone.end, taken):
            found.extend(_from_code(zone.start, zone.end, zone.content))
        if zone.kind in {"code", "url", "image"}:
            taken.append((zone.start, zone.end))
    for match in _PROSE_NAME.finditer(text, region.start, region.end):
        if not _overlaps(match.start(), match.end(), taken) and code.named(match[0]):
            found.append(_Mention(match.start(), match.end(), match[0], None))
    for match in _QUOTED.finditer(text, region.start, region.end):
        if not _overlaps(match.start(), match.end(), taken) and " " in match[1]:
            found.append(_Mention(match.start(), match.end(), None, _collapsed(match[1])))
    return sorted(found, key=lambda mention: mention.start)


def _from_code(start: int, end: int, content: str) -> list[_Mention]:
    """Return what a code span mentions: a name, or code."""
    content = content.strip()
    match = _NAME.fullmatch(content)
    if match is not None:
        name = _SEPARATOR.sub(".", match["name"])
        return [] if name in _SAY_NOTHING else [_Mention(start, end, name, None)]
    quote = _collapsed(content)
    return [_Mention(start, end, None, quote)] if len(quote) > 2 else []


def _bounds(text: str, region: Region, citation: Citation) -> tuple[int, int]:
    """Return where the sentence around a citation starts and ends."""
    low, high = region.start, region.end
    for match in _SENTENCE_END.finditer(text, region.start, region.end):
        if match.end() <= citation.start:
            low = match.end()
        elif match.start() >= citation.end:
            high = match.start()
            break
    return low, high


def _heading_before(
    text: str, blocks: Sequence[Region], number: int, code: CodeView
) -> list[_Mention]:
    """Return what the heading right before a block names."""
    for region in reversed(blocks[:number]):
        block = text[region.start : region.end]
        if block.strip():
            is_heading = block.lstrip().startswith("#") and not region.is_code
            return _mentions(text, region, (), code) if is_heading else []
    return []


def _is_bare(text: str, region: Region, citation: Citation) -> bool:
    """Return whether a block consists of little more than the citation."""
    rest = text[region.start : citation.start] + text[citation.end : region.end]
    return len(rest.split()) <= 3


def _overlaps(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    return any(start < stop and begin < end for begin, stop in taken)


def _collapsed(text: str) -> str:
    return " ".join(text.split())
