"""What each mode does, step by step, as a graph; no model, key or code base is needed.

Plan mode runs on a graph, and it is this graph that is returned. The other modes are programs
whose steps are the phases that their events name; tests hold what is written here to the phases
that runs go through.
"""

from __future__ import annotations

from analysis.errors import BadInput
from analysis.modes.topology import END, START, Edge, Topology

_ENDING = (Edge("synthesis", "verification"), Edge("verification", END))

_PHASES = {
    "offline": (
        Edge(START, "discovery"),
        Edge("discovery", "exploration", "places found | uses asked for"),
        Edge("discovery", "synthesis", "nothing found"),
        Edge("discovery", "verification", "cancelled"),
        Edge("exploration", "synthesis"),
        *_ENDING,
    ),
    "pipeline": (
        Edge(START, "discovery"),
        Edge("discovery", "exploration", "places found"),
        Edge("discovery", "verification", "nothing found | cancelled"),
        Edge("exploration", "exploration", "read on & round < 2"),
        Edge("exploration", "synthesis", "seen enough | round = 2 | budget spent"),
        Edge("exploration", "verification", "no model | cancelled"),
        *_ENDING,
    ),
    "iterative": (
        Edge(START, "discovery"),
        Edge("discovery", "exploration"),
        Edge("discovery", "verification", "cancelled"),
        Edge("exploration", "exploration", "asks for more & round < max"),
        Edge("exploration", "synthesis", "confident | nothing to ask | round = max | budget spent"),
        Edge("exploration", "verification", "no model | cancelled"),
        *_ENDING,
    ),
    "agent": (
        Edge(START, "exploration"),
        Edge(START, "verification", "cancelled"),
        Edge("exploration", "exploration", "tools called & turn < max"),
        Edge("exploration", "synthesis", "search ended | a cap"),
        Edge("exploration", "verification", "no model | cancelled | nothing found"),
        *_ENDING,
    ),
}


def modes_with_a_graph() -> tuple[str, ...]:
    """Return the modes that can be drawn."""
    return (*_PHASES, "plan")


def topology_of(mode: str) -> Topology:
    """Return the graph of a mode.

    Raises:
        BadInput: There is no such mode, or it has no steps of its own.
    """
    if mode == "plan":
        from analysis.modes.plan.graph import topology

        return topology()
    if mode in _PHASES:
        return Topology(mode, _PHASES[mode])
    known = ", ".join(modes_with_a_graph())
    raise BadInput(f"There is no graph of the mode {mode!r}.", f"There are: {known}.")
