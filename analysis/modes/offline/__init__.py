"""Answers with no model: ranking, the call graph, and sentences taken from the code."""

from analysis.modes.mode_spec import ENDING, ModeSpec
from analysis.modes.topology import START, Edge

MODE = ModeSpec(
    __name__,
    "ranking and the call graph; no model, no network",
    "needs no model and no network",
    phases=(
        Edge(START, "discovery"),
        Edge("discovery", "exploration", "places found | uses asked for"),
        Edge("discovery", "synthesis", "nothing found"),
        Edge("discovery", "verification", "cancelled"),
        Edge("exploration", "synthesis"),
        *ENDING,
    ),
)
