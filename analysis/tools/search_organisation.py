"""The tool that searches the repositories of an organisation for agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from analysis.errors import ToolFailed
from analysis.tools.fitting import cut_lines, numbered, with_lists_cut, within
from analysis.tools.tool import ToolContext, ToolOutput, ToolResult, tool

LIMIT = 7_500
_MOST_REASONS = 2


@tool(LIMIT, title="Search the organisation", needs_index=False)
def search_organisation(
    context: ToolContext,
    question: Annotated[str, Field(min_length=1)],
    repository: str | None = None,
    top_k: Annotated[int, Field(ge=1, le=50)] = 10,
    include_code: bool = False,  # noqa: FBT001, FBT002 (the model names its arguments)
    lines: Annotated[int, Field(ge=1, le=400)] = 40,
) -> ToolOutput:
    """Find the places in all repositories of the user's organisation that a question, a name or a
    path leads to, best first; for the code base that is open use analyze. The words of the question
    go to the organisation's server, and to nobody else. 'repositories' says which were looked into,
    and why; hits carry repository, commit, path, line_start, line_end, symbol and signature, all
    checked against the stored text of that commit. Cite them as repository@commit
    path:line_start-line_end. Next: call again with 'repository' and 'include_code' to read on.

    Args:
        question: A question in plain words, an identifier, a path or a file name.
        repository: Only this one, as it was named in a result.
        top_k: At most so many hits.
        include_code: Whether to give the source of each hit.
        lines: Lines of source per hit.
    """  # noqa: D205 (all of it is one paragraph of the schema)
    if context.search_organisation is None:
        raise ToolFailed("No organisation's index is set up. Search the code base instead.")
    found = context.search_organisation(question.strip(), top_k, repository)
    return OrganisationHits(found, lines if include_code else 0)


@dataclass(frozen=True, slots=True)
class OrganisationHits(ToolOutput):
    """Places in many repositories, best first, as plain data."""

    found: Mapping[str, Any]
    """As ``scope analyze --org`` writes it, each place with its ``code``: a list of lines."""
    max_lines: int
    """Lines of source per place."""

    def text(self, context: ToolContext) -> ToolResult:
        """Return a line a place, with its code if that was asked for."""
        parts = []
        for place in self.found["places"]:
            where = f"{place['path']}:{place['line_start']}-{place['line_end']}"
            parts.append(f"{where} in {place['repository']} {place['signature']}".rstrip())
            parts += [self._code(place)] if self.max_lines else []
        text = "\n".join(parts) or "Nothing found."
        return ToolResult(within(text, LIMIT), "high")

    def data(self, context: ToolContext, max_tokens: int) -> dict[str, Any]:
        """Return ``{question, server, repositories, visible_repositories, places, ...}``."""
        places = []
        for place in self.found["places"]:
            code = {"code": self._code(place)} if self.max_lines else {"code": None}
            reasons = place["reasons"][:_MOST_REASONS]
            shown = {**place, **code, "reasons": reasons}
            places.append({key: value for key, value in shown.items() if value is not None})
        shape = {**self.found, "places": places}
        return with_lists_cut(shape, ("places", "repositories"), max_tokens)

    def _code(self, place: Mapping[str, Any]) -> str:
        code = numbered(place["code"][: self.max_lines], place["line_start"])
        left = len(place["code"]) - self.max_lines
        return cut_lines(code) + (f"\n({left} more lines)" if left > 0 else "")
