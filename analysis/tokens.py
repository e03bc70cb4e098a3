"""Estimates tokens without a tokenizer: quickly, offline, and rather too many than too few."""

from __future__ import annotations

import math


def text_tokens(text: str) -> int:
    """Return at least as many tokens as the usual tokenizers make of code and prose.

    They make one token of three to four ASCII characters of code, and one to three of a character
    outside ASCII.
    """
    n_ascii = len(text.encode("ascii", "ignore"))
    return math.ceil(n_ascii / 3) + 2 * (len(text) - n_ascii)
