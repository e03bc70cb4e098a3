"""How the first places that were found are reached without being called by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.errors import ScopeError
from analysis.indirection import telling
from analysis.models import Position
from analysis.parsing.find_symbols import find_symbols
from analysis.stopping import Deadline, StopFlag

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.indirection import Indirection
    from analysis.models import SymbolInfo
    from analysis.tools.places import Hit

# Nobody waits longer for it, whatever is found by then.
_TIME_S = 0.4
_HITS = 5
_WAYS = 3
_KINDS = frozenset({"function", "method", "class"})


def with_registration(
    hits: Sequence[Hit],
    access: SmartFileAccess,
    stop: StopFlag | None = None,
    allowed: Callable[[Iterable[Indirection]], Iterable[Indirection]] | None = None,
) -> list[Hit]:
    """Return hits, the first few with where they are registered or handed over.

    Only what is proven is told, and nothing that is in a test; what takes too long is left out.

    Args:
        hits: Places, best first.
        access: The code.
        stop: Ends the search early when set.
        allowed: Keeps the ways that may be shown; all of them if None.
    """
    deadline = Deadline(_TIME_S, stop)
    found = list(hits)
    for number, hit in enumerate(hits[:_HITS]):
        info = _definition(hit, access)
        if info is None or info.kind not in _KINDS:
            continue
        if deadline.is_set():
            break
        at = Position(hit.path, info.name_line, info.name_column)
        left_s = deadline.seconds_left()
        ways = access.find_indirections(at, info.name, stop=deadline, time_limit_s=left_s)
        told = telling(way for way in ways if not way.is_test)
        shown = allowed(told) if allowed is not None else told
        registered = tuple(way.told for way in list(shown)[:_WAYS])
        found[number] = replace(hit, registered=registered)
    return found


def _definition(hit: Hit, access: SmartFileAccess) -> SymbolInfo | None:
    """Return the definition that a hit is; None if it is none, or went away."""
    if hit.symbol is None:
        return None
    try:
        infos = find_symbols(access.get_outline(hit.path), hit.symbol)
    except ScopeError:
        return None
    same = [i for i in infos if i.decorated_line <= hit.line_end and hit.line_start <= i.line_end]
    return same[0] if same else None
