"""What kind of answer a question asks for, and which of its words only ask."""

from __future__ import annotations

import re
from typing import Literal, get_args

QuestionKind = Literal["how", "flow", "where", "depends", "extend", "topic"]
"""``topic`` is no question at all: a name, some words, a heading."""
QUESTION_KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)

_SOMEBODY = r"(?:i|we|you|one|somebody|someone)"
_KINDS: tuple[tuple[QuestionKind, str], ...] = (
    (
        "depends",
        r"^(?:what|who|which \w+)\s+(?:else\s+)?(?:would\s+|will\s+|could\s+)?"
        r"(?:depends?\b|relies\b|rely\b|uses?\b|calls?\b|invokes?\b|imports?\b|needs?\b|breaks?\b|"
        r"(?:be|is|are)\s+affected\b)|^where (?:is|are) \S+ (?:used|called|referenced|imported)\b|"
        r"^(?:(?:trace|track|follow|find|list|show|give)\s+)?(?:me\s+)?(?:(?:all|every|each|any)\s+)?"
        r"(?:of\s+)?(?:the\s+)?(?:uses?|usages?|users|callers?|calls|references?|dependents)\s+"
        r"(?:of|to)\b",
    ),
    (
        "extend",
        rf"^(?:how|where)\s+(?:do|can|could|would|should|may|must)\s+{_SOMEBODY}\b|"
        rf"^what (?:do|must|should) {_SOMEBODY}\b|\b(?:of my own|my own)\b",
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
_OPENING = re.compile(r"^(?:(?:and|but|so|then|now|also|please)\b[\s,]*)+", re.IGNORECASE)
# Verbs with which a question asks ("where is it decided", "how do I add"); behind its beginning
# they may be what it is about.
_ASKING = """
add added adds affect affected break breaks build call called caller callers calls change changed
changes check checked create decide decided decides define depend depends determine determined
enforced extend figure find found happen happens have implement known made make notice noticed
notices plug provide put references relies rely set supply take trace usage usages use used users
uses worked write written
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
    plain = _OPENING.sub("", " ".join(text.split()))
    return next((kind for kind, pattern in _PATTERNS if pattern.search(plain)), "topic")


def asking_words(text: str) -> frozenset[str]:
    """Return the words at the beginning of a question that ask and are not what it is about.

    >>> sorted(asking_words("Where is it decided which rule wins?")), asking_words("add to cart")
    (['decided'], frozenset())
    """
    if question_kind(text) == "topic":
        return frozenset()
    words = re.findall(r"[a-z]+", _OPENING.sub("", text).lower())
    return frozenset(words[:_BEGINNING]) & _ASKING_WORDS
