"""What an offline answer is made of: the places it shows, and how it came to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from analysis.documents import CodeView
from analysis.models import AskRequest, Candidate
from analysis.modes.offline.call_chain import Walk
from analysis.modes.offline.scoring import Scores
from analysis.modes.places import CallEdge, Place


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that the sections of a document are written from."""

    request: AskRequest
    code: CodeView
    terms: frozenset[str]
    """Stems of the question's keywords."""
    walk: Walk | None = None
    """The way through the code; one step if nothing is called."""
    beside: tuple[Place, ...] = ()
    """What steps of the way call before they go on."""
    also: tuple[Place, ...] = ()
    """Further places worth reading, best first."""
    edges: tuple[CallEdge, ...] = ()
    """What refers to what among the shown places."""
    callers: tuple[CallEdge, ...] = ()
    """Who calls the place that the question is about."""
    scores: Scores | None = None
    files: tuple[str, ...] = ()
    """The files that matter, best first."""
    docs_of_files: Mapping[str, str] = field(default_factory=dict)
    """What files say of themselves, by path."""
    best: tuple[Candidate, ...] = ()
    """The candidates in those files."""
    documentation: tuple[Candidate, ...] = ()
    tests: tuple[Candidate, ...] = ()
    below: tuple[Candidate, ...] = ()
    """Candidates that are not shown."""
    graph_files: int = 0
    notes: tuple[str, ...] = ()
    """Sentences in markdown on how the answer was found, and what it lacks."""

    @property
    def path(self) -> tuple[Place, ...]:
        """The places of the way through the code."""
        return self.walk.places if self.walk else ()

    @property
    def shown(self) -> tuple[Place, ...]:
        """All places that the document shows."""
        return self.path + self.beside + self.also
