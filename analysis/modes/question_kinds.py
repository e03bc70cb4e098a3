"""What kind of answer a question wants, where its wording leaves no doubt."""

from __future__ import annotations

import re

from analysis.retrieval.question import names_the_whole

_NAME = r"[`'\"]?(?P<name>[^\W\d][\w$]*(?:(?:\.|::|#)[^\W\d][\w$]*)*)(?:\(\))?[`'\"]?"
_KIND = r"(?:(?:the|this)\s+)?(?:(?:function|method|class|type|symbol|constant|variable)\s+)?"
_USES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:who|what|which\s+\w+)\s+(?:uses?|calls?|imports?|references?|invokes?)\s+{_KIND}{_NAME}\s*\??$",
        rf"^where\s+(?:is|are|do\s+we\s+use)\s+{_KIND}{_NAME}\s+(?:being\s+)?"
        r"(?:used|called|referenced|imported|invoked)\s*\??$",
        rf"^(?:find|list|show)?\s*(?:me\s+)?(?:all\s+)?(?:the\s+)?(?:usages?|uses|callers|references)\s+"
        rf"(?:of|to)\s+{_KIND}{_NAME}\s*\??$",
    )
)


_OPENING = re.compile(r"^(?:(?:and|but|so|then|now|also)\b[\s,]*)+", re.IGNORECASE)
_POINTERS = frozenset({"it", "this", "that", "them", "these", "those"})


_ONE_NAME = re.compile(
    rf"^(?:(?:what|where|who)(?:\s+is|\s+are|'s|\s+does)|explain|describe|show(?:\s+me)?)?\s*"
    rf"{_KIND}{_NAME}(?:\s+(?:do|mean|work|defined))?\s*[?.]*$",
    re.IGNORECASE,
)


def one_name(question: str) -> str | None:
    """Return the name that is all that a question is about; None if it says more.

    >>> one_name("What is `OrderBook`?"), one_name("place_order"), one_name("How are orders placed")
    ('OrderBook', 'place_order', None)
    >>> one_name("What does this project do?"), one_name("What does project do?")
    (None, 'project')
    """
    return _all_that_is_asked(_ONE_NAME, question)


_WORKINGS = re.compile(rf"^how\s+(?:does|do)\s+{_KIND}{_NAME}\s+works?\s*[?.]*$", re.IGNORECASE)


def worked_name(question: str) -> str | None:
    """Return the word whose workings are all that is asked: a name, or just a topic.

    >>> worked_name("How does `echo()` work?"), worked_name("How does the cache work with Redis?")
    ('echo', None)
    """
    return _all_that_is_asked(_WORKINGS, question)


def _all_that_is_asked(pattern: re.Pattern[str], question: str) -> str | None:
    """Return the name in a question that says no more; "this project" is none."""
    match = None if names_the_whole(question) else pattern.match(" ".join(question.split()))
    return re.sub(r"::|#", ".", match["name"]) if match is not None else None


def used_name(question: str) -> str | None:
    """Return the name whose uses are asked for, as in "Who calls X?"; None for other questions.

    >>> used_name("Where is `Session.send` used?"), used_name("How does login work?")
    ('Session.send', None)
    >>> used_name("And who calls it?")
    'it'
    """
    text = _OPENING.sub("", " ".join(question.split()))
    for pattern in _USES:
        match = pattern.match(text)
        if match is not None:
            return re.sub(r"::|#", ".", match["name"])
    return None


def points_back(name: str) -> bool:
    """Return whether a word stands for something that was named before, as "it" does."""
    return name.casefold() in _POINTERS
