"""The tool that finds places in the code and shows them: plan mode's search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from analysis.errors import ToolRetry
from analysis.tools.search_for_files import reasons_text
from analysis.tools.tool import Shown, ToolContext, ToolResult, tool

if TYPE_CHECKING:
    from analysis.models import Candidate

LIMIT = 7_500
MOST_PLACES = 10
_MAX_LINE = 200
_NOTE = 160
# Less of a definition than this tells nothing.
_LEAST = 400


@tool(LIMIT)
def search_codebase(
    context: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=1_000)],
    n_results: Annotated[int, Field(ge=1, le=MOST_PLACES)] = 5,
) -> ToolResult:
    """Find the places that a question or some words are about, and show their code.

    Ranked by names, definitions, comments and text; words need not match exactly. Long places are
    cut. Next: get_callers, get_callees, or read_file for the rest of a file.

    Args:
        query: The question, or words and names from it.
        n_results: How many places.
    """
    from analysis.retrieval.search import SearchOptions, search

    result = search(context.index, query, SearchOptions(top_k=max(n_results, MOST_PLACES)))
    if result.question.empty:
        raise ToolRetry(f"{query[:100]!r} holds no word to search for. Use names and nouns.")
    allowed = frozenset(context.code.allow(result.files))
    places = [place for place in result.candidates if place.path in allowed][:n_results]
    if not places:
        return ToolResult(f"Nothing found for {query[:200]!r}. Try other words.", "high")
    lines: list[str] = []
    shown: list[Shown] = []
    room = LIMIT - _NOTE
    for number, place in enumerate(places):
        text, seen = _entry(context, place, max(room // (len(places) - number), _LEAST))
        if len(text) > room:
            break
        room -= len(text) + 1
        lines.append(text)
        shown.append(seen)
    n_left = max(result.matched, len(places)) - len(shown)
    if n_left > 0:
        lines.append(f"({n_left} more files match: n_results up to {MOST_PLACES}, or rarer words)")
    names = ", ".join(f"{place.path} {place.symbol or ''}".strip() for place in places)
    return ToolResult(
        "\n".join(lines),
        "high",
        summary=f"search {query[:80]!r} found {names}",
        shown=tuple(shown),
        paths=tuple(dict.fromkeys(place.path for place in shown)),
    )


def _entry(context: ToolContext, place: Candidate, max_chars: int) -> tuple[str, Shown]:
    """Return a place with its code, and how much of it is there."""
    reasons = f" ({reasons_text(place)})" if place.reasons else ""
    head = f"{place.path}: {place.symbol or place.kind}{reasons}"
    room = max_chars - len(head) - 60
    code = context.code.lines(place.path)
    end = min(place.line_end, len(code))
    while end > place.line_start and not code[end - 1].strip():
        end -= 1
    excerpt = context.code.excerpt(place.path, place.line_start, end, room, _MAX_LINE)
    lines = [head, excerpt.text]
    if excerpt.line_end < end:
        lines.append(f"(to line {end})")
    seen = Shown(
        place.path, place.line_start, max(excerpt.line_end, place.line_start), place.symbol
    )
    return "\n".join(lines), seen
