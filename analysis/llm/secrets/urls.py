"""Passwords in addresses: `scheme://user:password@host`, and the forms that databases use."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.llm.secrets.found import Secret
from analysis.llm.secrets.values import is_given, is_random

_USERINFO = re.compile(
    r"(?<=://)(?P<user>[^\s/:@'\"<>{}$\[\]()`,]{0,80}):(?P<value>[^\s/'\"<>{}\[\]()`\\]{3,200})@(?=[\w\[/{$%<])"
)
_ALONE = re.compile(r"(?<=://)(?P<value>[\w-]{20,200})@(?=[\w.-]+)")
_SIGNED = re.compile(
    r"(?i)[?&;](?:sig|signature|x-amz-(?:signature|security-token)|x-goog-signature)=(?P<value>[\w%+/=.-]{16,2000})"
)
_ORACLE = re.compile(r"(?i)jdbc:oracle:\w+:[\w-]{1,60}/(?P<value>[^\s@/\"']{3,100})@")


def urls_in(text: str) -> Iterator[Secret]:
    """Yield the passwords of addresses."""
    if "://" in text:
        for match in _USERINFO.finditer(text):
            if is_given(match["value"]):
                yield Secret(*match.span("value"), "password in a URL")
        for match in _ALONE.finditer(text):
            if is_random(match["value"]) and "ingest" not in text[match.end() : match.end() + 40]:
                yield Secret(*match.span("value"), "password in a URL")
        for match in _SIGNED.finditer(text):
            if is_random(match["value"].replace("%", "")):
                yield Secret(*match.span("value"), "signature in a URL")
    if "jdbc:oracle" in text:
        for match in _ORACLE.finditer(text):
            if is_given(match["value"]):
                yield Secret(*match.span("value"), "password in a URL")
