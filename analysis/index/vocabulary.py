"""The words of many files, numbered, with what the index keeps of each: worked out once a word."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from analysis.parsing.numbering import Numbering
from analysis.parsing.words import terms_of_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LONGEST_IDENTIFIER = 100
"""Longer runs of letters and digits are data, not names."""
_MOST_WORDS = 80_000
"""A vocabulary that holds more is given up, so that memory stays in bounds."""


class Vocabulary(Numbering):
    """Numbers words as they come; not to be shared between threads."""

    def __init__(self) -> None:
        super().__init__()
        self.terms = Numbering()
        """All terms of all words."""
        self._first = array("I", [0])
        self._numbers = array("I")
        self._is_identifier = bytearray()

    def __missing__(self, word: str) -> int:
        number = super().__missing__(word)
        self._numbers.extend(map(self.terms.__getitem__, terms_of_name(word)))
        self._first.append(len(self._numbers))
        is_name = len(word) <= _LONGEST_IDENTIFIER and not word[0].isdigit()
        self._is_identifier.append(is_name)
        return number

    @property
    def is_full(self) -> bool:
        """Whether the next files should start another vocabulary."""
        return len(self) > _MOST_WORDS

    def term_numbers(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return where each word's terms start, with one end more, and the terms' numbers."""
        import numpy as np

        return np.array(self._first, np.int64), np.array(self._numbers, np.int64)

    def identifiers(self) -> NDArray[np.bool_]:
        """Return for each word whether it can be a name in code."""
        import numpy as np

        return np.array(self._is_identifier, np.bool_)
