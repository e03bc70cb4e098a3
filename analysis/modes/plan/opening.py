"""What a run of plan mode begins with: an earlier answer, and a word on where to look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.llm.messages import Message
from analysis.modes.earlier import earlier_answer
from analysis.tools.fences import Fences

if TYPE_CHECKING:
    from analysis.models import Candidate
    from analysis.modes.job import Job

_MAX_PLACES = 15


def history_of(job: Job) -> list[Message]:
    """Return the question and the findings that a question follows up on; blocking."""
    # The history outlives this run and its fences; prompts quote it with their own.
    answer = earlier_answer(job.request, job.view, job.code, Fences("earlier"))
    if answer is None:
        return []
    question, parts = answer
    return [Message("user", question), Message("assistant", "\n\n".join(parts))]


def orientation(candidates: tuple[Candidate, ...]) -> str:
    """Return ranked places as a hint for the planner; empty if there are none."""
    if not candidates:
        return ""
    places = dict.fromkeys(
        f"- {candidate.path}{f': {candidate.symbol}' if candidate.symbol else ''}"
        for candidate in candidates[:_MAX_PLACES]
    )
    return "Places that words of the question lead to:\n" + "\n".join(places)
