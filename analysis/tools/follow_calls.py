"""The tools that follow calls: who calls something, and whom it calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from analysis.errors import Cancelled, NotFound
from analysis.models import CallList, CallSite
from analysis.tools.definitions import near_names
from analysis.tools.tool import Shown, ToolContext, ToolOutput, ToolResult, tool
from analysis.tools.uses_text import (
    AtArgument,
    NameArgument,
    UseLine,
    definition_meant,
    end_reason,
    uses_data,
    way_lines,
    with_unverified,
)

LIMIT = 3_000
MOST_STEPS = 10
Depth = Annotated[int, Field(ge=1, le=MOST_STEPS, description="How many steps are followed.")]
Where = Annotated[
    str | None, Field(description="Of several definitions, the one below this file or folder.")
]
_HEAD = 300
_UNVERIFIED = 600
_MOST_VALUES = 8
_HOW_SURE = (
    "'calls' were resolved, 'unverified' only share the name; only if 'complete' is true there are "
    "no others. 'path' and 'line' are the place of the call, 'definition' is the {end}. "
)
_CALLERS_FOR_AGENTS = (
    "Find who calls a function, method or class, over one or more steps: how execution gets "
    "there, and what a change breaks. " + _HOW_SURE.format(end="caller's") + "Next: read_symbol "
    "on the callers that matter, or a larger 'depth' up to the entry point."
)
_CALLEES_FOR_AGENTS = (
    "Find whom a function, method or class calls: what happens next, without reading every body. "
    + _HOW_SURE.format(end="callee's")
    + "Next: read_symbol on the callees that matter."
)


@tool(LIMIT, title="Find callers", served_as=("callers", _CALLERS_FOR_AGENTS))
def get_callers(
    context: ToolContext,
    name: NameArgument,
    depth: Depth = 1,
    path: Where = None,
    at: AtArgument = None,
) -> ToolOutput:
    """Find who calls a function, method or class: how execution gets there.

    Each line is a call with the caller and where that is defined. 'complete' means there are no
    others; 'unverified' ones share the name and could not be decided. Next: read those that matter.
    """
    return _followed(context, name, "callers", depth, path, at)


@tool(LIMIT, title="Find callees", served_as=("callees", _CALLEES_FOR_AGENTS))
def get_callees(
    context: ToolContext,
    name: NameArgument,
    depth: Depth = 1,
    path: Where = None,
    at: AtArgument = None,
) -> ToolOutput:
    """Find whom a function, method or class calls: what happens next, without reading bodies.

    Each line is a call with the callee and where that is defined. 'complete' means there are no
    others; 'unverified' ones share the name and could not be decided. Next: read those that matter.
    """
    return _followed(context, name, "callees", depth, path, at)


@dataclass(frozen=True, slots=True)
class CallsFound(ToolOutput):
    """Calls on one side of a definition."""

    found: CallList
    stopped_by: str | None
    """What ended the search early."""

    def text(self, context: ToolContext) -> ToolResult:
        """Return a line a call, with a word on completeness."""
        found = self.found
        head = self._head()
        lines, shown = with_unverified(
            context,
            head,
            [UseLine(call.path, call.line, _who(call)) for call in found.calls],
            [UseLine(call.path, call.line, _who(call)) for call in found.unverified],
            title=f"Unverified, {len(found.unverified)} that may call it:"
            if found.direction == "callers"
            else f"Unverified, {len(found.unverified)} that could not be decided:",
            limit=LIMIT,
            kept_back=_UNVERIFIED,
        )
        room = LIMIT - sum(len(line) + 1 for line in lines)
        ways = way_lines(found.indirections, context.code, room)
        lines += ways
        lines += self._values(context, room - sum(len(line) + 1 for line in ways))
        names = ", ".join(dict.fromkeys(call.symbol for call in found.calls))
        return ToolResult(
            "\n".join(lines),
            "medium",
            summary=f"{head}: {names}"[:_HEAD] if names else head,
            shown=shown,
            found=self._definitions(context),
            paths=tuple(dict.fromkeys(place.path for place in shown)),
        )

    def data(self, context: ToolContext, max_tokens: int) -> dict[str, Any]:
        """Return ``{symbol, definition, direction, calls, unverified, complete, ...}``."""
        return uses_data(self.found, "calls", context, max_tokens)

    def _head(self) -> str:
        found = self.found
        where = f" ({found.definition.path}:{found.definition.line})" if found.definition else ""
        sure = "complete" if found.complete and self.stopped_by is None else "not complete"
        if self.stopped_by is not None:
            sure = f"{sure}, stopped by {self.stopped_by}"
        n_ends = len({(call.symbol, call.definition) for call in found.calls})
        return f"{n_ends} {found.direction} of {found.symbol}{where}; {sure}"[:_HEAD]

    def _values(self, context: ToolContext, room: int) -> list[str]:
        """Return a line with where what is called is passed as a value, if there is room."""
        allowed = frozenset(context.code.allow(use.path for use in self.found.values))
        places = [f"{use.path}:{use.line}" for use in self.found.values if use.path in allowed]
        line = f"Passed as a value at {', '.join(places[:_MOST_VALUES])}"
        more = len(places) - _MOST_VALUES
        line += f" and {more} more places" if more > 0 else ""
        return [line] if places and len(line) < room else []

    def _definitions(self, context: ToolContext) -> tuple[Shown, ...]:
        """Return where the other ends are defined, each once."""
        places = {
            (call.definition.path, call.definition.line): call.definition.qualified_name
            for call in self.found.calls
            if call.definition is not None
        }
        allowed = frozenset(context.code.allow(path for path, _ in places))
        return tuple(
            Shown(path, line, line, name)
            for (path, line), name in places.items()
            if path in allowed
        )


def _followed(
    context: ToolContext,
    name: str,
    direction: Literal["callers", "callees"],
    depth: int,
    path: str | None,
    at: str | None,
) -> CallsFound:
    """Return the calls on one side of a definition.

    Raises:
        NotFound, AmbiguousSymbol: No such definition is known, or several are.
    """
    plain, place = definition_meant(context, name, at)
    scope = context.code.inside(path) if path else None
    deadline = context.deadline()
    try:
        found = context.access.find_calls(
            plain, direction, depth=depth, scope=scope, at=place, stop=deadline
        )
    except NotFound as error:
        near = near_names(context.index, plain)
        raise NotFound(f"Nothing that can be called is named {plain}.", near) from error
    except Cancelled:
        context.stop.check()
        found = CallList(plain, None, direction, (), (), False, "time", "")
    return CallsFound(found, end_reason(deadline, found.stopped_by))


def _who(call: CallSite) -> str:
    """Return who is at the other end of a call, where it is defined, and how far off it is."""
    who = call.symbol
    if call.definition is not None:
        place = call.definition
        where = "" if place.path == call.path else f"{place.path}:"
        who = f"{who} ({where}{place.line})"
    through = f" through {call.through}" if call.through else ""
    return f"{who}{through}"
