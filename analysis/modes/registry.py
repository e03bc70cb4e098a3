"""The ways to an answer that ask a model, by the name of the mode; imported when first needed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from analysis.events import Event
    from analysis.modes.job import Job

_MODULES = {
    "pipeline": "analysis.modes.pipeline.run",
    "agent": "analysis.modes.agent.run",
    "plan": "analysis.modes.plan.run",
    "iterative": "analysis.modes.iterative.run",
}


def strategy(mode: str) -> Callable[[Job], AsyncIterator[Event]]:
    """Return what answers in a mode that asks a model.

    It yields the events of one question; the last one is ``RunFinished`` with a document.
    """
    return cast("Callable[[Job], AsyncIterator[Event]]", import_module(_MODULES[mode]).run)
