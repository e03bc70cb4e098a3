"""What kind of answer a question asks for, and which of its words only ask."""

from __future__ import annotations

import re
from typing import Literal, get_args

QuestionKind = Literal["how", "flow", "where", "depends", "extend", "topic"]
"""``topic`` is no question at all: a name, some words, a heading."""
QUESTION_KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)

_SOMEBODY = r"(?:i|we|you|one|somebody|someone)"
# What happens to code that something else is changed in.
_AFFECTED = r"(?:affected|touched|broken|hit|concerned|influenced)"
_CHANGING = (
    r"(?:chang|remov|renam|delet|alter|modify|modifi|touch|break|broke|replac|rewrite|rewrote)"
)
_KINDS: tuple[tuple[QuestionKind, str], ...] = (
    (
        "depends",
        r"^(?:what|who|which \w+)\s+(?:else\s+)?(?:all\s+)?(?:would\s+|will\s+|could\s+)?"
        r"(?:depends?\b|relies\b|rely\b|uses?\b|calls?\b|invokes?\b|imports?\b|needs?\b|breaks?\b|"
        r"(?:goes?|pass(?:es)?|runs?)\s+through\b|pays?\s+attention\s+to\b|listens?\s+to\b|"
        r"(?:obeys?|heeds?|respects?|honou?rs?|consults?)\b|cares?\s+about\b|"
        rf"(?:be|is|are|gets?)\s+(?:{_AFFECTED}\b|(?:built|based)\s+(?:up)?on\b))|"
        r"^(?:what|who|which)\b.+\b(?:that|they|who)\s+(?:all\s+)?go(?:es)?\s+through\b|"
        rf"^(?:what(?!\s+happens)|who|which)\b.+\bif\s+{_SOMEBODY}\s+{_CHANGING}|"
        r"^what\s+(?:would|will|does|could)\s+(?:a|the|any)\s+change\s+(?:of|to|in)\b|"
        r"^where (?:is|are) \S+ (?:used|called|referenced|imported)\b|"
        r"^(?:(?:trace|track|follow|find|list|show|give)\s+)?(?:me\s+)?(?:(?:all|every|each|any)\s+)?"
        r"(?:of\s+)?(?:the\s+)?(?:uses?|usages?|users|callers?|calls|references?|dependents)\s+"
        r"(?:of|to)\b",
    ),
    (
        "extend",
        rf"^(?:how|where)\s+(?:do|can|could|would|should|may|must)\s+{_SOMEBODY}\b|"
        rf"^what (?:do|must|should) {_SOMEBODY}\b|\b(?:of my own|my own)\b|"
        rf"^{_SOMEBODY}(?:'d|\s+would)?\s+(?:want|need|like|wish)\b"
        r"(?!\s+to\s+(?:know|understand|see|learn|find)\b)",
    ),
    (
        "where",
        r"^(?:where|in (?:which|what)|"
        r"which (?:file|function|method|class|module|place|line|part))\b",
    ),
    (
        "flow",
        r"^(?:what happens|trace|follow|walk (?:me )?through|step through)\b|"
        r"\bbetween\b.+\band\b|\bfrom\b.+\b(?:until|to)\b.+\?$",
    ),
    ("how", r"^(?:how|why|what|who|when|which|does|do|is|are|can|explain|describe)\b|\?\s*$"),
)
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _KINDS)
# What a question begins with may be what is wanted, and the question itself only its end.
_PARTS = re.compile(
    r"(?<=[.!?;:])\s+|\s+[-\u2013\u2014]+\s+|,\s+(?=(?:how|where)\b)", re.IGNORECASE
)
_OF_ANY_PART = ("depends", "extend")
_OPENING = re.compile(r"^(?:(?:and|but|so|then|now|also|please)\b[\s,]*)+", re.IGNORECASE)
# Verbs with which a question asks ("where is it decided", "how do I add"); behind its beginning
# they may be what it is about.
_ASKING = """
add added adds affect affected attention break breaks build call called caller callers calls
change changed changes check checked create decide decided decides define depend depends determine
determined enforced extend figure find found go goes handle handled handles happen happens have
implement known made make manage managed manages need needs notice noticed notices pay pays plug
provide put references relies rely set supply take touched trace usage usages use used users uses
want worked write written
"""
_ASKING_WORDS = frozenset(_ASKING.split())
# So many words belong to the beginning: "where is it made sure that", "how does one find out".
_BEGINNING = 5


def question_kind(text: str) -> QuestionKind:
    """Return what kind of answer a text asks for.

    >>> question_kind("Trace all uses of the lock"), question_kind("Trace how a lock is taken")
    ('depends', 'flow')

    >>> question_kind("Where is it decided which rule wins?"), question_kind("session store")
    ('where', 'topic')
    """
    parts = _parts(text)
    for kind, pattern in _PATTERNS:
        if any(map(pattern.search, parts if kind in _OF_ANY_PART else parts[:1])):
            return kind
    return "topic"


def _parts(text: str) -> list[str]:
    """Return the sentences of a question, without what only opens them."""
    return [_OPENING.sub("", part) for part in _PARTS.split(" ".join(text.split()))]


def asking_words(text: str) -> frozenset[str]:
    """Return the words at the beginnings of a question that ask and are not what it is about.

    >>> sorted(asking_words("Where is it decided which rule wins?")), asking_words("add to cart")
    (['decided'], frozenset())
    """
    if question_kind(text) == "topic":
        return frozenset()
    words = [re.findall(r"[a-z]+", part.lower())[:_BEGINNING] for part in _parts(text)]
    return frozenset(word for beginning in words for word in beginning) & _ASKING_WORDS
