"""Credentials in headers of requests, wherever they stand: raw, in code, in a shell's command."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

from analysis.llm.secrets.judge import Key
from analysis.llm.secrets.values import is_given, is_made_up, is_placeholder, is_random

_SCHEMED = re.compile(
    r"""(?xi)\\?["'`]?[\])]{0,2}\s{0,3}
    (?: (?:[:=,]|=>)?\s{0,3} | ,\s{0,40}\\?["']?value\\?["']?\s?[:=]\s?) [bfr]?\\?["'`]?
    (?P<scheme>bearer|basic|token|api-?key|key|oauth|splunk|ssws|geniekey|jwt|negotiate|aws)
    \s+(?:token=)?(?P<value>[^\s"'`<>\\,;]{4,2000})"""
)
_BEHIND = re.compile(r"\s+(?P<value>[\w.~+/=-]{8,2000})")
_COOKIE = re.compile(r"(?:[\"'`]?\s?[:,=]\s?[\"'`]?)(?P<pairs>[^\n\"'`]{8,1000})")
_PAIR = re.compile(r"(?P<name>[\w.-]{1,60})=(?P<value>[^;\s\"',]{8,2000})")
_SESSION = re.compile(r"(?i)sess|sid|token|auth|jwt|login|remember|id$")
_IDENTIFIED = re.compile(
    r"(?i)\s+by\s+(?:password\s+)?(?P<quote>['\"])(?P<value>[^'\"\n]{3,200})(?P=quote)"
)


def header_values(key: Key) -> Iterator[tuple[int, int]]:
    """Yield the credential behind `Authorization` and a scheme, or behind `Bearer`."""
    if key.what == "authorization":
        found = _SCHEMED.match(key.text, key.end)
        if found and _is_credential(found["scheme"].lower(), found["value"]):
            yield found.span("value")
    elif key.name.lower() == "bearer":
        found = _BEHIND.match(key.text, key.end)
        if found and is_random(found["value"]):
            yield found.span("value")


def other_values(text: str, hit: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield what stands behind words that name no value of their own: cookies, `IDENTIFIED BY`."""
    if hit[0] == "basic ":
        found = _BEHIND.match(text, hit.end() - 1)
        if found and _is_basic(found["value"]):
            yield found.span("value")
    elif hit[0] == "identified":
        found = _IDENTIFIED.match(text, hit.end())
        if found and is_given(found["value"]):
            yield found.span("value")
    elif hit[0] == "cookie":
        pairs = _COOKIE.match(text, hit.end())
        for pair in _PAIR.finditer(text, *pairs.span("pairs")) if pairs else ():
            if is_random(pair["value"], 12 if _SESSION.search(pair["name"]) else 24):
                yield pair.span("value")


def _is_credential(scheme: str, value: str) -> bool:
    if scheme == "basic":
        return _is_basic(value)
    return is_random(value, 12) or is_made_up(value)


def _is_basic(value: str) -> bool:
    """Return whether a value is `user:password` in base64, and no example of one."""
    try:
        data = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except ValueError:  # It is no base64, has letters beyond ASCII, or holds no text.
        return is_random(value)
    user, colon, password = data.partition(":")
    if not colon or not data.isprintable():
        return False
    # The pair of RFC 7617, which everybody copies.
    return not is_placeholder(password) and (user, password) != ("Aladdin", "open sesame")
