"""The tool that finds places for agents: the search of ``scope analyze``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from analysis.errors import ToolFailed
from analysis.tools.places import FindOptions, Hit, Ranked, findings_shape, ranked
from analysis.tools.registration import with_registration
from analysis.tools.tool import Shown, ToolContext, ToolOutput, ToolResult, tool
from analysis.tools.uses_text import allowed_ways

LIMIT = 7_500
# The strongest come first; five for each place would take more tokens than the places.
_MOST_REASONS = 2


def _as_list(value: object) -> object:
    """Take one glob for a list of one: models write both."""
    return [value] if isinstance(value, str) else value


@tool(LIMIT, title="Find code")
def analyze(
    context: ToolContext,
    query: Annotated[str, Field(min_length=1)],
    top_k: Annotated[int, Field(ge=1, le=100)] = 10,
    include_code: bool = False,  # noqa: FBT001, FBT002 (the model names its arguments)
    lines: Annotated[int, Field(ge=1, le=1000)] = 40,
    lang: str | None = None,
    path: Annotated[list[str] | None, BeforeValidator(_as_list)] = None,
) -> ToolOutput:
    """Find the places in the code base that a question, an identifier, a path or a file name leads
    to, best first, with the reasons. Start here, before grep or reading files: one call replaces
    several searches. Code seldom says what a question says: after a question write four to eight
    words that its identifiers may have ('... a node that keeps failing? circuit breaker trip
    threshold'). Hits carry path, line_start, line_end, symbol and signature; the first ones
    also 'registered': where they are registered or handed over. 'left_out' counts what was found
    beyond them: narrow the query with 'path' or 'lang' rather than raising 'top_k'. Next:
    read_symbol for the hits that matter, outline for an unknown file, callers or find_references to
    see how a hit is used.

    Args:
        query: A question and the words that code may have for it, an identifier, a path or a file
            name.
        top_k: At most so many hits.
        include_code: Whether to give the source of each hit.
        lines: Lines of source per hit.
        lang: Only this language, as in 'python'.
        path: Only paths that match one of these globs: 'src/**'.
    """  # noqa: D205 (all of it is one paragraph of the schema)
    if context.report is None:
        raise ToolFailed("analyze is for agents. Use the search that you were offered.")
    options = FindOptions(
        top_k=top_k,
        language=lang,
        path_globs=tuple(path or ()),
        include_code=include_code,
        max_lines=lines,
    )

    def clean_lines(path: str, start: int, end: int) -> str:
        return "\n".join(context.code.lines(path)[start - 1 : end])

    def with_ways(hits: Sequence[Hit]) -> list[Hit]:
        return with_registration(
            hits, context.access, context.stop, lambda ways: allowed_ways(ways, context.code)
        )

    found = ranked(context.index, context.report, query, options, clean_lines, with_ways)
    return Hits(found, options)


@dataclass(frozen=True, slots=True)
class Hits(ToolOutput):
    """Places, best first."""

    found: Ranked
    options: FindOptions

    def text(self, context: ToolContext) -> ToolResult:
        """Return a line a place, with its code if that was asked for."""
        findings = self.found.within(replace(self.options, max_tokens=LIMIT // 3))
        lines: list[str] = []
        for hit in findings.hits:
            signature = context.code.cleared(hit.path, hit.signature)
            lines.append(f"{hit.path}:{hit.line_start}-{hit.line_end} {signature}".rstrip())
            lines += (f"  {way}" for way in hit.registered)
            code = (hit.code or "").splitlines()
            lines += (f"{number}| {line}" for number, line in enumerate(code, hit.line_start))
        if findings.left_out:
            lines.append(f"({findings.left_out} more: narrow with path or lang)")
        places = tuple(Shown(h.path, h.line_start, h.line_end, h.symbol) for h in findings.hits)
        paths = tuple(dict.fromkeys(place.path for place in places))
        text = "\n".join(lines) or f"Nothing found for {self.found.query[:200]!r}."
        return ToolResult(text, "high", found=places, paths=paths)

    def data(self, context: ToolContext, max_tokens: int) -> dict[str, Any]:
        """Return ``{query, hits, left_out, searched, notices}``."""
        findings = self.found.within(replace(self.options, max_tokens=max_tokens))
        shape = findings_shape(findings, with_code=self.options.include_code)
        for hit in shape["hits"]:
            hit["signature"] = context.code.cleared(hit["path"], hit["signature"])
            hit["reasons"] = hit["reasons"][:_MOST_REASONS]
            if not hit["registered"]:
                del hit["registered"]
        return shape
