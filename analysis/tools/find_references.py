"""The tool that finds who uses a definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from analysis.errors import Cancelled, ToolRetry
from analysis.tools.deadline import Deadline
from analysis.tools.definitions import near_names, place_of, split_name, without_module
from analysis.tools.listing import listed, use_of
from analysis.tools.tool import ToolContext, ToolResult, tool
from analysis.workspace.paths import position_from

if TYPE_CHECKING:
    from analysis.models import ReferenceList

LIMIT = 3_000
_HEAD = 400
# Uses that could not be decided get what the others leave, and so much at least.
_UNVERIFIED = 700


@tool(LIMIT)
def find_references(
    context: ToolContext,
    name: Annotated[str, Field(min_length=1, max_length=300)],
    path: str | None = None,
    at: str | None = None,
) -> ToolResult:
    """Find where a function, class, method or variable is used: resolved, not by spelling.

    'complete' means there are no other uses. 'Unverified' ones share the name and could not be
    decided: read them to know. Next: read_symbol of the definitions around the uses that matter.

    Args:
        name: Plain or qualified name: 'login', 'Session.login'.
        path: Only uses below this file or folder.
        at: A definition or use of the one that is meant, as 'FILE:LINE', where the name is shared.
    """
    name, file = without_module(context.index, name)
    plain, _ = split_name(name)
    place = place_of(context.index, plain, file) if at is None else position_from(at)
    deadline = Deadline(context.time_limit_s, context.stop)
    try:
        found = context.access.find_references(plain, path, at=place, stop=deadline)
    except Cancelled:
        context.stop.check()
        return ToolResult(f"{plain}: stopped by time before any use was found.", "medium")
    if not (found.definition or found.references or found.unverified or found.stopped_by):
        raise ToolRetry(f"Nothing is named {plain}.{near_names(context.index, plain)}")
    stopped_by = deadline.reason(found.stopped_by)
    lines = [_head(found, stopped_by)]
    verified = [use_of(use, use.enclosing) for use in found.references]
    unverified = [use_of(use, use.enclosing) for use in found.unverified]
    kept_back = _UNVERIFIED if unverified else 0
    block, shown = listed(verified, context.code, LIMIT - len(lines[0]) - kept_back)
    lines += block
    if unverified:
        lines.append(f"Unverified, {len(unverified)} of the same name:")
        room = LIMIT - sum(len(line) + 1 for line in lines)
        block, more = listed(unverified, context.code, room)
        lines += block
        shown += more
    return ToolResult(
        "\n".join(lines),
        "medium",
        summary=lines[0],
        shown=tuple(shown),
        paths=tuple(dict.fromkeys(place.path for place in shown)),
    )


def _head(found: ReferenceList, stopped_by: str | None) -> str:
    """Return what was found, and whether that is all."""
    where = ""
    if found.definition is not None:
        where = f" ({found.definition.path}:{found.definition.line})"
    n_files = len({use.path for use in found.references})
    n_uses = len(found.references)
    counted = f"{n_uses} uses in {n_files} files" if n_uses else "no use was resolved"
    if found.complete and stopped_by is None:
        sure = "complete"
    elif stopped_by is not None:
        sure = f"not complete, stopped by {stopped_by}: at least {found.at_least} uses"
    else:
        sure = "not complete"
    return f"{found.symbol}{where}: {counted}; {sure}"[:_HEAD]
