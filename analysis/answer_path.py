"""What an answer tells as data: its way through the code, how well it fits, what it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PathRelation = Literal[
    "start", "calls", "creates", "raises", "uses", "called_by", "used_by", "extended_by",
    "tested_by", "related",
]  # fmt: skip
"""What a place of an answer's path has to do with the one before it; what comes before the start
(``called_by``, ``used_by``) and variants of it with the place that it says it of."""

FitLevel = Literal["strong", "fair", "weak"]


@dataclass(frozen=True, slots=True)
class PathEntry:
    """A definition that an answer leads through."""

    path: str
    line_start: int
    line_end: int
    symbol: str | None
    """Qualified name; None for lines outside of definitions."""
    relation: PathRelation
    of: str | None = None
    """Qualified name of the place that it has this relation to; None for the start."""
    line: int = 0
    """Where the code says so, in the file of whichever of the two refers to the other; 0 if no
    single line does."""
    resolved: bool = True
    """False if only a name says so."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well an answer fits its question, by what it was found with."""

    level: FitLevel
    why: str
    """One sentence."""


@dataclass(frozen=True, slots=True)
class RunStats:
    """What an answer took."""

    mode: str
    model: str = "none"
    llm_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = 0.0
    """None if the model's price is not known."""
    files_analyzed: int = 0
    elapsed_s: float = 0.0
    files_parsed: int = 0
    """How many files had to be parsed for this answer; 0 when the index was warm."""
    stop_reason: str = "done"
