"""Credentials that calls are given by position: to connect, to sign, to encrypt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.llm.secrets.found import Secret
from analysis.llm.secrets.values import is_made_up, is_random

_LITERAL = re.compile(r"[bru@]{0,2}(?P<quote>[\"'`])(?P<value>[^\"'`\n]{1,400})(?P=quote)")
_ARGUMENTS = r"\((?P<arguments>[^\n;]{1,600})"
# By a word that a text must hold: the call, and how many literals stand in front of the password.
_LOGINS = (
    ("onnection(", re.compile(r"\b(?:get|create|open|new)_?[Cc]onnection" + _ARGUMENTS)),
    ("_connect(", re.compile(r"\b\w{2,12}_connect" + _ARGUMENTS)),
)
# Calls of which one argument is a key, and no other is random.
_SIGNERS = (
    (
        "mac",
        re.compile(
            r"\b(?:hmac\.new|createHmac|hash_hmac|HMAC(?:\.new)?|Hmac\w{0,12})" + _ARGUMENTS
        ),
    ),
    ("jwt", re.compile(r"\b(?:jwt|JWT)\.(?:sign|verify|encode|decode)" + _ARGUMENTS)),
    ("Fernet(", re.compile(r"\bFernet" + _ARGUMENTS)),
    ("Wallet(", re.compile(r"\bWallet" + _ARGUMENTS)),
    ("cookieParser(", re.compile(r"\bcookieParser" + _ARGUMENTS)),
    ("KeySpec(", re.compile(r"\bSecretKeySpec" + _ARGUMENTS)),
)
_SHORTEST_KEY = 12


def calls_in(text: str) -> Iterator[Secret]:
    """Yield the credentials that calls are given by position."""
    for word, pattern in _LOGINS:
        for call in pattern.finditer(text) if word in text else ():
            literals = list(_LITERAL.finditer(text, *call.span("arguments")))
            # A host or an address, a user, and then the password.
            for literal in literals[1:3]:
                if is_made_up(literal["value"]) and not literal["value"].startswith("jdbc:"):
                    yield Secret(*literal.span("value"), "secret value")
    for word, pattern in _SIGNERS:
        for call in pattern.finditer(text) if word in text else ():
            for literal in _LITERAL.finditer(text, *call.span("arguments")):
                if is_random(literal["value"], _SHORTEST_KEY):
                    yield Secret(*literal.span("value"), "secret value")
