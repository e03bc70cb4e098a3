"""What a question asks for: its type, how much it takes to answer it, and what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from analysis.modes.question_kinds import one_name, used_name
from analysis.parsing.words import keywords

QueryType = Literal["locate", "explain", "flow", "debug"]
QUERY_TYPES: tuple[QueryType, ...] = get_args(QueryType)

Level = Literal["simple", "medium", "complex"]
COMPLEX_FROM = 60
SIMPLE_BELOW = 30

# A place is one thing to find; a way through the code is several, and a fault may be in any.
_BASE: dict[QueryType, int] = {"locate": 10, "explain": 26, "flow": 45, "debug": 40}
_PER_PART = 15
_MAX_PARTS_COUNTED = 4
_BREADTH = 20
_COMPARISON = 10
_PER_TOPIC, _MAX_TOPICS = 4, 3
_ONE_NAME = -20
_MAX_KEYWORDS = 12
# What is asked stands at the beginning; what follows is a log or code that was pasted.
_MAX_CHARS = 2_000

_LOCATE = re.compile(
    r"^(?:where\b|find\b|locate\b|list\b|"
    r"show me (?:where|the (?:file|code|place|function|class))\b|"
    r"(?:who|what|which \w+) (?:calls?|uses?|imports?|references?|invokes?|defines?|holds?|"
    r"contains?)\b|"
    r"(?:in )?(?:which|what) (?:file|module|class|function|method|package|folder|directory|place|"
    r"part|component|line)s?\b)|"
    r"\b(?:where (?:is|are|does|do|can i find)|which (?:file|module|class|function|method)s?)\b",
    re.IGNORECASE,
)
_FLOW = re.compile(
    r"^(?:trace|follow|walk (?:me )?through|step through)\b|"
    r"\bwhat happens\b|\bfrom\b.+?\b(?:(?:un)?till?|to|into|through)\b|\bstep[- ]by[- ]step\b|"
    r"\bend[- ]to[- ]end\b|\bwalk(?:s|ing)? (?:me )?through\b|\bcall (?:chain|graph|path|stack)\b|"
    r"\blife[- ]?cycle\b|\b(?:control|data|request|call|execution)[- ]flow\b|\bflows?\b|"
    r"\bpath (?:of|that)\b|\bin (?:which|what) order\b|\bsequence of\b|"
    r"\bhow do(?:es)?\b.+?\b(?:get|reach|arrive|end up|travel|make its way|propagate|become|"
    r"turn into|find its way)s?\b",
    re.IGNORECASE,
)
_FAULT = re.compile(
    r"\b(?:bugs?|broken|crash(?:es|ed|ing)?|fail(?:s|ed|ing|ures?)?|traceback|stack ?trace|"
    r"dead ?locks?|hangs?|hanging|leaks?|leaking|wrong|regression|debug|flaky|race condition|"
    r"segfault|slow|stuck|does ?n[o']t work|not working|stopped working|unexpected(?:ly)?|"
    r"twice|duplicated?|missing|lost|losing|incorrect(?:ly)?|cause[sd]? of)\b",
    re.IGNORECASE,
)
_WHY = re.compile(r"^why\b|\bhow come\b|\bwhat causes\b", re.IGNORECASE)
_ERROR = re.compile(r"\b[A-Z]\w*(?:Error|Exception)\b|\berrors?\b|\bexceptions?\b|\b[45]\d\d\b")
_SYMPTOM = re.compile(
    r"\b(?:do(?:es)?|is|are|was|were|did|has|have|can|could)(?:n't| not)\b|\bnot\b|\bnever\b|"
    r"\braises?\b|\bthrows?\b|\bgets?\b|\breturns?\b",
    re.IGNORECASE,
)
_BREADTH_WORDS = re.compile(
    r"\b(?:architecture|overview|overall|whole|entire|across|everywhere|every|all|system|design|"
    r"big picture|interact(?:s|ion)?|work together|fit together|relate[sd]?|end[- ]to[- ]end|"
    r"responsible|layers?|subsystems?|life[- ]?cycle)\b",
    re.IGNORECASE,
)
_COMPARING = re.compile(
    r"\b(?:compar\w+|differ\w*|versus|vs\.?|trade-?offs?|instead of|rather than)\b", re.IGNORECASE
)
# What begins a further part: a new question, or a clause that asks or tells on its own.
_PART = re.compile(
    r"\?\s+(?=\S)|;\s+|\n\s*(?:[-*]|\d+[.)])\s+|"
    r",?\s+(?:and|then|also|plus|as well as)\s+(?=(?:then\s+|also\s+)?"
    r"(?:how|what|where|why|when|which|who|whether|explain|describe|show|list|find|trace|compare|does|do|is|are|can)\b)|"
    r",\s+(?=(?:how|what|where|why|which|who)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QueryProfile:
    """A question as the choice of mode and the limits of a run see it."""

    complexity: int
    """0 to 100."""
    query_type: QueryType
    keywords: tuple[str, ...] = ()
    """Words and names that it is about, in its order."""
    n_parts: int = 1
    """Questions that it consists of."""

    @property
    def level(self) -> Level:
        """The complexity as a word: complex from 60, simple below 30."""
        if self.complexity >= COMPLEX_FROM:
            return "complex"
        return "simple" if self.complexity < SIMPLE_BELOW else "medium"

    def refined(
        self,
        complexity: int | None = None,
        query_type: str | None = None,
        words: Iterable[str] = (),
    ) -> QueryProfile:
        """Return the profile with what a model made of the question.

        The model has read code that the rules have not; the rules cannot be talked into anything.
        So the complexity is the mean of both, and a type that is none of the four changes nothing.
        """
        mean = self.complexity
        if complexity is not None:
            mean = (self.complexity + min(max(complexity, 0), 100) + 1) // 2
        known = next((kind for kind in QUERY_TYPES if kind == query_type), self.query_type)
        merged = dict.fromkeys([*self.keywords, *(word for word in words if word.strip())])
        return replace(
            self,
            complexity=mean,
            query_type=known,
            keywords=tuple(merged)[:_MAX_KEYWORDS],
        )


def profile(question: str, diagnostic: str | None = None) -> QueryProfile:
    """Return the profile of a question, by rules alone.

    Args:
        question: As it was asked.
        diagnostic: The problem that it is about, if it was asked at one.

    >>> profile("Where is the session store defined?").query_type
    'locate'
    """
    question = question[:_MAX_CHARS]
    text = " ".join(question.split())
    parts = [part for part in _PART.split(question) if part.strip(" ?.,\n")] or [text]
    kind = _type(text, " ".join(parts[0].split()), diagnostic)
    n_parts = len(parts)
    found = keywords(text)
    words = tuple(dict.fromkeys([*found.identifiers, *found.words]))[:_MAX_KEYWORDS]
    return QueryProfile(_complexity(text, kind, n_parts, len(words)), kind, words, n_parts)


def _type(text: str, first_part: str, diagnostic: str | None) -> QueryType:
    """Return what kind of answer is wanted; the surest signs first."""
    if diagnostic or _is_about_a_fault(text):
        return "debug"
    if used_name(text) is not None:
        return "locate"
    if _FLOW.search(text) and not text.casefold().startswith("where"):
        return "flow"
    return "locate" if _LOCATE.search(first_part) else "explain"


def _is_about_a_fault(text: str) -> bool:
    """Tell a fault that the asker has from one that the code handles."""
    is_why = _WHY.search(text) is not None
    if is_why and (_ERROR.search(text) or _SYMPTOM.search(text)):
        return True
    has_symptom = _SYMPTOM.search(text) is not None or text.casefold().startswith(("fix", "debug"))
    return _FAULT.search(text) is not None and (is_why or has_symptom) and not _asks_how(text)


def _asks_how(text: str) -> bool:
    return re.match(r"(?:how|where|what happens)\b", text, re.IGNORECASE) is not None


def _complexity(text: str, kind: QueryType, n_parts: int, n_topics: int) -> int:
    """Return how much it takes to answer, by what is asked and how much of it."""
    score = _BASE[kind]
    score += _PER_PART * (min(n_parts, _MAX_PARTS_COUNTED) - 1)
    score += _BREADTH * (_BREADTH_WORDS.search(text) is not None)
    score += _COMPARISON * (_COMPARING.search(text) is not None)
    score += _PER_TOPIC * min(max(n_topics - 1, 0), _MAX_TOPICS)
    score += _ONE_NAME * (one_name(text) is not None or used_name(text) is not None)
    return min(max(score, 0), 100)
