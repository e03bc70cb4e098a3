"""What the name of a key says about its value: that it is a password, a token, or neither."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

Naming = Literal["password", "secret", "token", "authorization"]

# Literal parts of all names that are known here; a text is searched for them in lower case.
ROOTS = re.compile(
    r"pass|pwd|psk|secret|token|key|credential|auth|mnemonic|identified|bearer|basic |cookie|pw"
)
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PASSWORD = frozenset(
    """password passwords passwd passwrd passphrase passcode passwort pwd pass pw psk passin passout
    """.split()  # noqa: SIM905 (reads better than a list of quotes)
)
_PASSWORD_END = re.compile(r"(?:password|passwd|passphrase|pwd)$")
_PASS_OF = re.compile(
    r"(?:db|store|key|require|user|root|admin|smtp|mail|ftp|ssh|sql|mysql|pg|http|https|proxy|my|ldap|become|sudo|default|bind|auth|login|email|server|client)pass$"
)
_SECRET_END = re.compile(r"(?:secret|secrets)$")
_TOKEN_END = re.compile(r"token$")
_KEY_OF = frozenset(
    """api access auth private secret signing encryption account master shared service license
    licence client session app application hmac aes storage subscription webhook admin deploy ssh
    signature crypto cipher cookie jwt in logged nonce priv decryption user integration write read
    server backend project live rest ingest instrumentation functions host sas
    """.split()  # noqa: SIM905 (reads better than a list of quotes)
)
_KEY_END = re.compile(
    r"(?:api|access|secret|auth|private|priv|account|master|signing|encryption|crypt|license)key$"
)
# What may follow the word without making its value something about a secret.
_SAME = frozenset(
    """prod production dev development stage staging test live default value val string str text
    data base64 b64 base plain plaintext raw old new current main primary secondary local global eu
    us master admin root user db database app api web mail smtp mysql postgres postgresql redis sql
    ftp ssh key
    """.split()  # noqa: SIM905 (reads better than a list of quotes)
)
_PUBLIC = frozenset(
    {"public", "pub", "publishable", "primary", "foreign", "partition", "cache", "csrf"}
)


@lru_cache(8192)
def naming(key: str) -> tuple[Naming, bool] | None:
    """Return what a key's name says its value is, and whether the name says no more than that.

    >>> naming("DB_PASSWORD"), naming("passwordHint"), naming("tokenizer")
    (('password', True), ('password', False), None)
    """
    parts = [part.lower() for part in _PARTS.findall(key)]
    for at in range(len(parts) - 1, -1, -1):
        what = _naming_of(parts, at)
        if what is not None:
            if not _PUBLIC.isdisjoint(parts[:at]):
                return None
            return what, all(part in _SAME or part.isdigit() for part in parts[at + 1 :])
    return None


def _naming_of(parts: list[str], at: int) -> Naming | None:
    part = parts[at]
    if part in _PASSWORD or _PASSWORD_END.search(part) or _PASS_OF.fullmatch(part):
        return "password"
    if _SECRET_END.search(part) or part in ("mnemonic", "credential", "credentials"):
        return "secret"
    if _TOKEN_END.search(part) or _KEY_END.search(part) or part == "bearer":
        return "token"
    if part in ("authorization", "auth") and at == len(parts) - 1:
        return "authorization"
    if part in ("key", "salt") and at and parts[at - 1] in _KEY_OF:
        return "token"
    return None
