"""The tools that follow code: who uses a name, who calls a function, and whom it calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from analysis.mcp.budget import compact, with_lists_cut
from analysis.mcp.tool import Arguments, Tool

if TYPE_CHECKING:
    from analysis.engine import Engine
    from analysis.stopping import StopFlag


class ReferencesArguments(Arguments):
    """Whose uses to find."""

    name: str = Field(min_length=1, description="Plain or qualified name: 'Session.login'.")
    path: str | None = Field(None, description="Only uses below this file or folder.")
    at: str | None = Field(
        None, description="A definition or use of the one you mean, 'FILE:LINE' or 'FILE:LINE:COL'."
    )


def _find_references(engine: Engine, wanted: ReferencesArguments, stop: StopFlag) -> dict[str, Any]:
    from analysis.json_output import references_shape
    from analysis.workspace.paths import position_from

    place = position_from(wanted.at)
    found = engine.references(wanted.name, scope=wanted.path, at=place, stop=stop)
    return with_lists_cut(
        compact(references_shape(found)), ("references", "unverified"), wanted.max_tokens
    )


FIND_REFERENCES = Tool(
    "find_references",
    "Find uses",
    "Find where a function, class, method or variable is used, resolved and not by spelling. Use "
    "it before changing something, instead of grep. 'references' are uses of this very symbol; "
    "'unverified' share its name and could not be decided: check those by reading. Only if "
    "'complete' is true there are no others. If the name is ambiguous the error lists the choices: "
    "give 'at'. Next: read_symbol on the enclosing definitions that matter.",
    ReferencesArguments,
    _find_references,
)


class CallsArguments(Arguments):
    """Whose calls to follow."""

    name: str = Field(min_length=1, description="Plain or qualified name: 'Session.login'.")
    depth: int = Field(1, ge=1, le=10, description="How many steps are followed.")
    path: str | None = Field(
        None, description="Of several definitions, the one below this file or folder."
    )
    at: str | None = Field(
        None, description="A definition or use of the one you mean, 'FILE:LINE' or 'FILE:LINE:COL'."
    )


def _callers(engine: Engine, wanted: CallsArguments, stop: StopFlag) -> dict[str, Any]:
    return _calls(engine, wanted, "callers", stop)


def _callees(engine: Engine, wanted: CallsArguments, stop: StopFlag) -> dict[str, Any]:
    return _calls(engine, wanted, "callees", stop)


def _calls(
    engine: Engine, wanted: CallsArguments, direction: Literal["callers", "callees"], stop: StopFlag
) -> dict[str, Any]:
    from analysis.json_output import plain
    from analysis.workspace.paths import position_from

    found = engine.calls(
        wanted.name,
        direction,
        depth=wanted.depth,
        scope=wanted.path,
        at=position_from(wanted.at),
        stop=stop,
    )
    return with_lists_cut(compact(plain(found)), ("calls", "unverified"), wanted.max_tokens)


_HOW_SURE = (
    "'calls' were resolved, 'unverified' only share the name; only if 'complete' is true there are "
    "no others. 'path' and 'line' are the place of the call, 'definition' is the {end}. "
)

CALLERS = Tool(
    "callers",
    "Find callers",
    "Find who calls a function, method or class, over one or more steps: how execution gets "
    "there, and what a change breaks. " + _HOW_SURE.format(end="caller's") + "Next: read_symbol "
    "on the callers that matter, or a larger 'depth' up to the entry point.",
    CallsArguments,
    _callers,
)

CALLEES = Tool(
    "callees",
    "Find callees",
    "Find whom a function, method or class calls: what happens next, without reading every body. "
    + _HOW_SURE.format(end="callee's")
    + "Next: read_symbol on the callees that matter.",
    CallsArguments,
    _callees,
)
