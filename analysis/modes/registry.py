"""All modes by name; what a mode needs is imported when it first answers.

A mode is a package of that name in here; its ``__init__`` says in ``MODE`` what there is to know
of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from analysis.errors import BadInput
from analysis.models import MODE_NAMES

if TYPE_CHECKING:
    from analysis.modes.job import Job
    from analysis.modes.mode_spec import ModeSpec
    from analysis.modes.offline.run import OfflineDraft
    from analysis.modes.topology import Topology

MODES: Final[dict[str, ModeSpec]] = {
    name: import_module(f"analysis.modes.{name}").MODE for name in MODE_NAMES if name != "auto"
}


def modes_in_words() -> str:
    """Return what each value of ``ModeName`` stands for, in one line."""
    told = [f"{spec.name} {spec.clause}" for spec in MODES.values()]
    return "; ".join(["auto chooses by the question", *told])


def topology_of(name: str) -> Topology:
    """Return a mode's steps as a graph; no model, key or code base is needed.

    Raises:
        BadInput: There is no such mode, or it has no steps of its own.
    """
    if name not in MODES:
        raise BadInput(
            f"There is no graph of the mode {name!r}.", f"There are: {', '.join(MODES)}."
        )
    return MODES[name].topology()


def offline_draft(job: Job) -> OfflineDraft:
    """Return what is found without a model, for where a model's answer does not hold; blocking."""
    from analysis.modes.offline.run import OfflineRun

    return OfflineRun(job).draft()
