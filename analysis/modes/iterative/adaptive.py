"""How much searching a question deserves: rounds, confidence and lines by its complexity."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.modes.query_profile import COMPLEX_FROM, SIMPLE_BELOW
from analysis.settings import IterativeSettings

_ROUNDS = 4
_FEWEST_ROUNDS = 2
_SIMPLE_CONFIDENCE = 95
# A harder question is seldom answered beyond doubt: asking for it would only cost rounds.
_MEDIUM_CONFIDENCE, _MEDIUM_EASE = 92, 3
_COMPLEX_CONFIDENCE, _COMPLEX_EASE = 90, 5
_SIMPLE_PERCENT, _MEDIUM_PERCENT = 60, 80


@dataclass(frozen=True, slots=True)
class AdaptiveLimits:
    """What ends the rounds of one question."""

    max_rounds: int
    confidence: int
    """From 0 to 100: the model has understood enough."""
    max_lines: int
    """Of code that is gathered."""


def limits_for(complexity: int, settings: IterativeSettings | None = None) -> AdaptiveLimits:
    """Return the limits for a question of a complexity from 0 to 100.

    >>> limits_for(45)
    AdaptiveLimits(max_rounds=4, confidence=92, max_lines=9600)
    """
    chosen = settings or IterativeSettings()
    threshold, lines = chosen.confidence, chosen.max_lines
    if complexity < SIMPLE_BELOW:
        rounds = max(_FEWEST_ROUNDS, chosen.max_rounds)
        return AdaptiveLimits(rounds, _SIMPLE_CONFIDENCE, lines * _SIMPLE_PERCENT // 100)
    if complexity < COMPLEX_FROM:
        confidence = max(_MEDIUM_CONFIDENCE, threshold - _MEDIUM_EASE)
        return AdaptiveLimits(_ROUNDS, confidence, lines * _MEDIUM_PERCENT // 100)
    return AdaptiveLimits(_ROUNDS, max(_COMPLEX_CONFIDENCE, threshold - _COMPLEX_EASE), lines)
