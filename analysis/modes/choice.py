"""Chooses who answers a question when nobody said so, and says why."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.modes.query_profile import QueryProfile


@dataclass(frozen=True, slots=True)
class Choice:
    """A mode, and why it was chosen."""

    mode: str
    reason: str
    """A clause that goes on after "because"."""

    @property
    def sentence(self) -> str:
        """What a reader of the document is told."""
        return f"Mode: {self.mode}, chosen because {self.reason}."


NO_MODEL = Choice("offline", "no model is set")
NO_FINDINGS = Choice("pipeline", "in the other modes each step sees 'findings' of those before")
WITHHELD = Choice("offline", "'allowed_scopes' lacks what a model needs, input and workspace")
NEVER_SEND = Choice("offline", "'model.never_send' is set")


def choose(found: QueryProfile) -> Choice:
    """Return the mode for a question that a model is there to answer.

    Places and simple things need two or three calls; what takes more to understand gets rounds
    until it is understood; a way through the code is followed step by step; and a question of
    several parts is planned.
    """
    size = f"{found.level} question ({found.complexity} of 100)"
    if found.level == "complex" and found.n_parts > 1:
        return Choice("plan", f"it is a {size} of {found.n_parts} parts")
    if found.query_type == "locate":
        return Choice("pipeline", "it asks for a place")
    if found.level == "simple":
        return Choice("pipeline", f"it is a {size}")
    if found.query_type == "flow":
        return Choice("agent", "it asks for a way through the code")
    return Choice("iterative", f"it is a {size}")
