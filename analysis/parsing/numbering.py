"""Words by number."""

from __future__ import annotations


class Numbering(dict[str, int]):
    """Numbers words from 0 in the order in which they come."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        """The words by number."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        self.words.append(word)
        return number
