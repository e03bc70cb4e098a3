"""Callers and callees as a model reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from analysis.errors import Cancelled, NotFound, ToolRetry
from analysis.tools.deadline import Deadline
from analysis.tools.definitions import near_names, place_of, split_name, without_module
from analysis.tools.listing import Use, listed
from analysis.tools.tool import Shown, ToolContext, ToolResult
from analysis.workspace.paths import position_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.models import CallList, CallSite

LIMIT = 3_000
MOST_STEPS = 3
_HEAD = 300
_UNVERIFIED = 600


def calls_result(
    context: ToolContext,
    name: str,
    direction: Literal["callers", "callees"],
    *,
    depth: int,
    path: str | None,
    at: str | None,
) -> ToolResult:
    """Return who calls a definition, or whom it calls, with a word on completeness.

    Raises:
        ScopeError: No such definition is known, or several are.
    """
    name, file = without_module(context.index, name)
    plain, _ = split_name(name)
    place = place_of(context.index, plain, file) if at is None else position_from(at)
    scope = context.code.inside(path) if path else None
    deadline = Deadline(context.time_limit_s, context.stop)
    try:
        found = context.access.find_calls(
            plain, direction, depth=depth, scope=scope, at=place, stop=deadline
        )
    except NotFound as error:
        near = near_names(context.index, plain)
        raise ToolRetry(f"Nothing that can be called is named {plain}.{near}") from error
    except Cancelled:
        context.stop.check()
        return ToolResult(f"{direction} of {plain}: stopped by time, none found yet.", "medium")
    lines = [_head(found, deadline.reason(found.stopped_by))]
    shown: list[Shown] = []
    kept_back = _UNVERIFIED if found.unverified else 0
    block, places = _listed(found.calls, context, LIMIT - len(lines[0]) - kept_back)
    lines += block
    shown += places
    if found.unverified:
        lines.append(f"Unverified, {len(found.unverified)} that could not be decided:")
        room = LIMIT - sum(len(line) + 1 for line in lines)
        block, places = _listed(found.unverified, context, room)
        lines += block
        shown += places
    return ToolResult(
        "\n".join(lines),
        "medium",
        summary=_summary(lines[0], found),
        shown=tuple(shown),
        found=_definitions(found, context),
        paths=tuple(dict.fromkeys(place.path for place in shown)),
    )


def _listed(
    calls: Sequence[CallSite], context: ToolContext, max_chars: int
) -> tuple[list[str], list[Shown]]:
    uses = [Use(call.path, call.line, _who(call)) for call in calls]
    return listed(uses, context.code, max_chars)


def _who(call: CallSite) -> str:
    """Return who is at the other end of a call, where it is defined, and how far off it is."""
    who = call.symbol
    if call.definition is not None:
        place = call.definition
        where = "" if place.path == call.path else f"{place.path}:"
        who = f"{who} ({where}{place.line})"
    through = f" through {call.through}" if call.through else ""
    return f"{who}{through}"


def _head(found: CallList, stopped_by: str | None) -> str:
    where = f" ({found.definition.path}:{found.definition.line})" if found.definition else ""
    if found.complete and stopped_by is None:
        sure = "complete"
    else:
        sure = f"not complete, stopped by {stopped_by}" if stopped_by else "not complete"
    n_ends = len({(call.symbol, call.definition) for call in found.calls})
    return f"{n_ends} {found.direction} of {found.symbol}{where}; {sure}"[:_HEAD]


def _summary(head: str, found: CallList) -> str:
    names = ", ".join(dict.fromkeys(call.symbol for call in found.calls))
    return f"{head}: {names}"[:_HEAD] if names else head


def _definitions(found: CallList, context: ToolContext) -> tuple[Shown, ...]:
    """Return where the other ends are defined, each once."""
    places = {
        (call.definition.path, call.definition.line): call.definition.qualified_name
        for call in found.calls
        if call.definition is not None
    }
    allowed = frozenset(context.code.allow(path for path, _ in places))
    return tuple(
        Shown(path, line, line, name) for (path, line), name in places.items() if path in allowed
    )
