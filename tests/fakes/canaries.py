"""Keys of ten kinds, made up, to be planted in code that is then asked about.

They are put together at run time, so that no scanner of this repository takes them for real.
"""

from __future__ import annotations

import base64
import random

_LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_chance = random.Random(20)


def _chars(n: int, alphabet: str = _LETTERS) -> str:
    return "".join(_chance.choice(alphabet) for _ in range(n))


def _segment(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


_HEADER = b'{"alg":"HS256","typ":"JWT"}'
_CLAIMS = b'{"sub":"1234567890"}'
CANARIES = {
    "aws": "AKIA" + _chars(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    "openai": "sk-" + "proj-" + _chars(40),
    "anthropic": "sk-" + "ant-api03-" + _chars(60),
    "github": "gh" + "p_" + _chars(36),
    "gitlab": "gl" + "pat-" + _chars(20),
    "slack": "xox" + "b-" + _chars(11, "0123456789") + "-" + _chars(24),
    "stripe": "sk" + "_live_" + _chars(24),
    "google": "AI" + "za" + _chars(35),
    "sendgrid": "SG" + "." + _chars(22) + "." + _chars(43),
    "jwt": ".".join([_segment(_HEADER), _segment(_CLAIMS), _chars(43)]),
}
"""By kind; the test's own list, independent of the rules that find them."""

PRIVATE_KEY = "\n".join(
    [
        "-----BEGIN " + "RSA PRIVATE KEY-----",
        *(_chars(64) for _ in range(12)),
        _chars(40) + "==",
        "-----END " + "RSA PRIVATE KEY-----",
    ]
)
