"""Definitions and lines that an answer may show, and how they hang together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.models import CodeReference, Span, SymbolInfo

EdgeKind = Literal["calls", "creates", "raises", "uses"]
SETUP = ("__init__", "constructor", "__new__")
"""What runs when a class is called, in the order of lookup."""


@dataclass(frozen=True, slots=True)
class Place(Span):
    """A definition, or a run of lines that belongs to none."""

    info: SymbolInfo | None = None

    def __hash__(self) -> int:
        """Return a hash of where it is; that of all that is defined in it would be slow."""
        return hash((self.path, self.line_start, self.line_end))

    @property
    def name(self) -> str:
        """Qualified name; the path for lines outside of definitions."""
        return self.info.qualified_name if self.info else self.path

    @property
    def owner(self) -> str:
        """Qualified name of the class or object that a method belongs to; else empty."""
        return self.info.qualified_name.rpartition(".")[0] if self.info else ""

    @property
    def is_class(self) -> bool:
        """Whether it is a definition that holds methods."""
        return self.info is not None and self.info.kind in {"class", "interface", "enum"}

    def reference(self, description: str = "") -> CodeReference:
        """Return the citation of the whole of it."""
        symbol = self.info.qualified_name if self.info else None
        return CodeReference(self.path, self.line_start, self.line_end, symbol, description)


@dataclass(frozen=True, slots=True)
class CallEdge:
    """One place refers to another, on a line of the code."""

    source: Place
    target: Place
    line: int
    kind: EdgeKind
    resolved: bool = True
    """False if it only may: something of that name is used, and no more is known."""

    @property
    def verb(self) -> str:
        """What the source does with the target, as a word of a sentence."""
        return self.kind if self.resolved else f"may {self.kind.removesuffix('s')}"


def place_of(path: str, info: SymbolInfo) -> Place:
    """Return a definition as a place, decorators included."""
    return Place(path, info.decorated_line, info.line_end, info)
