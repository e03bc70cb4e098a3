"""Answers in rounds of look-ups until the model is confident."""

from analysis.modes.mode_spec import ENDING, ModeSpec
from analysis.modes.topology import START, Edge

MODE = ModeSpec(
    __name__,
    "ranking, then rounds of look-ups that a model asks for, until it is confident",
    "asks a model in rounds until it is confident",
    default_tokens=200_000,
    phases=(
        Edge(START, "discovery"),
        Edge("discovery", "exploration"),
        Edge("discovery", "verification", "cancelled"),
        Edge("exploration", "exploration", "asks for more & round < max"),
        Edge("exploration", "synthesis", "confident | nothing to ask | round = max | budget spent"),
        Edge("exploration", "verification", "no model | cancelled"),
        *ENDING,
    ),
)
