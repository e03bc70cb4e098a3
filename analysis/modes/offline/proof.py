"""Whether the code itself bears out where an answer begins, beyond the words that ranking saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.modes.offline.exploration import Exploration
from analysis.modes.places import Place
from analysis.retrieval.concepts import concepts_of
from analysis.retrieval.line_words import LineWords
from analysis.retrieval.question import Question

if TYPE_CHECKING:
    from analysis.index.code_index import CodeIndex

# By themselves they tell what there is; what is done stands in their members.
_HOLDERS = frozenset({"class", "interface", "type", "enum", "module"})


def is_borne_out(found: Exploration, question: Question, index: CodeIndex) -> bool:
    """Return whether no other likely place has a line that holds more of the question.

    Likelihood among definitions says little of whether they speak of what is asked: the best of
    many that do not is the best too. What is asked for is done in a line that holds much of it.
    """
    from analysis.retrieval.scoring import Scorer

    with index.view() as view:
        words = LineWords(concepts_of(question), Scorer.of(view).rarity)
    most = _most(found.path[0], found, words)
    others = (item.place for item in found.beginnings if item.place != found.path[0])
    return most > 0 and all(_most(place, found, words) <= most for place in others)


def _most(place: Place, found: Exploration, words: LineWords) -> float:
    if place.info is None or place.info.kind in _HOLDERS:
        return 0.0
    lines = found.code.lines(place.path) or ()
    return words.most(place.path, lines[place.line_start - 1 : place.line_end])
