"""What there is of a document while it is made."""

from __future__ import annotations

from dataclasses import dataclass, field

from analysis.documents import Section
from analysis.models import CodeReference


@dataclass(slots=True)
class Draft:
    """What there is of the document so far."""

    sections: list[Section] = field(default_factory=list)
    references: list[CodeReference] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """What the answer is not based on, as sentences."""
    n_files: int = 0
