"""Tokens that show by their own form what they are: a provider's prefix, or its length and parts.

The rules look at the long runs of a text alone: that costs the same however many there are.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from importlib import import_module

from analysis.llm.secrets.found import Secret
from analysis.llm.secrets.long_runs import LongRuns
from analysis.llm.secrets.providers import DETECTORS, PREFIXED
from analysis.llm.secrets.values import bits_per_char, is_placeholder

# A form that many providers chose: their name, a dash, and a tail that is too long for an id.
_OTHERS = re.compile(
    r"(?<![\w/+.-])(?P<name>[a-z][a-z0-9]{1,14}(?:_[a-z]{2,8}){0,2})[_-]"
    r"(?P<tail>[A-Za-z0-9]{32,})(?![\w/+-])"
)
_PUBLIC = frozenset(
    ("pk", "pub", "public", "sha", "sha1", "sha256", "sha384", "sha512", "md5", "data")
)
_MIN_BITS_OF_OTHERS = 4.2
_PAIR = re.compile(r"\bAC[a-f0-9]{32}[\"']?\s{0,3}[,:]\s{0,3}[\"']?([a-f0-9]{32})\b")


def tokens_in(text: str, runs: LongRuns) -> Iterator[Secret]:
    """Yield tokens that are known by their form; they may overlap."""
    if not runs.spans:
        return
    for kind, hints, pattern, group in _rules():
        if any(hint in runs.joined for hint in hints):
            for match, offset in runs.matches(pattern):
                start, end = match.span(match.lastindex or 0) if group else match.span()
                if not is_placeholder(match.string[start:end]):
                    yield Secret(start + offset, end + offset, kind)
    for match, offset in runs.matches(_OTHERS):
        if match["name"].split("_")[0] not in _PUBLIC and _is_token(match["tail"]):
            yield Secret(match.start() + offset, match.end() + offset, "token")
    if "AC" in runs.joined:
        for match in _PAIR.finditer(text):
            yield Secret(*match.span(1), "Twilio token")


def _is_token(tail: str) -> bool:
    """Return whether a tail has digits and letters of both cases, all mixed."""
    kinds = (str.isdigit, str.isupper, str.islower)
    has_all = all(any(map(is_kind, tail)) for is_kind in kinds)
    return has_all and bits_per_char(tail) >= _MIN_BITS_OF_OTHERS and not is_placeholder(tail)


@functools.cache
def _rules() -> tuple[tuple[str, tuple[str, ...], re.Pattern[str], bool], ...]:
    """Return the rules: what they find, of which one must be there, how, and if a group is it."""
    own = ((kind, hints, re.compile(rule)) for kind, (hints, rule) in PREFIXED.items())
    return (*((*rule, bool(rule[2].groups)) for rule in own), *_detectors())


def _detectors() -> Iterator[tuple[str, tuple[str, ...], re.Pattern[str], bool]]:
    for module, name, hints in DETECTORS:
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
        for pattern in detector.denylist:
            yield str(detector.secret_type), hints, pattern, False
