"""What a document remembers of a reference, to know the cited code again: the mark.

A mark is one short string. Its first character names the rule that it was made by; a program that
does not know the rule does not guess. Hashes are cut: 60 bits where equality is proof, 18 to 36
where it only helps to choose between places whose text is equal anyway.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Rule = Literal["p", "l"]
"""``p``: the file was parsed, its tokens count. ``l``: its lines count."""

PROOF, HINT, WEAK = 10, 6, 3
"""Characters of a hash, of six bits each: enough for proof, for a hint, for a weak one."""

AROUND = (4, 10, 24)
"""How many tokens of the surroundings are hashed together, on either side."""

# What ends the surroundings where the definition does.
_EDGE = (("\2",), ())


@dataclass(frozen=True, slots=True)
class Around:
    """The tokens before and after a place: for each width of ``AROUND`` a weak hash."""

    before: tuple[str, ...]
    after: tuple[str, ...]

    def agreement(self, other: Around) -> tuple[int, int]:
        """Return how many widths agree before and after, counted from the nearest."""
        return _agreeing(self.before, other.before), _agreeing(self.after, other.after)


@dataclass(frozen=True, slots=True)
class Mark:
    """The hashes and counts of one reference. Empty strings stand for what there is none of."""

    rule: Rule
    text: str
    """Of the cited lines as they stand, indentation included."""
    code: str
    """Of their tokens; by rule ``l`` of the lines without their common indentation."""
    comments: str
    """Weak: of the comments among them."""
    size: int
    """How many tokens (or lines) ``code`` is made of."""
    first: str
    """Weak: of the first of them."""
    lead: int
    """Cited lines before the first one with code: comments and empty ones."""
    trail: int
    """Cited lines after the last one with code."""
    blocks: str
    """Kinds of the branches around it, outside and inside its definition, as ``outer/inner``."""
    head: str
    """Weak: of the nearest branch's condition."""
    home: Home | None = None
    """The smallest function or class around it, or the variable that it defines; None for other
    code of the module itself."""
    total: int = 1
    """How many places in the definition (or module) have the same code in blocks of these kinds."""
    count: int = 1
    """How many of them have the same head."""
    ordinal: int = 0
    """Which of those it is, from 0."""
    around: Around = Around((), ())
    alone: bool = True
    """Whether no other of them has the same nearest tokens on both sides."""
    others: int = 0
    """How many places in the definition have the same code in blocks of other kinds."""


@dataclass(frozen=True, slots=True)
class Home:
    """The definition that a cited place is in."""

    name: str
    """Qualified."""
    role: str
    """A letter that tells a getter from its setter and an overload from its implementation."""
    whole: bool
    """Whether all of it is cited."""
    offset: int
    """Lines from its first line to the first cited line with code."""
    length: int
    """Its lines, decorators included."""
    text: str
    """Hash of its lines as they stand."""
    code: str
    """Hash of its tokens, its own names left out: it survives renaming."""
    weight: int
    """Number of its tokens, to know how much their equality proves."""
    count: int
    """How many definitions of its file have its name and role."""
    ordinal: int
    """Which of them it is, from 0."""
    equal: int
    """How many of those have the same tokens."""
    equal_ordinal: int
    alike: int
    """How many definitions of its file have the same tokens, whatever their names."""
    copies: int
    """How many other files held a definition of its name with the same tokens."""
    beside: str
    """Weak: of the names of the definitions before and after it."""
    outermost: str
    """Hint: of the text of the outermost definition around it; empty if it is that itself."""


def digest(parts: Iterable[str], size: int) -> str:
    """Return a hash of some texts, so many characters long; their borders count."""
    data = "\0".join(parts).encode("utf-8", "surrogatepass")
    raw = hashlib.blake2b(data, digest_size=9).digest()
    return base64.urlsafe_b64encode(raw).decode()[:size]


def digests(texts: Iterable[str], size: int) -> list[str]:
    """Return ``digest`` of each text by itself, faster where there are many."""
    blake2b = hashlib.blake2b
    raw = b"".join(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=9).digest() for text in texts
    )
    written = base64.urlsafe_b64encode(raw).decode()  # nine bytes each: twelve characters
    return [written[start : start + size] for start in range(0, len(written), 12)]


def around(before: Sequence[str], after: Sequence[str]) -> Around:
    """Return the surroundings of a place.

    Args:
        before: The tokens before it, nearest first; fewer than the widest width only at the edge.
        after: The tokens after it, nearest first.
    """
    return Around(*(_widths(side) for side in (before, after)))


def encoded(mark: Mark) -> str:
    """Return a mark as it stands in a document."""
    home = mark.home
    fields = [
        mark.rule + ("w" if home is not None and home.whole else ""),
        mark.text,
        mark.code,
        f"{mark.first}{mark.comments}{mark.size}",
        f"{mark.lead}-{mark.trail}" if mark.lead or mark.trail else "",
        f"{mark.blocks}{mark.head}",
        _twins(mark),
        "".join((*mark.around.before, *mark.around.after)) + ("" if mark.alone else "!"),
    ]
    if home is not None:
        fields += [
            f"{home.role}{home.offset}-{home.length}-{home.weight}",
            "" if home.text == mark.text else home.text,
            "" if home.code == mark.code else home.code,
            _counts(home),
            home.beside + home.outermost,
        ]
    return ".".join(fields).rstrip(".")


def decoded(text: str, name: str) -> Mark | None:
    """Return the mark that a document holds; None if it is damaged or of an unknown rule.

    Args:
        text: As ``encoded`` gave it.
        name: Qualified name of the definition around the place, "" without one.
    """
    fields = text.split(".")
    fields += [""] * (13 - len(fields))
    try:
        return _decoded(fields, name)
    except (ValueError, IndexError):
        return None


def _decoded(fields: list[str], name: str) -> Mark | None:
    rule = fields[0][:1]
    if rule not in ("p", "l"):
        return None
    lead, trail = (int(n) for n in (fields[4] or "0-0").split("-"))
    ordinal, count, total, *more = (int(n) for n in (fields[6] or "0-1-1").split("-"))
    hashes = fields[7].rstrip("!")
    sides = [hashes[i : i + WEAK] for i in range(0, len(hashes), WEAK)]
    half = len(sides) // 2
    blocks, slash, inner = fields[5].partition("/")
    kinds, _, head = inner.partition(":")
    return Mark(
        rule="p" if rule == "p" else "l",
        text=fields[1],
        code=fields[2],
        first=fields[3][:WEAK],
        comments=fields[3][WEAK : 2 * WEAK],
        size=int(fields[3][2 * WEAK :]),
        lead=lead,
        trail=trail,
        blocks=f"{blocks}{slash}{kinds}",
        head=f":{head}" if head else "",
        home=_home(fields, name) if fields[8] else None,
        total=total,
        count=count,
        ordinal=ordinal,
        around=Around(tuple(sides[:half]), tuple(sides[half:])),
        alone=not fields[7].endswith("!"),
        others=more[0] if more else 0,
    )


def _home(fields: list[str], name: str) -> Home:
    whole = "w" in fields[0]
    role = fields[8][:1]
    offset, length, weight = (int(part) for part in fields[8][1:].split("-"))
    numbers = [int(part) for part in fields[11].split("-")] if fields[11] else []
    count, ordinal, equal, equal_ordinal, alike, copies = numbers or (1, 0, 1, 0, 1, 0)
    return Home(
        name=name,
        role=role,
        whole=whole,
        offset=offset,
        length=length,
        weight=weight,
        text=fields[9] or fields[1],
        code=fields[10] or fields[2],
        count=count,
        ordinal=ordinal,
        equal=equal,
        equal_ordinal=equal_ordinal,
        alike=alike,
        copies=copies,
        beside=fields[12][: 2 * WEAK],
        outermost=fields[12][2 * WEAK :],
    )


def _twins(mark: Mark) -> str:
    numbers = [mark.ordinal, mark.count, mark.total, *([mark.others] if mark.others else [])]
    return "" if numbers == [0, 1, 1] else "-".join(map(str, numbers))


def _counts(home: Home) -> str:
    numbers = (
        home.count,
        home.ordinal,
        home.equal,
        home.equal_ordinal,
        home.alike,
        home.copies,
    )
    return "" if numbers == (1, 0, 1, 0, 1, 0) else "-".join(map(str, numbers))


def _widths(tokens: Sequence[str]) -> tuple[str, ...]:
    return tuple(digest([*tokens[:width], *_EDGE[len(tokens) >= width]], WEAK) for width in AROUND)


def _agreeing(mine: Sequence[str], other: Sequence[str]) -> int:
    agreeing = 0
    for one, two in zip(mine, other, strict=False):
        if one != two:
            break
        agreeing += 1
    return agreeing
