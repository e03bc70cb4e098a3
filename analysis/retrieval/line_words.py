"""How much of a question meets in one line of code.

The index knows which words a definition holds, but not that some of them stand together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from analysis.parsing.comment_spans import without_comments
from analysis.parsing.languages import language_of
from analysis.parsing.words import terms_of_word

if TYPE_CHECKING:
    from analysis.retrieval.concepts import Concept

_NAME = re.compile(r"[^\W\d][\w$]*")
# Words of the languages themselves: a question that says "returns" is not about every return.
_LANGUAGE_TEXT = """
and as async await bool catch class const def elif else err except export extends false final
finally for from func function if implements import in int interface is lambda let new nil none not
null or private protected public raise return self static string struct super this throw throws true
try type var void while with yield
"""
_LANGUAGE = frozenset(_LANGUAGE_TEXT.split())


class LineWords:
    """Tells how much of a question a line speaks of.

    Args:
        concepts: What the question speaks of.
        rarity: How rare the code base has a word; 0 if it has not got it.
    """

    def __init__(self, concepts: Sequence[Concept], rarity: Callable[[str], float]) -> None:
        worth = [
            {t: c.weight * surety * rarity(t) for t, surety in c.terms.items()} for c in concepts
        ]
        total = sum(max(terms.values(), default=0.0) for terms in worth) or 1.0
        self._by_term: dict[str, list[tuple[int, float]]] = {}
        for number, terms in enumerate(worth):
            for term, value in terms.items():
                if value > 0:
                    self._by_term.setdefault(term, []).append((number, value / total))
        self._by_name: dict[str, Mapping[int, float]] = {}

    def most(self, path: str, lines: Sequence[str]) -> float:
        """Return what share of the question meets in the line that holds most of it.

        Args:
            path: The file that the lines are of.
            lines: Those of one definition; its comments and docstring say nothing here.
        """
        code = without_comments(language_of(path), "\n".join(lines))
        return max(map(self._share, code.split("\n")))

    def _share(self, line: str) -> float:
        best: dict[int, float] = {}
        for name in _NAME.findall(line):
            for number, share in self._of_name(name).items():
                best[number] = max(best.get(number, 0.0), share)
        return sum(best.values())

    def _of_name(self, name: str) -> Mapping[int, float]:
        known = self._by_name.get(name)
        if known is None:
            best: dict[int, float] = {}
            for term in () if name.lower() in _LANGUAGE else terms_of_word(name):
                for number, share in self._by_term.get(term, ()):
                    best[number] = max(best.get(number, 0.0), share)
            known = self._by_name[name] = best
        return known
