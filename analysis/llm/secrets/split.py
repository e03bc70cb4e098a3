"""Secrets that stand in several pieces: literals put together, lines that go on, hidden signs.

Around each seam a stretch of the text is looked at as if it were written in one; what is found
across a seam is struck out of the text piece by piece.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from analysis.llm.secrets.found import Secret
from analysis.llm.secrets.long_runs import LongRuns
from analysis.llm.secrets.names import ROOTS

# What shows nothing: soft hyphen, zero-width characters, marks of direction, byte order mark.
_HIDDEN = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
# Each begins with a sign of its own, which is quick to look for; what stands before comes second.
_SEAM = re.compile(
    rf"""(?x) ["'`$\\\r\n{_HIDDEN}] (?:
    # "a" + "b", "a" "b", 'a' . 'b', also with the second on the next line
    (?<=[^\s=(\[{{,:+"'`]["'`])
    (?: [ \t]{{0,40}} (?: \+ | \.{{1,2}} | & | ~ | <> | \|\| | \\ )
        [ \t]{{0,40}} (?: \r?\n[ \t]{{0,200}} )? (?: (?:\+|\.\.?|&)[ \t]{{0,40}} )?
      | [ \t]{{1,40}} | [ \t]{{0,40}} \r?\n [ \t]{{0,200}} (?: (?:\+|\.\.?|&)[ \t]{{0,40}} )? )
    [bBrRfFuUL@$]{{0,2}} ["'`] (?=[^\s"'`])
    # ${{"b"}} in a template, and its end
  | (?<=[\w/+-]\$) \{{ \s? ["'] (?=[\w/+-]) | (?<=[\w/+-]["']) \s? \}} (?=[\w/+`-])
    # a backslash at the end of a line, three quotes with their text on the next
  | (?<=\\) \r?\n [ \t]{{0,200}} | (?:(?<="{{3}}\n) | (?<='{{3}}\n)) [ \t]{{0,200}}
  | (?<=[{_HIDDEN}]) [{_HIDDEN}]* )
    """
)
_IS_HIDDEN = re.compile(f"[{_HIDDEN}]+")
# Wide forms of Latin letters, as East Asian input methods write them: one for one.
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_IS_WIDE = re.compile("[\uff01-\uff5e]{3}")
# Seams that are nearer than this to each other are of one value.
_NEAR = 300
_LONGEST = 6000


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Part of a text, written in one."""

    joined: str
    starts: list[int]
    """Where each piece begins in ``joined``."""
    places: list[int]
    """Where it begins in the text."""
    is_hidden: bool
    """Whether a seam is of signs that nobody sees, which change what stands anywhere."""

    def pieces(self, secret: Secret) -> Iterator[Secret]:
        """Yield a secret of the stretch as it stands in the text."""
        position = secret.start
        while position < secret.end:
            number = bisect_right(self.starts, position) - 1
            last = self.starts[number + 1] if number + 1 < len(self.starts) else secret.end
            end = min(secret.end, last)
            shift = self.places[number] - self.starts[number]
            yield Secret(position + shift, end + shift, secret.kind)
            position = end


def split_secrets(text: str, look: Callable[[str], Iterator[Secret]]) -> Iterator[Secret]:
    """Yield the pieces of secrets that stand across seams.

    Args:
        text: What to look at.
        look: Finds the secrets of a text in one piece.
    """
    for stretch in _stretches(text):
        if not _is_worth_a_look(stretch.joined):
            continue
        for secret in look(stretch.joined):
            if stretch.is_hidden or any(
                secret.start <= seam < secret.end for seam in stretch.starts[1:]
            ):
                yield from stretch.pieces(secret)
    if _IS_WIDE.search(text):
        yield from look(text.translate(_WIDE))


def _is_worth_a_look(text: str) -> bool:
    """Return whether a text names a credential or holds what could be one: few stretches do."""
    return ROOTS.search(text.lower()) is not None or bool(LongRuns(text).spans)


def _stretches(text: str) -> Iterator[_Stretch]:
    """Yield the lines around each group of seams."""
    group: list[re.Match[str]] = []
    for seam in _SEAM.finditer(text):
        is_near = group and seam.start() - group[-1].end() <= _NEAR
        if group and not (is_near and seam.end() - group[0].start() <= _LONGEST):
            yield _joined(text, group)
            group = []
        group.append(seam)
    if group:
        yield _joined(text, group)


def _joined(text: str, seams: list[re.Match[str]]) -> _Stretch:
    """Return the lines around some seams without them."""
    first, last = seams[0].start(), seams[-1].end()
    start = max(text.rfind("\n", max(0, first - _NEAR), first) + 1, first - _NEAR, 0)
    line_end = text.find("\n", last, last + _NEAR)
    end = line_end if line_end >= 0 else min(len(text), last + _NEAR)
    pieces, starts, places, size = [], [], [], 0
    for piece_start, piece_end in zip(
        [start, *(seam.end() for seam in seams)], [*(seam.start() for seam in seams), end],
        strict=True,
    ):  # fmt: skip
        pieces.append(text[piece_start:piece_end])
        starts.append(size)
        places.append(piece_start)
        size += piece_end - piece_start
    is_hidden = any(_IS_HIDDEN.fullmatch(seam[0]) for seam in seams)
    return _Stretch("".join(pieces), starts, places, is_hidden)
