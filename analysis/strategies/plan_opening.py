"""What a run of plan mode begins with: an earlier answer, and a word on where to look."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analysis.documents import read_document
from analysis.errors import ScopeError
from analysis.llm.messages import Message
from analysis.strategies import asked
from analysis.strategies.plan_evidence import cut

if TYPE_CHECKING:
    from analysis.index.code_index import CodeIndex
    from analysis.models import AskRequest, Candidate
    from analysis.strategies.synthesis import Synthesis

_MAX_EARLIER = 3_000
_MAX_PLACES = 15


def history_of(request: AskRequest) -> list[Message]:
    """Return the question and answer that a question follows up on, oldest first."""
    if not request.follow_up:
        return []
    try:
        earlier = read_document(Path(request.follow_up))
    except ScopeError:
        return []  # That it was not taken into account is said where the question is read.
    answer = cut(earlier.body.strip(), _MAX_EARLIER)
    return [Message("user", earlier.front.question), Message("assistant", answer)]


def found_places(
    request: AskRequest, index: CodeIndex, synthesis: Synthesis
) -> tuple[Candidate, ...]:
    """Return the places that ranking proposes, of which a model may see something; blocking."""
    from analysis.retrieval.search import SearchOptions, search

    view = asked.read(request, synthesis.view)
    location = request.location
    options = SearchOptions(top_k=request.top_k, location=location.path if location else None)
    found = search(index, view.query, options).candidates
    allowed = frozenset(synthesis.code.allow(candidate.path for candidate in found))
    return tuple(candidate for candidate in found if candidate.path in allowed)


def orientation(candidates: tuple[Candidate, ...]) -> str:
    """Return ranked places as a hint for the planner; empty if there are none."""
    if not candidates:
        return ""
    places = dict.fromkeys(
        f"- {candidate.path}{f': {candidate.symbol}' if candidate.symbol else ''}"
        for candidate in candidates[:_MAX_PLACES]
    )
    return "Places that words of the question lead to:\n" + "\n".join(places)
