"""The tool that reads several definitions at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from analysis.errors import ScopeError, ToolError, ToolRetry
from analysis.tools.fitting import fair_shares
from analysis.tools.read_symbol import DefinitionRead, read_symbol
from analysis.tools.tool import Shown, ToolContext, ToolOutput, ToolResult, tool

MOST_NAMES = 8
# As the models are told: one to two thousand characters for each.
LIMIT = 1_500 * MOST_NAMES
_PROBLEM = 300


@tool(LIMIT)
def read_symbols(
    context: ToolContext, names: Annotated[list[str], Field(min_length=1, max_length=30)]
) -> ToolOutput:
    """Read several functions, classes or methods with their source, by name: up to 8 at once.

    The best way to read code: name all that you need in one call. Long docstrings are left out
    before code is. Next: what they use, by name again.

    Args:
        names: Plain or qualified names, each with its file where several files define it: 'login',
            'Session.login', 'src/auth.py:Session.login'.
    """
    found: list[DefinitionRead] = []
    problems: list[str] = []
    for name in dict.fromkeys(names):
        if len(found) == MOST_NAMES:
            problems.append(f"{name}: not read, {MOST_NAMES} at once are the most")
            continue
        try:
            read = _read(context, name)
        except (ToolError, ScopeError) as error:
            problems.append(f"{name[:100]}: {str(error)[:_PROBLEM]}")
            continue
        if read not in found:
            found.append(read)
    if not found:
        raise ToolRetry("\n".join(problems))
    return DefinitionsRead(tuple(found), tuple(problems))


@dataclass(frozen=True, slots=True)
class DefinitionsRead(ToolOutput):
    """Definitions, in the order in which they were asked for."""

    found: tuple[DefinitionRead, ...]
    problems: tuple[str, ...]
    """What was not found, and why."""

    def text(self, context: ToolContext) -> ToolResult:
        """Return their sources one after the other: short ones whole, long ones share the rest."""
        room = LIMIT - sum(len(problem) + 1 for problem in self.problems) - len(self.found)
        sizes = [read.n_chars(context) for read in self.found]
        shares = fair_shares(sizes, room)
        results = [
            read.within(context, share) for read, share in zip(self.found, shares, strict=True)
        ]
        shown: tuple[Shown, ...] = tuple(place for r in results for place in r.shown)
        return ToolResult(
            "\n".join([*(result.text for result in results), *self.problems]),
            "medium",
            "\n".join(result.summary or "" for result in results),
            shown,
            tuple(place for result in results for place in result.found),
            tuple(dict.fromkeys(place.path for place in shown)),
        )


def _read(context: ToolContext, name: str) -> DefinitionRead:
    """Return the definition that a name means, with its file in front or without."""
    path, colon, symbol = name.strip().strip("`").replace("::", ":").rpartition(":")
    if not colon or symbol.isdecimal():  # NAME:LINE is a name.
        path, symbol = "", name
    read = read_symbol.function(context, symbol, path or None)
    assert isinstance(read, DefinitionRead), "it is what read_symbol returns"
    return read
