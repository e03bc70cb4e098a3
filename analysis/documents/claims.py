"""Reads from the words around a citation what is said to stand on the cited lines.

A name belongs to the citation that follows it, up to the citation before that: "`f` calls `g`
(a.py:3), see `h` at b.py:5". Citations next to each other share what is named before them. Names
after a citation are its own only where none stands before it, and not if the next citation takes
them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from analysis.documents.citation_syntax import Citation
from analysis.documents.code import CodeView
from analysis.documents.mentions import Mention, MentionFinder
from analysis.documents.spans import Region

_SENTENCE_END = re.compile(r"(?<=[.!?;])[*_)\"]*\s+(?=[\"'(*_]{0,3}[A-Z0-9`\[])")
_TIES = re.compile(r"[\s,;/&()\[\]+]*(?:(?:and|or|then|also|see|see also)[\s(\[]*)?")
# Words that say expressly where the definition is.
_DEFINED = (
    r"(?:defined|declared|implemented|located|found|lives?|resides?|starts?|starting|begins?"
    r"|beginning|stands?|sits?)"
)
_DEFINES_BETWEEN = re.compile(
    rf"[*_)\]\s]*,?\s*(?:which\s+|that\s+)?(?:(?:is|are|was)\s+)?(?:\w+ly\s+)?"
    rf"(?:{_DEFINED}(?:\s+\w+){{0,3}}?\s+(?:at|in|on)|(?:is|are)\s+(?:at|in|on))\s+(?:the\s+file\s+)?[*_(\[]*"
)
_DEFINES_BEFORE = re.compile(
    r"\b(?:definition|declaration|implementation|body|source)\s+of\s+(?:the\s+)?(?:\w+\s+)?[*_`]*\Z"
)
_DEFINES_AFTER = re.compile(
    r"\s*(?:(?:is|are)\s+)?(?:\w+ly\s+)?(?:defined|declared|implemented|located|lives?|resides?)\b"
)
# Nothing but a place is said between the name and its citation. With a preposition or a colon it
# is the name's place; with brackets or a comma it may be the place of the whole statement.
_PLACED = re.compile(r"[*_)\]\s]*(?:\s(?:at|in|on)\s+(?:the\s+file\s+)?|\s*[:|]\s*)[*_(\[]*")
_BESIDE = re.compile(
    r"[*_)\]\s]*(?:,|[\u2013\u2014-])?\s*[(\[]?\s*(?:see\s+|(?:in|at|on)\s+)?[*_]*"
)
# What stands before a name that is only spoken of beside the statement, or that is used.
_ASIDE = re.compile(
    r"\b(?:of|for|from|to|with|without|than|like|unlike|after|before|beside|besides|near|above"
    r"|below|between|against|instead|into|onto|as|via|through|by\s+way\s+of"
    r"|calls?|calling|us(?:e|es|ing)|invok\w+|imports?|importing|imported|reads?|sets?|passes"
    r"|raises?|throws?|throwing|returns?|checks?|tests?|instantiat\w+|wraps?|inherits?|extends?"
    r"|overrid\w+|delegates?|refers?|triggers?|creates?|builds?|makes?|runs?|starts?|becomes?)"
    r"\s+(?:(?:the|a|an|its|their|this|that|to|of|in|with|through|call)\s+){0,3}[`*_]*\Z"
)
_SPEAKS_OF_COMMENT = re.compile(
    r"\b(?:comments?|docstrings?|docu\w+|notes?|says?|warns?|explains?|TODO|FIXME)\b", re.IGNORECASE
)
_ITEM_START = re.compile(r"[\s>]*(?:(?:[-*+]|\d+[.)]|#{1,6})\s+)?(?:\[[ x]\]\s+)?[*_]*")
_DASH_AFTER = re.compile(r"[)\]*_`]*\s*(?:[\u2013\u2014:|-]+|\()\s*[*_]*")
_FOOTNOTE = re.compile(r"^[ ]{0,3}\\?\[\^([^\]\s]{1,50})\]:", re.MULTILINE)
_MARKUP = re.compile(r"[#*`\s()]")
# So far back a word before a name can be seen.
_BEFORE = 60

Manner = Literal["own", "label", "defined", "placed", "loose"]
"""How plainly something is said to stand on the lines: by the program itself, by a link's label,
expressly ("is defined at"), by the name and its place alone ("`f()` at"), or in passing."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a text says to be on the lines that it cites."""

    names: tuple[str, ...] = ()
    """Names of code, the one that the citation most likely belongs to first."""
    quotes: tuple[str, ...] = ()
    """Code that is quoted, with white space collapsed."""
    manner: Manner = "own"
    """How plainly the first name is said to be there."""
    of_comment: bool = False
    """Whether the text says that it speaks of a comment."""
    around: tuple[str, ...] = ()
    """All names of the sentence and the label, for whether they exist at all."""

    def __bool__(self) -> bool:
        """Return whether anything is claimed that the lines can be checked for."""
        return bool(self.names or self.quotes)


def claims_of(
    text: str, blocks: Sequence[Region], citations: Sequence[Citation], code: CodeView
) -> list[Claim]:
    """Return the claim that goes with each citation."""
    by_region: dict[int, list[Citation]] = {}
    for citation in citations:
        by_region.setdefault(citation.region, []).append(citation)
    finder = MentionFinder(code)
    claims: dict[int, Claim] = {}
    for number, inside in by_region.items():
        block = _ProseBlock(text, blocks, number, inside, finder)
        for idx, citation in enumerate(inside):
            claims[citation.start] = block.claim(idx)
    return [claims[citation.start] for citation in citations]


class _ProseBlock:
    """A block of text with its citations, and what it names."""

    def __init__(
        self,
        text: str,
        blocks: Sequence[Region],
        number: int,
        inside: Sequence[Citation],
        finder: MentionFinder,
    ) -> None:
        self._text = text
        self._blocks = blocks
        self._number = number
        self._region = region = blocks[number]
        self._inside = inside
        self._finder = finder
        self._mentions = finder.in_region(text, region, [(c.start, c.end) for c in inside])
        self._starts = [mention.start for mention in self._mentions]
        self._notes = list(_FOOTNOTE.finditer(text, region.start, region.end))
        ends = [m.span() for m in _SENTENCE_END.finditer(text, region.start, region.end)]
        ends = sorted([*ends, *((note.start(), note.start()) for note in self._notes)])
        self._sentence_starts = [region.start, *(end for _, end in ends)]
        self._sentence_ends = [*(start for start, _ in ends), region.end]
        self._known: list[Claim] = []

    def claim(self, idx: int) -> Claim:
        """Return the claim of a citation; those before it were asked for already."""
        citation = self._inside[idx]
        low, high = self._sentence(citation)
        claim = self._claim(idx, citation, low, high)
        label = self._finder.in_label(citation.label or "", citation.start, citation.end)
        around = [*self._between(low, citation.start), *self._between(citation.end, high)]
        if label:
            claim = _claim_of(label, "label", self._text[low:high])
        names = dict.fromkeys(m.name for m in (*label, *around) if m.name)
        claim = replace(claim, around=tuple(names))
        self._known.append(claim)
        return claim

    def _claim(self, idx: int, citation: Citation, low: int, high: int) -> Claim:
        """Return what the words around a citation say of it."""
        sentence = self._text[low:high]
        before = self._inside[idx - 1] if idx else None
        start = max(low, before.end) if before else low
        own = self._between(start, citation.start)
        if own:
            return _claim_of(own[::-1], self._manner(own[-1], citation), sentence)
        if before is not None and before.end > low:
            if _TIES.fullmatch(self._text, before.end, citation.start):
                return replace(self._known[idx - 1], manner="loose")
            if shared := self._between(low, citation.start):
                return _claim_of(shared[::-1], "loose", sentence)
        if after := self._after(idx, high):
            return _claim_of(after, self._manner_after(citation, after, high), sentence)
        return self._from_elsewhere(citation)

    def _after(self, idx: int, high: int) -> list[Mention]:
        """Return what is named after a citation and is not of the next one."""
        later = idx + 1
        while later < len(self._inside) and _TIES.fullmatch(
            self._text, self._inside[later - 1].end, self._inside[later].start
        ):
            later += 1  # Citations side by side share what follows them.
        start = self._inside[later - 1].end
        if later >= len(self._inside) or self._inside[later].start >= high:
            return self._between(start, high)
        return self._between(start, self._inside[later].start)[:-1]

    def _manner(self, nearest: Mention, citation: Citation) -> Manner:
        """Return how plainly the name before a citation is said to stand there."""
        if nearest.name is None:
            return "loose"
        ahead = self._text[max(self._region.start, nearest.start - _BEFORE) : nearest.start]
        gap = self._text[nearest.end : citation.start]
        if _DEFINES_BETWEEN.fullmatch(gap) or (
            (nearest.is_definition or _DEFINES_BEFORE.search(ahead)) and _is_near(gap)
        ):
            return "defined"
        if _ASIDE.search(ahead) or not _is_near(gap):
            return "loose"
        leads = self._leads(nearest)
        is_placed = _PLACED.fullmatch(gap) and (nearest.is_call or leads or not nearest.is_prose)
        return "placed" if is_placed or nearest.is_call or leads else "loose"

    def _manner_after(self, citation: Citation, after: Sequence[Mention], high: int) -> Manner:
        """Return how plainly the first name after a citation is said to stand there."""
        first = after[0]
        if first.name is None or not self._leads(citation):
            return "loose"
        rest = self._text[first.end : high]
        if _DEFINES_AFTER.match(rest):
            return "defined"
        gap = _DASH_AFTER.fullmatch(self._text, citation.end, first.start)
        return "placed" if gap and not rest.strip(" .)*_|\r\n") else "loose"

    def _leads(self, item: Mention | Citation) -> bool:
        """Return whether a block, or a cell of it, begins with something."""
        ahead = self._text[self._region.start : item.start]
        if self._region.is_row:
            ahead = ahead.rpartition("|")[2]
        return _ITEM_START.fullmatch(ahead) is not None

    def _from_elsewhere(self, citation: Citation) -> Claim:
        """Return what another block says of a citation that stands alone in its own."""
        region = self._region
        notes = [note for note in self._notes if note.start() <= citation.start]
        if notes:
            return self._of_footnote(notes[-1][1])
        rest = self._text[region.start : citation.start] + self._text[citation.end : region.end]
        if len(rest.split()) > 3:
            return Claim(manner="loose")
        for heading in reversed(self._blocks[: self._number]):
            block = self._text[heading.start : heading.end]
            if not block.strip():
                continue
            if heading.is_code or not block.lstrip().startswith("#"):
                break
            found = self._finder.in_region(self._text, heading, ())
            is_alone = len(found) == 1 and _MARKUP.sub("", block) == found[0].name
            return _claim_of(found, "placed" if is_alone else "loose", block)
        return Claim(manner="loose")

    def _of_footnote(self, mark: str) -> Claim:
        """Return what the sentence says that refers to a footnote."""
        for sign in (f"[^{mark}]", f"\\[^{mark}]"):
            at = self._text.find(sign)
            while at >= 0 and self._text.startswith(":", at + len(sign)):
                at = self._text.find(sign, at + 1)
            for region in self._blocks if at >= 0 else ():
                if region.start <= at < region.end and not region.is_code:
                    found = self._finder.in_region(self._text, region, ())
                    ends = [m.end() for m in _SENTENCE_END.finditer(self._text, region.start, at)]
                    low = ends[-1] if ends else region.start
                    own = [m for m in found if low <= m.start and m.end <= at]
                    return _claim_of(own[::-1], "loose", self._text[low:at])
        return Claim(manner="loose")

    def _sentence(self, citation: Citation) -> tuple[int, int]:
        """Return where the sentence around a citation starts and ends."""
        low = self._sentence_starts[bisect_right(self._sentence_starts, citation.start) - 1]
        at = bisect_left(self._sentence_ends, citation.end)
        return low, self._sentence_ends[min(at, len(self._sentence_ends) - 1)]

    def _between(self, low: int, high: int) -> list[Mention]:
        """Return what is named between two offsets, in order."""
        return self._mentions[bisect_left(self._starts, low) : bisect_left(self._starts, high)]


def _claim_of(mentions: Sequence[Mention], manner: Manner, sentence: str) -> Claim:
    """Return the claim that mentions make, the nearest of them first."""
    return Claim(
        names=tuple(dict.fromkeys(m.name for m in mentions if m.name)),
        quotes=tuple(dict.fromkeys(m.quote for m in mentions if m.quote)),
        manner=manner,
        of_comment=_SPEAKS_OF_COMMENT.search(sentence) is not None,
    )


def _is_near(gap: str) -> bool:
    """Return whether nothing but a place is said between a name and its citation."""
    return bool(_PLACED.fullmatch(gap) or _BESIDE.fullmatch(gap) or _DEFINES_BETWEEN.fullmatch(gap))
