"""What a word of a question may have been meant to be, where the code does not hold it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from analysis.documents.markdown import inline_code
from analysis.modes.writing import listed
from analysis.parsing.words import split_identifier

_MOST_WORDS = 6
# Of short words too many are near each other.
_SHORTEST = 5
_NEAR = 0.8


def did_you_mean(words: Sequence[str], names: Iterable[str]) -> str:
    """Return a sentence that asks for words of the code's names that are spelled nearly the same.

    >>> did_you_mean(["redirekts", "zeppelin"], ["followRedirect", "redirect_to"])
    'Did you mean `redirect` for `redirekts`?'

    Args:
        words: What stands nowhere in the code.
        names: The names that it defines.
    """
    asked = [word for word in words[:_MOST_WORDS] if len(word) >= _SHORTEST]
    if not asked:
        return ""
    parts = {part.lower() for name in names for part in split_identifier(name)}
    known = sorted(part for part in parts if len(part) >= _SHORTEST)
    near = [(word, get_close_matches(word.lower(), known, 1, _NEAR)) for word in asked]
    meant = [f"{inline_code(close[0])} for {inline_code(word)}" for word, close in near if close]
    return f"Did you mean {listed(meant)}?" if meant else ""
