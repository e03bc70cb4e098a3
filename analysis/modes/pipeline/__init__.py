"""Answers in two or three calls: discovery, exploration by outlines, synthesis."""

from analysis.modes.mode_spec import ENDING, ModeSpec
from analysis.modes.topology import START, Edge

MODE = ModeSpec(
    __name__,
    "ranking, then at most two rounds of reading that a model asks for",
    "asks a model two or three times",
    default_tokens=100_000,
    phases=(
        Edge(START, "discovery"),
        Edge("discovery", "exploration", "places found"),
        Edge("discovery", "verification", "nothing found | cancelled"),
        Edge("exploration", "exploration", "read on & round < 2"),
        Edge("exploration", "synthesis", "seen enough | round = 2 | budget spent"),
        Edge("exploration", "verification", "no model | cancelled"),
        *ENDING,
    ),
)
