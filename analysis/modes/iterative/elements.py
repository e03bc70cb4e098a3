"""The pieces of code that a search has gathered: merged, each line once, within a limit."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.documents import CodeView
    from analysis.models import SymbolInfo

# A definition that is longer is not gathered whole because of one line in it.
_MAX_DEFINITION = 200
# What is shown of a longer one: its head, which says what it is.
_HEAD = 40
# Around a place that is in no definition.
_AROUND = 5


@dataclass(frozen=True, slots=True)
class Element:
    """A piece of code, whole lines of one file."""

    path: str
    line_start: int
    line_end: int
    symbol: str | None = None
    """Qualified name of the definition that it is, if it is one."""
    origin: str = ""
    """What brought it in, for the reader."""

    @property
    def n_lines(self) -> int:
        """How many lines it has."""
        return self.line_end - self.line_start + 1

    @property
    def label(self) -> str:
        """Its place and name on one line."""
        place = f"{self.path}:{self.line_start}-{self.line_end}"
        return f"{place} {self.symbol}" if self.symbol else place

    def contains(self, other: Element) -> bool:
        """Return whether all lines of another are among its own."""
        return (
            self.path == other.path
            and self.line_start <= other.line_start
            and other.line_end <= self.line_end
        )

    def touches(self, other: Element) -> bool:
        """Return whether the two have lines in common, or are neighbours."""
        return (
            self.path == other.path
            and self.line_start <= other.line_end + 1
            and other.line_start <= self.line_end + 1
        )


@dataclass(slots=True)
class Gathered:
    """All elements of a run, in the order in which they came."""

    max_lines: int
    elements: list[Element] = field(default_factory=list)
    n_refused: int = 0
    """Elements that the limit of lines left no room for."""

    @property
    def n_lines(self) -> int:
        """Lines of all elements."""
        return sum(element.n_lines for element in self.elements)

    @property
    def is_full(self) -> bool:
        """Whether the limit of lines was reached."""
        return self.n_refused > 0 or self.n_lines >= self.max_lines

    @property
    def paths(self) -> list[str]:
        """Files of the elements, in order."""
        return list(dict.fromkeys(element.path for element in self.elements))

    def add(self, found: Iterable[Element]) -> list[Element]:
        """Take elements in and return those that bring something new.

        What lies inside of an element is no second one: a method of a class that is there adds
        nothing, and a class takes the place of its methods.
        """
        new: list[Element] = []
        for element in found:
            if any(known.contains(element) for known in self.elements):
                continue
            grown = self._grown(element)
            inside = [known for known in self.elements if grown.contains(known)]
            left = self.max_lines - self.n_lines + sum(known.n_lines for known in inside)
            if grown.n_lines > left:
                self.n_refused += 1
                continue
            self._replace(inside, grown)
            new = [other for other in new if other not in inside]
            new.append(grown)
        return new

    def keep(self, paths: Collection[str]) -> list[Element]:
        """Leave only the elements of some files, and return those that went."""
        dropped = [element for element in self.elements if element.path not in paths]
        self.elements = [element for element in self.elements if element.path in paths]
        if dropped:
            self.n_refused = 0
        return dropped

    def _grown(self, element: Element) -> Element:
        """Return an element joined with those that it overlaps; definitions stay what they are."""
        start, end = element.line_start, element.line_end
        if element.symbol is not None:
            return element
        for known in self.elements:
            if known.symbol is None and known.touches(Element(element.path, start, end)):
                start, end = min(start, known.line_start), max(end, known.line_end)
        return Element(element.path, start, end, None, element.origin)

    def _replace(self, inside: list[Element], element: Element) -> None:
        at = self.elements.index(inside[0]) if inside else len(self.elements)
        self.elements = [known for known in self.elements if known not in inside]
        self.elements.insert(at, element)


def of_definition(path: str, info: SymbolInfo, origin: str = "") -> Element:
    """Return a definition as an element; the head of it if it is very long."""
    end = info.line_end
    if end - info.decorated_line + 1 > _MAX_DEFINITION:
        end = info.decorated_line + _HEAD - 1
    return Element(path, info.decorated_line, end, info.qualified_name, origin)


def of_place(code: CodeView, path: str, start: int, end: int, origin: str = "") -> Element | None:
    """Return the element that a place belongs to: the smallest definition around it.

    Lines outside of definitions, and in very long ones, come with a few around them; a place that
    holds whole definitions stays as it is. None if the file cannot be read.
    """
    lines = code.lines(path)
    if not lines:
        return None
    start = min(max(start, 1), len(lines))
    end = min(max(end, start), len(lines))
    around = [info for info in code.symbols(path) if _holds(info, start, end)]
    fitting = [info for info in around if info.line_end - info.decorated_line < _MAX_DEFINITION]
    if fitting:
        return of_definition(path, fitting[-1], origin)
    if end - start < _AROUND:
        start, end = max(start - _AROUND, 1), min(end + _AROUND, len(lines))
    return Element(path, start, end, None, origin)


def _holds(info: SymbolInfo, start: int, end: int) -> bool:
    """Return whether a definition is around some lines, and says more than they do."""
    is_line = info.kind in {"variable", "property"} and info.line_end == info.decorated_line
    return not is_line and info.decorated_line <= start and end <= info.line_end
