"""Generated answers with exact citations in many styles: none is harmed, no wrong one passes."""

from __future__ import annotations

import keyword
import random
import re
from collections import Counter
from dataclasses import dataclass

import pytest

from analysis.documents import CachedCode, check_citations
from analysis.models import CodeReference, RefState
from tests.documents.generated import library
from tests.documents.samples import LINKS

_WORD = re.compile(r"[^\W\d]\w{3,}")
_CITED = (
    "`{path}:{range}`",
    "{path}:{range}",
    "`{path}` (lines {range})",
    "{path}#{anchor}",
    "[{path}:{range}]({path}#{anchor})",
    "[source]({path}#{anchor})",
    "lines {range} of `{path}`",
)
# Two names and their two places in each.
_STYLES = (
    "`{a}` at {A} does it, and `{b}` at {B} the rest.",
    "First `{a}` ({A}) is called, then `{b}` ({B}).",
    "- {A} \u2014 `{a}` begins\n- {B} \u2014 `{b}` goes on",
    "1. `{a}` prepares it ({A}).\n2. It is handed to `{b}`, which returns ({B}).",
    "| what | where |\n|---|---|\n| `{a}` | {A} |\n| `{b}` | {B} |",
    "| where | what |\n|---|---|\n| {A} | `{a}` |\n| {B} | `{b}` |",
    "It goes through `{a}`[^1] and `{b}`[^2].\n\n[^1]: {A}\n[^2]: {B}",
    "### `{a}`\n\n{A}\n\n### `{b}`\n\n{B}\n",
    "**`{a}`**: {A}. After that comes **`{b}`**: {B}.",
    "It is read by `{a}`, see {A}; when it is missing, `{b}` raises (see {B}).",
    "In {A}, `{a}` is set up. In {B}, `{b}` is used.",
    "As {A} shows, `{a}` returns early, unlike `{b}` ({B}).",
    "- `{a}` - {A}\n  - `{b}` \u2192 {B}",
    "When `{a}` is done ({A}) the loop of `{b}` ends ({B}).",
)


@dataclass(frozen=True, slots=True)
class Place:
    """A name, and lines that hold it."""

    name: str
    path: str
    lines: tuple[int, int]

    def cited(self, form: str) -> str:
        first, last = self.lines
        anchor = f"L{first}" + (f"-L{last}" if last > first else "")
        shown = f"{first}-{last}" if last > first else f"{first}"
        return form.format(path=self.path, range=shown, anchor=anchor)


class Writer:
    """Writes answers about a code base, always the same ones."""

    def __init__(self, code: CachedCode, seed: int) -> None:
        self.code = code
        self.chance = random.Random(seed)
        self.symbols = [
            (path, info)
            for path in sorted(code.paths())
            for info in code.symbols(path)
            if info.kind in {"function", "method", "class"}
        ]

    def place(self) -> Place:
        """A definition, a part of one, or lines that hold some word of the code."""
        path, info = self.chance.choice(self.symbols)
        call = "()" if info.kind != "class" and self.chance.random() < 0.7 else ""
        if self.chance.random() < 0.5:
            name = self.chance.choice((info.name, info.qualified_name))
            return Place(name + call, path, self._part(path, info.line, info.line_end))
        number = self.chance.randint(info.line, info.line_end)
        words = _WORD.findall(self.code.bare_lines(path)[number - 1])
        words = [word for word in words if not keyword.iskeyword(word) and word != "self"]
        if not words:
            return self.place()
        last = min(number + self.chance.randint(0, 2), len(self.code.lines(path) or ()))
        return Place(self.chance.choice(words), path, (number, last))

    def _part(self, path: str, first: int, last: int) -> tuple[int, int]:
        if self.chance.random() < 0.5 or last - first < 4:
            return first, last
        start = self.chance.randint(first + 1, last - 1)
        is_blank = not (self.code.lines(path) or ())[start - 1].strip()
        return (first, last) if is_blank else (start, min(start + 3, last))

    def elsewhere(self, place: Place, names: set[str]) -> Place | None:
        """The same claim about lines that hold none of the names, in the same file."""
        lines = self.code.lines(place.path) or ()
        length = place.lines[1] - place.lines[0]
        for _ in range(40):
            first = self.chance.randint(1, max(len(lines) - length, 1))
            last = min(first + length, len(lines))
            shown = "\n".join(lines[first - 1 : last])
            inside = any(
                info.name in names and info.decorated_line <= last and first <= info.line_end
                for info in self.code.symbols(place.path)
            )
            if not inside and not any(re.search(rf"\b{name}\b", shown) for name in names):
                return Place(place.name, place.path, (first, last))
        return None

    def text(self, style: str, places: tuple[Place, Place]) -> str:
        one, two = places
        forms = self.chance.choice(_CITED), self.chance.choice(_CITED)
        return style.format(a=one.name, b=two.name, A=one.cited(forms[0]), B=two.cited(forms[1]))


def outcomes(
    code: CachedCode, text: str, places: tuple[Place, Place]
) -> list[tuple[Place, CodeReference]]:
    found = [
        ref for item in check_citations(text, code, LINKS).citations for ref in item.references
    ]
    assert len(found) == len(places), text
    return list(zip(places, found, strict=True))


@pytest.fixture(scope="module")
def code() -> CachedCode:
    return library()


@pytest.mark.parametrize("style", _STYLES)
def test_exact_citations_are_verified_and_never_moved(code: CachedCode, style: str) -> None:
    writer = Writer(code, seed=11)
    counts: Counter[RefState] = Counter()
    for _ in range(40):
        places = writer.place(), writer.place()
        text = writer.text(style, places)
        for place, found in outcomes(code, text, places):
            assert (found.path, found.line_start, found.line_end) == (place.path, *place.lines), (
                text
            )
            assert found.state in {RefState.OK, RefState.IN_RANGE}, text
            counts[found.state] += 1
    assert counts[RefState.OK] >= 0.95 * counts.total()


@pytest.mark.parametrize("style", _STYLES)
def test_lines_that_hold_nothing_of_it_are_never_verified(code: CachedCode, style: str) -> None:
    writer = Writer(code, seed=12)
    n_checked = 0
    for _ in range(40):
        places = writer.place(), writer.place()
        names = set(re.findall(r"[^\W\d]\w*", " ".join(place.name for place in places)))
        wrong = tuple(writer.elsewhere(place, names) for place in places)
        if wrong[0] is None or wrong[1] is None:
            continue
        text = writer.text(style, (wrong[0], wrong[1]))
        for place, found in outcomes(code, text, (wrong[0], wrong[1])):
            assert found.state is not RefState.OK, text
            if found.state is RefState.CORRECTED:
                plain = place.name.removesuffix("()")
                assert f".{found.symbol}".endswith(f".{plain}"), text
                assert found.path == place.path
            n_checked += 1
    assert n_checked > 20


@pytest.mark.parametrize(
    ("unit", "n_chars"),
    [
        *((unit, 200_000) for unit in ("a", "aA", "a/", "[", "`")),
        *((unit, 40_000) for unit in ("A", "_", "a.", "a-", "1", "lines", "`a", "``a`", "*", "\\")),
        *((unit, 40_000) for unit in ("](", "[](", "![", "<", "(", "((a", "|", "#", ">", '"', "&")),
        *((unit, 40_000) for unit in ("https://", "[a]:", "{", "[^", "a\n", "| a\n", "<a\n", "> ")),
    ],
)
def test_a_text_without_a_space_is_checked_in_linear_time(
    code: CachedCode, unit: str, n_chars: int
) -> None:
    """Quadratic time would take many minutes here."""
    text = unit * (n_chars // len(unit))
    result = check_citations(text, code, LINKS)
    assert len(result.markdown) >= len(text)
    assert result.references == ()


@pytest.mark.parametrize("number", ["1000000000000", "9" * 5_000, "0" * 50 + "7"])
@pytest.mark.parametrize("form", ["lib/csv.py:{}", "`lib/csv.py:{}`", "[x](lib/csv.py#L{})"])
def test_a_senseless_line_number_is_one_of_no_line(
    code: CachedCode, form: str, number: str
) -> None:
    (found,) = check_citations(form.format(number), code, LINKS).references
    assert found.line_start == (7 if number.endswith("7") else 999_999_999)
    assert (found.state is RefState.UNVERIFIED) == (not number.endswith("7"))
