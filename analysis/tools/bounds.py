"""Mends arguments whose meaning is clear: a number just out of range, a null for nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def within_bounds(value: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with numbers at the nearest end of their range, and without idle nulls.

    A line 0 or -1 stands for the first, and a null for an argument that was left out; neither is
    worth a lost call.
    """
    required = schema.get("required", ())
    known = schema.get("properties", {})
    return {
        name: _mended(item, known.get(name, {}))
        for name, item in value.items()
        if item is not None or name in required
    }


def _mended(value: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(value, Mapping) and "properties" in schema:
        return within_bounds(value, schema)
    if isinstance(value, list) and "items" in schema:
        return [_mended(item, schema["items"]) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        least = max(value, schema.get("minimum", value))
        return min(least, schema.get("maximum", least))
    return value
