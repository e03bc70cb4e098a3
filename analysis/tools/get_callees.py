"""The tool that finds whom something calls."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from analysis.tools.calls_text import LIMIT, MOST_STEPS, calls_result
from analysis.tools.tool import ToolContext, ToolResult, tool


@tool(LIMIT)
def get_callees(
    context: ToolContext,
    name: Annotated[str, Field(min_length=1, max_length=300)],
    depth: Annotated[int, Field(ge=1, le=MOST_STEPS)] = 1,
    path: str | None = None,
    at: str | None = None,
) -> ToolResult:
    """Find whom a function, method or class calls: what happens next, without reading bodies.

    Each line is a call with the callee and where that is defined. 'complete' means there are no
    others; 'unverified' ones share the name and could not be decided. Next: read those that matter.

    Args:
        name: Plain or qualified name: 'login', 'Session.login'.
        depth: How many steps are followed.
        path: Of several definitions, the one below this file or folder.
        at: A definition or use of the one that is meant, as 'FILE:LINE', where the name is shared.
    """
    return calls_result(context, name, "callees", depth=depth, path=path, at=at)
