"""What secrets look like: detect-secrets' rules for providers' keys, and a few for newer ones.

Only rules for forms that nothing else has are taken. The detectors that go by entropy or by names
alone are left out: they strike out hashes and test data, which a reader of code needs.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module

# Detectors of detect-secrets by module and class, and what a text must hold to be worth a look.
_DETECTORS = (
    ("aws", "AWSKeyDetector", ("AKIA", "ASIA", "A3T", "ABIA", "ACCA", "aws", "AWS")),
    ("azure_storage_key", "AzureStorageKeyDetector", ("AccountKey=",)),
    ("discord", "DiscordBotTokenDetector", (".",)),
    ("github_token", "GitHubTokenDetector", ("gh",)),
    ("gitlab_token", "GitLabTokenDetector", ("gl", "GR1348941")),
    ("mailchimp", "MailchimpDetector", ("-us",)),
    ("npm", "NpmDetector", ("_authToken",)),
    ("openai", "OpenAIDetector", ("T3BlbkFJ",)),
    ("pypi_token", "PypiTokenDetector", ("pypi-",)),
    ("sendgrid", "SendGridDetector", ("SG.",)),
    ("slack", "SlackDetector", ("xox", "hooks.slack.com")),
    ("square_oauth", "SquareOAuthDetector", ("sq0csp-",)),
    ("stripe", "StripeDetector", ("k_live_",)),
    ("telegram_token", "TelegramBotTokenDetector", (":",)),
    ("twilio", "TwilioKeyDetector", ("AC", "SK")),
)
# Forms that detect-secrets 1.5 does not know yet, as their providers describe them.
_NEWER = {
    "Anthropic key": (("sk-ant-",), r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    "OpenAI key": (("sk-",), r"\bsk-(?:proj-|svcacct-|admin-|or-v1-|test-)?[A-Za-z0-9_-]{20,}"),
    "GitHub token": (
        ("github_pat_", "gh"),
        r"\bgithub_pat_[A-Za-z0-9_]{20,}|\bgh[opsur]_[A-Za-z0-9]{30,}",
    ),
    "Google key": (("AIza",), r"\bAIza[A-Za-z0-9_-]{35}"),
    "Google OAuth secret": (("GOCSPX-",), r"\bGOCSPX-[A-Za-z0-9_-]{20,}"),
    "Hugging Face token": (("hf_",), r"\bhf_[A-Za-z0-9]{30,}"),
    "Groq key": (("gsk_",), r"\bgsk_[A-Za-z0-9]{30,}"),
    "xAI key": (("xai-",), r"\bxai-[A-Za-z0-9]{40,}"),
    "npm token": (("npm_",), r"\bnpm_[A-Za-z0-9]{36}"),
    "DigitalOcean token": (("_v1_",), r"\bdo[opr]_v1_[a-f0-9]{64}"),
    "Shopify token": (("shp",), r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    "Stripe key": (("sk_", "rk_", "whsec_"), r"\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{24,}"),
    "Slack token": (
        ("xox", "xapp-"),
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{20,}",
    ),
    "JSON web token": (
        (".eyJ",),
        r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    ),
    "password in a URL": (
        ("://",),
        r"(?<=://)[^\s/:@'\"<>{}$%\[\]()]{0,60}:"
        r"(?!(?i:pass|password|passwd|secret|bar|pw|pwd|\*+|x+)@)[^\s/@'\"<>{}$\[\]()]{3,80}(?=@[\w\[])",
    ),
}
# A value behind one of these names is a secret if it is as random as one.
_NAMES = (
    *("secret", "passw", "passphrase", "token", "credential", "apikey", "accesskey"),
    *(f"{kind}{dash}key" for dash in "_-" for kind in ("api", "access", "auth", "private")),
    *(f"{kind}_key" for kind in ("encryption", "signing", "account")),
    *("connection_string", "connectionstring"),
)
_VALUE = re.compile(
    r"""(?x)[\w.-]{0,40}["']?\s{0,3}(?:=|:=|:|=>)\s{0,3}
    (?P<quote>["'`]?)(?P<value>[A-Za-z0-9+/=_.$!@%^&*\#~-]{16,})(?P=quote)(?=[\s,;)\]}]|$)
    """
)
_HAS_DIGIT_AND_LETTER = re.compile(r"(?=.*\d)(?=.*[A-Za-z])")
# Dotted names, words joined by - or _, and paths: what code puts behind such names.
_WORDS = re.compile(
    r"(?:[A-Za-z]+|\d{1,4}|[A-Za-z]+\d{1,2})(?:[._/-]+(?:[A-Za-z]+\d{0,2}|\d{1,4}))*"
)
_MIN_BITS = 3.4


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text, and what it is."""

    start: int
    end: int
    kind: str


def secrets_in(text: str) -> Iterator[Secret]:
    """Yield the secrets on single lines of a text; they may overlap."""
    for kind, hints, pattern in _rules():
        if any(hint in text for hint in hints):
            for match in pattern.finditer(text):
                yield Secret(*_span(match), kind)
    lowered = _lowered(text)
    for name in _NAMES:
        at = -1
        while (at := lowered.find(name, at + 1)) >= 0:
            found = _VALUE.match(text, at + len(name))
            if found is not None and _is_random(found["value"]):
                yield Secret(*found.span("value"), "secret value")


def _span(match: re.Match[str]) -> tuple[int, int]:
    """Return where the secret itself is: the last group, where a rule has groups."""
    return match.span(match.lastindex) if match.lastindex else match.span()


def _is_random(value: str) -> bool:
    """Return whether a value is no word, name or path."""
    if not _HAS_DIGIT_AND_LETTER.match(value) or _WORDS.fullmatch(value):
        return False
    counts = Counter(value)
    bits = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return bits >= _MIN_BITS


def _lowered(text: str) -> str:
    """Return the text in lower case with every character in its place."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(char.lower() if char.isascii() else char for char in text)


@functools.cache
def _rules() -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    """Return all rules: what they find, of which one must be in the text, and how."""
    newer = ((kind, hints, re.compile(rule)) for kind, (hints, rule) in _NEWER.items())
    return (*newer, *_detectors())


def _detectors() -> Iterable[tuple[str, tuple[str, ...], re.Pattern[str]]]:
    for module, name, hints in _DETECTORS:
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
        for pattern in detector.denylist:
            yield str(detector.secret_type), hints, pattern
