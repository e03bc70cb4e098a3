"""Answers in planned steps of research: a graph with kept state."""

from analysis.modes.mode_spec import ModeSpec

MODE = ModeSpec(
    __name__,
    "a planner writes steps of research, each is carried out with tools, until the findings "
    "suffice",
    "plans steps of research and carries them out with a model",
    default_tokens=400_000,
)
