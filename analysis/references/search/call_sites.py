"""A use as a call, as lists of callers and callees show it."""

from __future__ import annotations

from analysis.models import CallSite, Reference, SymbolChoice


def call_site(
    use: Reference, definition: SymbolChoice | None, depth: int, through: str | None
) -> CallSite:
    """Return a use as a call, with the definition at its other end if that is known."""
    return CallSite(
        path=use.path,
        line=use.line,
        column=use.column,
        context=use.context,
        symbol=definition.qualified_name if definition else use.path,
        definition=definition,
        depth=depth,
        through=through,
        kind=use.kind,
        is_test=use.is_test,
    )
