"""Keys of model providers: taken from the environment, kept out of everything else."""

from __future__ import annotations

import re
from collections.abc import Mapping

OWN_KEY = "SCOPE_API_KEY"
"""The editor hands over what its secret storage holds in this variable; it goes before others."""
# The libraries insist on a key even where a server of one's own wants none.
PLACEHOLDER = "none"
_KEY_NAMES = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_KEY_SHAPES = re.compile(r"\b(?:sk|pk|gsk|xai|hf|AIza)[-_A-Za-z0-9]{16,}")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
# Shorter values would tear words out of messages.
_MIN_LENGTH = 8


def key_for(provider: str, environment: Mapping[str, str], *, own_server: bool) -> str | None:
    """Return the key to hand over; None if the library finds it in the environment by itself.

    Args:
        provider: As in the model's name.
        environment: The process's.
        own_server: Whether the user named the address, so that there may be no key at all.
    """
    if environment.get(OWN_KEY):
        return environment[OWN_KEY]
    if environment.get(f"{provider.upper()}_API_KEY"):
        return None
    return PLACEHOLDER if own_server else None


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
