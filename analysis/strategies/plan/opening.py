"""What a run of plan mode begins with: an earlier answer, and a word on where to look."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analysis.documents import read_document
from analysis.errors import ScopeError
from analysis.llm.messages import Message
from analysis.strategies.earlier import earlier_findings
from analysis.tools.fences import Fences

if TYPE_CHECKING:
    from analysis.models import AskRequest, Candidate
    from analysis.strategies.synthesis import Synthesis

_MAX_PLACES = 15


def history_of(request: AskRequest, synthesis: Synthesis) -> list[Message]:
    """Return the question and the findings that a question follows up on; blocking."""
    if not request.follow_up:
        return []
    # The history outlives this run and its fences; prompts quote it with their own.
    parts = earlier_findings(request, synthesis.view, synthesis.code, Fences("earlier"))
    if not parts:
        return []
    try:
        question = read_document(Path(request.follow_up)).front.question
    except ScopeError:
        return []  # It was there a moment ago; the run goes on without it.
    return [Message("user", question), Message("assistant", "\n\n".join(parts[1:]))]


def orientation(candidates: tuple[Candidate, ...]) -> str:
    """Return ranked places as a hint for the planner; empty if there are none."""
    if not candidates:
        return ""
    places = dict.fromkeys(
        f"- {candidate.path}{f': {candidate.symbol}' if candidate.symbol else ''}"
        for candidate in candidates[:_MAX_PLACES]
    )
    return "Places that words of the question lead to:\n" + "\n".join(places)
