"""Says of a method which methods of other classes override it: what runs may be one of those."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.models import Position
from analysis.retrieval.file_roles import is_aside

if TYPE_CHECKING:
    from analysis.models import SymbolChoice, SymbolInfo
    from analysis.tools.tool import ToolContext

MOST_WORDS = 320
"""The most characters of ``overridden_words``."""
_MOST_NAMED = 4
_MOST_GIVEN = 12


def overriding(
    context: ToolContext, path: str, info: SymbolInfo | SymbolChoice
) -> tuple[SymbolChoice, ...]:
    """Return the methods that are proven to override a definition, those of tests last.

    Those in files that may not be shown are left out; there may be more.
    """
    if info.kind not in ("method", "property"):
        return ()
    name = info.qualified_name.rpartition(".")[2]
    at = Position(path, getattr(info, "name_line", info.line), getattr(info, "name_column", 0))
    found = context.access.overrides(name, at, stop=context.stop)
    allowed = frozenset(context.code.allow(choice.path for choice in found))
    kept = [choice for choice in found if choice.path in allowed]
    return tuple(sorted(kept, key=lambda choice: is_aside(choice.path)))


def overridden_words(found: Sequence[SymbolChoice]) -> str:
    """Return who overrides a method, to go on a line about it; empty if nobody is known to."""
    if not found:
        return ""
    words = ""
    n_named = 0
    for choice in found[:_MOST_NAMED]:
        one = f"{choice.qualified_name} ({choice.path}:{choice.line})"
        if words and len(words) + len(one) > MOST_WORDS - 50:
            break
        words += f", {one}" if words else one
        n_named += 1
    more = f" and {len(found) - n_named} more" if len(found) > n_named else ""
    return f"; overridden in {words[: MOST_WORDS - 50]}{more}"


def overridden_shape(found: Sequence[SymbolChoice]) -> dict[str, Any]:
    """Return the same as a field for JSON; no field if nobody is known to override it."""
    places = [f"{c.path}:{c.line} {c.qualified_name}" for c in found[:_MOST_GIVEN]]
    if len(found) > len(places):
        places.append(f"and {len(found) - len(places)} more")
    return {"overridden_in": places} if places else {}
