"""Answers with a model that chooses by itself what to look at, with tools and within limits."""

from analysis.modes.mode_spec import ENDING, ModeSpec
from analysis.modes.topology import START, Edge

MODE = ModeSpec(
    __name__,
    "the model itself, with tools: it searches, sees outlines, reads definitions, follows uses",
    "lets a model look around by itself, with tools",
    default_tokens=200_000,
    phases=(
        Edge(START, "exploration"),
        Edge(START, "verification", "cancelled"),
        Edge("exploration", "exploration", "tools called & turn < max"),
        Edge("exploration", "synthesis", "search ended | a cap"),
        Edge("exploration", "verification", "no model | cancelled | nothing found"),
        *ENDING,
    ),
)
