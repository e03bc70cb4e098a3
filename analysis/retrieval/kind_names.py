"""Names that a question writes as prose, beside the word for what kind of thing they name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.parsing.words import STOP_WORDS

_TYPES = (
    "class|classes|exception|exceptions|error|errors|interface|interfaces|struct|structs|enum|"
    "enums|protocol|trait|mixin|dataclass"
)
_FUNCTIONS = "function|functions|method|methods|decorator|decorators|hook|hooks|macro"
# What stands before such a word and says which of several is meant, not how it is called.
_NO_NAMES = frozenset(
    """abstract all another any base child common concrete current custom different each every few
    first generic helper inner internal last main many member more new next old only other outer
    own parent private public python same several single some special specific static sub such
    super test these third this those two type what which whose""".split()  # noqa: SIM905
)
# "The error handler" and "the class name" are about something else.
_NOT_OF = (
    r"(?! (?:bod|bound|code|format|handl|level|log|messag|name|page|path|report|respons|view))"
)
_BEFORE_KIND = re.compile(
    rf"((?:\b[A-Za-z]\w* ){{1,3}})({_TYPES}|{_FUNCTIONS})\b{_NOT_OF}", re.IGNORECASE
)
_BEHIND_KIND = re.compile(rf"\b(?:{_TYPES}) ([A-Z]\w+)")
_MOST_WORDS = 3


def names_beside_kinds(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the names that words beside "class", "exception", "function" ... may stand for.

    With each comes whether all of the words before the kind are in it.

    >>> [name for name, _ in names_beside_kinds("Where is the read timeout exception raised?")][:3]
    ['ReadTimeout', 'ReadTimeoutException', 'ReadTimeoutError']
    """
    for match in _BEFORE_KIND.finditer(text):
        words: list[str] = []
        for word in reversed(match[1].split()):
            if word.lower() in STOP_WORDS or word.lower() in _NO_NAMES:
                break
            words.insert(0, word)
        kind = match[2].lower()
        for first in range(len(words)):
            for name in _spellings(words[first:][:_MOST_WORDS], kind):
                yield name, first == 0
    for match in _BEHIND_KIND.finditer(text):
        yield match[1], True


def _spellings(words: list[str], kind: str) -> Iterator[str]:
    camel = "".join(word[:1].upper() + word[1:] for word in words)
    if not re.fullmatch(_TYPES, kind):
        yield "_".join(word.lower() for word in words)
        yield camel[:1].lower() + camel[1:]
        return
    yield camel
    if kind.startswith(("exception", "error")):
        yield f"{camel}Exception"
        yield f"{camel}Error"
