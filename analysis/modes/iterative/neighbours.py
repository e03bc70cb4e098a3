"""Adds to gathered code what it calls and what calls it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from analysis.documents.code import definitions
from analysis.errors import ScopeError
from analysis.models import Position
from analysis.modes.iterative.elements import Element, of_definition
from analysis.retrieval.file_kinds import kinds_of
from analysis.stopping import Deadline

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.documents import CodeView
    from analysis.models import CallSite, SymbolInfo
    from analysis.stopping import StopFlag

# The graph grows quickly and the model has asked for none of it: a taste of each side is enough.
_MAX_FOLLOWED = 4
_PER_SIDE = 2
_CALLED = frozenset({"function", "method", "class"})
# Looking further ends when this much time is gone; what was found by then is kept.
_PATIENCE_S = 3.0
_SIDES: tuple[tuple[Literal["callees", "callers"], str], ...] = (
    ("callees", "called by"),
    ("callers", "calls"),
)
ORIGINS = tuple(f"{words} " for _, words in _SIDES)
"""How the origin of an element begins that the call graph brought in."""


@dataclass(slots=True)
class Neighbours:
    """What the call graph adds."""

    elements: list[Element] = field(default_factory=list)
    n_more: int = 0
    """Callers and callees that were found and not added."""
    complete: bool = True
    """False if more may be called, or call, than was found."""


def neighbours(
    around: Iterable[Element],
    access: SmartFileAccess,
    code: CodeView,
    *,
    leave_out: Collection[str],
    stop: StopFlag,
) -> Neighbours:
    """Return callees and callers of the first few definitions; blocking.

    Args:
        around: What was gathered, best first.
        access: The code base, with its call graph.
        code: The same as documents see it.
        leave_out: Files that nothing is added from.
        stop: Ends the search when set; what was found by then is returned.
    """
    found = Neighbours()
    end = Deadline(_PATIENCE_S, stop)
    starts = [(element, info) for element in around for info in _definitions(element, code)]
    for element, info in starts[:_MAX_FOLLOWED]:
        for side, words in _SIDES:
            if end.is_set():
                found.complete = False
                return found
            at = Position(element.path, info.name_line, info.name_column)
            try:
                calls = access.find_calls(info.qualified_name, side, at=at, stop=stop)
            except ScopeError:
                continue  # It is nothing that can be called.
            origin = f"{words} {info.qualified_name}"
            added = list(_of_sites(calls.calls, element, code, leave_out, origin))
            found.elements += added[:_PER_SIDE]
            found.n_more += max(len(added) - _PER_SIDE, 0)
            found.complete = found.complete and calls.complete
    return found


def _definitions(element: Element, code: CodeView) -> list[SymbolInfo]:
    """Return what an element is, or the first things that lie in it if it is just lines."""
    if element.symbol is not None:
        known = definitions(code, element.path, element.symbol)
        return [info for info in known if info.decorated_line == element.line_start][:1]
    inside = [
        info
        for info in code.symbols(element.path)
        if info.kind in _CALLED
        and element.line_start <= info.decorated_line
        and info.line_end <= element.line_end
    ]
    return inside[:_PER_SIDE]


def _of_sites(
    sites: Iterable[CallSite],
    element: Element,
    code: CodeView,
    leave_out: Collection[str],
    origin: str,
) -> Iterator[Element]:
    """Yield the definitions at the other end of calls, each once; tests say little of the code."""
    seen: set[Element] = set()
    for site in sites:
        choice = site.definition
        if choice is None or choice.path in leave_out or "tests" in kinds_of(choice.path):
            continue
        for info in definitions(code, choice.path, choice.qualified_name):
            found = of_definition(choice.path, info, origin)
            if info.line == choice.line and found not in seen and not element.contains(found):
                seen.add(found)
                yield found
