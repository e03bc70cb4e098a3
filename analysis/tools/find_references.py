"""The tool that finds who uses a definition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analysis.errors import Cancelled, NotFound
from analysis.models import ReferenceList, SymbolChoice
from analysis.tools.definitions import near_names
from analysis.tools.fitting import cost
from analysis.tools.overrides import overridden_shape, overridden_words, overriding
from analysis.tools.tool import ToolContext, ToolOutput, ToolResult, tool
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
_HEAD = 400
# Uses that could not be decided get what the others leave, and so much at least.
_UNVERIFIED = 700
_FOR_AGENTS = (
    "Find where a function, class, method or variable is used, resolved and not by spelling. Use "
    "it before changing something, instead of grep. 'references' are uses of this very symbol; "
    "'unverified' share its name and could not be decided: check those by reading. Only if "
    "'complete' is true there are no others. If the name is ambiguous the error lists the choices: "
    "give 'at'. Next: read_symbol on the enclosing definitions that matter."
)


@tool(LIMIT, title="Find uses", served_as=("find_references", _FOR_AGENTS))
def find_references(
    context: ToolContext,
    name: NameArgument,
    path: str | None = None,
    at: AtArgument = None,
) -> ToolOutput:
    """Find where a function, class, method or variable is used: resolved, not by spelling.

    'complete' means there are no other uses. 'Unverified' ones share the name and could not be
    decided: read them to know. Next: read_symbol of the definitions around the uses that matter.

    Args:
        path: Only uses below this file or folder.
    """
    plain, place = definition_meant(context, name, at)
    deadline = context.deadline()
    try:
        found = context.access.find_references(plain, path, at=place, stop=deadline)
    except Cancelled:
        context.stop.check()
        found = ReferenceList(plain, None, (), (), False, 0, "time", "")
    definition = found.definition
    others = overriding(context, definition.path, definition) if definition else ()
    return ReferencesFound(found, end_reason(deadline, found.stopped_by), others)


@dataclass(frozen=True, slots=True)
class ReferencesFound(ToolOutput):
    """Uses of a definition."""

    found: ReferenceList
    stopped_by: str | None
    """What ended the search early."""
    overridden_in: tuple[SymbolChoice, ...] = ()
    """Methods of other classes that are proven to stand in its place."""

    def text(self, context: ToolContext) -> ToolResult:
        """Return the lines of the uses, with a word on completeness.

        Raises:
            NotFound: Nothing has that name; what is alike is named.
        """
        found = self.found
        if not (found.definition or found.references or found.unverified or found.stopped_by):
            near = near_names(context.index, found.symbol)
            raise NotFound(f"Nothing is named {found.symbol}.", near)
        head = self._head()
        lines, shown = with_unverified(
            context,
            head,
            [UseLine(use.path, use.line, use.enclosing) for use in found.references],
            [UseLine(use.path, use.line, use.enclosing) for use in found.unverified],
            title=f"Unverified, {len(found.unverified)} of the same name:",
            limit=LIMIT,
            kept_back=_UNVERIFIED,
        )
        room = LIMIT - sum(len(line) + 1 for line in lines)
        lines += way_lines(found.indirections, context.code, room)
        paths = tuple(dict.fromkeys(place.path for place in shown))
        return ToolResult("\n".join(lines), "medium", head, shown, paths=paths)

    def data(self, context: ToolContext, max_tokens: int) -> dict[str, Any]:
        """Return ``{symbol, definition, references, unverified, complete, ...}``."""
        others = overridden_shape(self.overridden_in)
        return others | uses_data(self.found, "references", context, max_tokens - cost(others))

    def _head(self) -> str:
        """Return what was found, and whether that is all."""
        found = self.found
        where = f" ({found.definition.path}:{found.definition.line})" if found.definition else ""
        n_files = len({use.path for use in found.references})
        n_uses = len(found.references)
        counted = f"{n_uses} uses in {n_files} files" if n_uses else "no use was resolved"
        sure = "complete" if found.complete and self.stopped_by is None else "not complete"
        if self.stopped_by is not None:
            sure = f"{sure}, stopped by {self.stopped_by}: at least {found.at_least} uses"
        return f"{found.symbol}{where}: {counted}; {sure}"[:_HEAD] + overridden_words(
            self.overridden_in
        )
