"""JSON and TOML that somebody else wrote: data, or one kind of error, whatever is wrong with it."""

from __future__ import annotations

import json
import re
from typing import Any

_DEEPEST = 64
_KEY = r"""(?:(?<![\w-])[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
# The time that the library takes for a key grows with the square of its parts.
_LONG_KEY = re.compile(rf"(?:{_KEY}[ \t]*+\.[ \t]*+){{{_DEEPEST}}}")
_TOO_DEEP = "it is nested too deeply"


def json_data(text: str | bytes) -> Any:
    """Return what a JSON text holds.

    Raises:
        ValueError: It is no JSON, or nested so deeply that nobody meant it.
    """
    try:
        return _shallow(json.loads(text))
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def toml_data(text: str) -> dict[str, Any]:
    """Return what a TOML text holds.

    Raises:
        ValueError: It is no TOML, or nested so deeply that nobody meant it.
    """
    import tomllib

    if _LONG_KEY.search(text):
        raise ValueError(_TOO_DEEP)
    try:
        found: dict[str, Any] = _shallow(tomllib.loads(text))
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    return found


def _shallow(data: Any) -> Any:
    """Return data that whoever walks through it comes back from."""
    level: list[Any] = [data]
    for _ in range(_DEEPEST):
        level = [
            value
            for item in level
            if isinstance(item, dict | list)
            for value in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return data
    raise ValueError(_TOO_DEEP)
