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
    "no_progress",
    "limit",
    "failed",
    "index_incomplete",
    "model_unavailable",
    "model_refused",
]
STOP_REASONS: Final[tuple[StopReason, ...]] = get_args(StopReason)

_SENTENCES: Final[dict[StopReason, str]] = {
    "done": "The run went to its end.",
    "cancelled": "The run was cancelled: this is what had been found by then.",
    "time": "The run hit its time limit: this is what had been found by then.",
    "turns": "The run took as many turns as it may: this is what had been found by then.",
    "budget_tokens": "The token budget was used up: this is what had been found by then.",
    "budget_usd": "The money budget was used up: this is what had been found by then.",
    "no_progress": "The run stopped because it found nothing new.",
    "limit": "The run reached its limit of steps: this is what had been found by then.",
    "failed": "A fault in Scope ended the run: this is what had been found by then.",
    "index_incomplete": "The code could not be indexed completely.",
    "model_unavailable": "The model could not be reached: this is what was found without it.",
    "model_refused": "The model gave no usable answer: this is what was found without it.",
}


def stop_sentence(reason: StopReason) -> str:
    """Return what a reader should know about how a run ended."""
    return _SENTENCES[reason]
