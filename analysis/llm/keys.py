"""Keys of model providers: taken from the environment, kept out of everything else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from analysis.llm.model_names import family_of

OWN_KEY = "SCOPE_API_KEY"
"""The editor hands over what its secret storage holds in this variable; it goes before others."""
# The library insists on a key even where a server of one's own wants none; it is not sent.
_PLACEHOLDER = "no-key"
# Providers whose key has another name than PROVIDER_API_KEY.
_KEYS = {
    "bedrock": "AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "vertex_ai": "GOOGLE_APPLICATION_CREDENTIALS",
    "together_ai": "TOGETHERAI_API_KEY",
    "fireworks_ai": "FIREWORKS_API_KEY",
    "huggingface": "HF_TOKEN",
    "github": "GITHUB_API_KEY",
    "nvidia_nim": "NVIDIA_NIM_API_KEY",
}
_KEY_NAMES = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_KEY_SHAPES = re.compile(r"\b(?:sk|pk|gsk|xai|hf|AIza)[-_A-Za-z0-9]{16,}")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
# Shorter values would tear words out of messages.
_MIN_LENGTH = 8


@dataclass(frozen=True, slots=True)
class KeyOptions:
    """What a call needs so that it has its key, or none."""

    key: str | None = None
    """The key to hand over; None if the library finds it in the environment by itself."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """What takes the place of the header that the library would make of it."""


def key_for(provider: str, environment: Mapping[str, str], *, own_server: bool) -> KeyOptions:
    """Return the key for a call.

    Args:
        provider: As in the model's name.
        environment: The process's.
        own_server: Whether the user named the address, so that there may be no key at all.
    """
    if environment.get(OWN_KEY):
        return KeyOptions(environment[OWN_KEY])
    if key := environment.get(f"{provider.upper()}_API_KEY"):
        return KeyOptions(key)
    if own_server and provider == "openai":
        return KeyOptions(_PLACEHOLDER, {"Authorization": ""})
    return KeyOptions()


def key_names(provider: str) -> str:
    """Return the variable, or variables, in which a provider's key is looked for.

    >>> key_names("vertex"), key_names("google")
    ('GOOGLE_APPLICATION_CREDENTIALS', 'GEMINI_API_KEY')
    """
    family = family_of(provider)
    return _KEYS.get(family) or f"{family.upper()}_API_KEY"


def without_keys(text: str, environment: Mapping[str, str]) -> str:
    """Return a text in which no key of the environment is left, nor what looks like one."""
    for name, value in environment.items():
        if len(value) >= _MIN_LENGTH and _KEY_NAMES.search(name):
            text = text.replace(value, "[key]")
    return _KEY_SHAPES.sub("[key]", text)


def filled_in(headers: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return headers with ``$NAME`` replaced by that variable, so that no key is in a setting."""
    return {
        name: _VARIABLE.sub(lambda match: environment.get(match[1] or match[2], ""), value)
        for name, value in headers.items()
    }
