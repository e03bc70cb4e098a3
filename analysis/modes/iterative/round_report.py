"""What happened in the rounds of a search, as sentences for the end of the document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from analysis.documents.markdown import inline_code
from analysis.modes.writing import listed

_MAX_NAMED = 6


@dataclass(slots=True)
class RoundReport:
    """One round."""

    number: int
    needed: int
    """The confidence that would have ended it."""
    confidence: int | None = None
    """None if the model said nothing that could be used."""
    asked: list[str] = field(default_factory=list)
    """Calls of tools."""
    n_found: int = 0
    """Places that the calls brought."""
    n_related: int = 0
    """Places that the call graph added to them."""
    n_related_left: int = 0
    """Callers and callees that it knows beyond them."""
    graph_complete: bool = True
    kept: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    """Files."""
    problems: list[str] = field(default_factory=list)

    def sentence(self) -> str:
        """Return the round in a sentence of markdown."""
        if self.confidence is None:
            return f"Round {self.number}: the model gave no answer that could be used."
        parts = [f"confidence {self.confidence}, {self.needed} needed"]
        if self.kept:
            parts.append(f"kept {_codes(self.kept)}")
        if self.dropped:
            parts.append(f"dropped {_codes(self.dropped)}")
        if self.asked:
            related = f" and {self.n_related} by the call graph" if self.n_related else ""
            parts.append(f"asked {_codes(self.asked)}: {places(self.n_found, 'new ')}{related}")
            parts += self._graph_gaps()
        else:
            parts.append("asked for nothing")
        if self.problems:
            n = len(self.problems)
            parts.append(f"{n} {'thing' if n == 1 else 'things'} it named could not be found")
        return f"Round {self.number}: {'; '.join(parts)}."

    def _graph_gaps(self) -> list[str]:
        """Return what the call graph left out, if it looked."""
        if self.n_related_left:
            return [f"{self.n_related_left} more callers and callees are known"]
        is_open = self.n_related and not self.graph_complete
        return ["there may be more callers and callees"] if is_open else []


def report(rounds: Sequence[RoundReport], reason: str | None) -> list[str]:
    """Return the lines on a search: the line that sums it up, then one a round.

    Args:
        rounds: In order.
        reason: Why the rounds ended; None if they were ended from outside.
    """
    judged = [item.confidence for item in rounds if item.confidence is not None]
    confidence = f"{judged[-1]}%" if judged else "unknown"
    summary = f"Confidence: {confidence} | Rounds: {len(rounds)}"
    if reason is not None:
        summary += f" | Stop: {reason}"
    return [summary, *(item.sentence() for item in rounds)]


def _codes(names: Iterable[str]) -> str:
    """Return names as code, a few of them."""
    known = list(names)
    shown = [inline_code(name) for name in known[:_MAX_NAMED]]
    if len(known) > _MAX_NAMED:
        shown.append(f"{len(known) - _MAX_NAMED} more")
    return listed(shown)


def places(n: int, kind: str = "") -> str:
    """Return a number of places in words, with what kind they are."""
    return f"{n} {kind}{'place' if n == 1 else 'places'}"
