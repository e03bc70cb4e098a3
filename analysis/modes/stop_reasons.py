"""How a run can end: one closed set of words for documents, programs and exit codes."""

from __future__ import annotations

from typing import Final, Literal, get_args

StopReason = Literal[
    "done",
    "cancelled",
    "time",
    "turns",
    "budget_tokens",
    "budget_usd",
    "answer_cut",
    "no_progress",
    "limit",
    "failed",
    "index_incomplete",
    "model_unavailable",
    "model_refused",
    "not_approved",
    "confidence_threshold_reached",
    "max_rounds",
    "no_more_actions",
    "budget_exhausted",
]
STOP_REASONS: Final[tuple[StopReason, ...]] = get_args(StopReason)

_SENTENCES: Final[dict[StopReason, str]] = {
    "done": "The run went to its end.",
    "cancelled": "The run was cancelled: this is what had been found by then.",
    "time": "The run hit its time limit: this is what had been found by then.",
    "turns": "The run took as many turns as it may: this is what had been found by then.",
    "budget_tokens": "The token budget was used up: this is what had been found by then.",
    "budget_usd": "The money budget was used up: this is what had been found by then.",
    "answer_cut": "The answer was cut: it reached the most that the model may write at once.",
    "no_progress": "The run stopped because it found nothing new.",
    "limit": "The run reached its limit of steps: this is what had been found by then.",
    "failed": "A fault in Scope ended the run: this is what had been found by then.",
    "index_incomplete": "The code could not be indexed completely.",
    "model_unavailable": "The model gave no answer: this is what was found without it.",
    "model_refused": "The model gave no usable answer: this is what was found without it.",
    "not_approved": "Sending code to the model was not approved: this is what was found without "
    "it.",
    "confidence_threshold_reached": "The search ended when the model was confident.",
    "max_rounds": "The search ended at its limit of rounds, before the model was confident.",
    "no_more_actions": "The search ended before the model was confident: it asked for nothing new.",
    "budget_exhausted": "The search ended when its budget of code or tokens was used up.",
}


WHOLE: Final[frozenset[str]] = frozenset(
    {"done", "no_progress", "confidence_threshold_reached", "max_rounds", "no_more_actions"}
)
"""Ends after which the answer is what the mode had to give: nothing was cut off."""

UNREMARKABLE: Final[frozenset[str]] = frozenset(
    {"done", "index_incomplete", "confidence_threshold_reached"}
)
"""Ends that a document need not explain, or explains elsewhere."""


def stop_sentence(reason: StopReason) -> str:
    """Return what a reader should know about how a run ended."""
    return _SENTENCES[reason]
