"""Stems: the form under which the words of code and of questions meet.

Snowball's English stemmer does most of it; on top come irregular verbs (``sent`` meets ``send``),
agent nouns (``parser`` meets ``parse``) and the few Latin alternations that code is full of
(``resolution`` meets ``resolve``).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Protocol

# A stem this short says too little to lose its ending: "user", "number" and "order" stay apart
# from "us", "numb" and "ord".
_MIN_AGENT_LENGTH = 6
# Words whose -er or -or does not name somebody who does something.
_NOT_AGENTS_TEXT = """
answer author behavior buffer center charact cluster color corner cover error factor filter
folder footer header integer layer letter master matter member meter monitor number order other
paper paramet parameter pointer power proper rather regist rememb server tuner vector water
whether winter
"""
_NOT_AGENTS = frozenset(_NOT_AGENTS_TEXT.split())
# Endings of stems that belong together: noun from a Latin participle -> verb.
_ALTERNATIONS = (
    ("olut", "olv"),  # resolution, resolve
    ("cript", "crib"),  # description, describe; subscription, subscribe
    ("convers", "convert"),
    ("invers", "invert"),
    ("extens", "extend"),
    ("expans", "expand"),
    ("suspens", "suspend"),
    ("permiss", "permit"),
    ("transmiss", "transmit"),
    ("submiss", "submit"),
    ("istr", "ist"),  # registration, register; administration, administer
    ("respons", "respond"),
)
_ENDINGS = tuple(ending for ending, _ in _ALTERNATIONS)
# Participles keep their own meaning where the noun is a thing of its own in code.
_KEPT = frozenset({"script", "respons"})
# Participles and past forms of verbs that programs are made of; the regular ones need no help.
_IRREGULAR_TEXT = """
begun begin;bound bind;broken break;built build;caught catch;chosen choose;drawn draw;driven drive;
fed feed;frozen freeze;given give;held hold;hidden hide;kept keep;known know;
laid lay;lost lose;ran run;rewritten rewrite;sent send;shown show;spent spend;spun spin;
taken take;thrown throw;unbound unbind;written write;wrote write;overridden override;
woken wake;withdrawn withdraw;undone undo;rebuilt rebuild;sought seek;dealt deal
"""
_IRREGULAR = dict(pair.split() for pair in _IRREGULAR_TEXT.replace("\n", "").split(";"))


_REMEMBERED = 100_000


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


@cache
def _stemmer() -> _Stemmer:
    """Return the Snowball stemmer, imported at first use."""
    from Stemmer import Stemmer  # type: ignore[import-not-found]  # the library has no stubs

    stemmer: _Stemmer = Stemmer("english")
    return stemmer


# A long life sees the words of many code bases and questions; one code base rarely has more.
@lru_cache(maxsize=_REMEMBERED)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; words with other than ASCII letters stay as they are.

    >>> stem("parsers") == stem("parse"), stem("authenticate") == stem("authentication")
    (True, True)
    >>> stem("sent"), stem("written")
    ('send', 'write')
    >>> stem("version2")
    'version2'
    """
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    stemmed = _stemmer().stemWord(_IRREGULAR.get(word, word))
    if stemmed in _KEPT:
        return stemmed
    if stemmed.endswith(_ENDINGS):
        for ending, replacement in _ALTERNATIONS:
            if stemmed.endswith(ending):
                return stemmed[: -len(ending)] + replacement
    return _undoubled(_without_agent_ending(stemmed))


def _without_agent_ending(stemmed: str) -> str:
    """Return the verb's stem of an agent noun: ``parser`` -> ``pars``."""
    if len(stemmed) < _MIN_AGENT_LENGTH or stemmed in _NOT_AGENTS:
        return stemmed
    if not stemmed.endswith(("er", "tor", "sor")):
        return stemmed
    return _stemmer().stemWord(stemmed[:-2] + "e")


def _undoubled(stemmed: str) -> str:
    """Return a stem without a doubled last consonant: ``formatt`` -> ``format``."""
    if len(stemmed) >= 4 and stemmed[-1] == stemmed[-2] and stemmed[-1] in "bdgmnprt":
        return stemmed[:-1]
    return stemmed
