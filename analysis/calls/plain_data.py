"""JSON data that nobody can change, and copies of it that belong to whoever gets them.

A context and the parameters of a call hold nothing else. So nothing that is passed on can carry an
object by which more would be reachable, and no two callees share anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any


def frozen(data: Any, where: str = "the data") -> Any:
    """Return a copy of JSON data whose objects and lists cannot be changed.

    Raises:
        TypeError: It holds something that JSON does not, or keys that are no strings.
    """
    if data is None or type(data) in (bool, int, float, str):
        return data
    if isinstance(data, str):
        return str(data)  # A subclass may carry more than its text.
    if isinstance(data, Mapping):
        return MappingProxyType(
            {_key(key, where): frozen(value, f"{where}.{key}") for key, value in data.items()}
        )
    if isinstance(data, list | tuple):
        return tuple(frozen(item, f"{where}[{place}]") for place, item in enumerate(data))
    raise TypeError(f"{where} is no JSON data but of type {type(data).__name__!r}")


def thawed(data: Any) -> Any:
    """Return a copy of frozen data as plain dictionaries and lists, the receiver's own."""
    if isinstance(data, Mapping):
        return {key: thawed(value) for key, value in data.items()}
    if isinstance(data, tuple):
        return [thawed(item) for item in data]
    return data


def _key(key: Any, where: str) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{where} has the key {key!r}, which is no string")
    return str(key)
