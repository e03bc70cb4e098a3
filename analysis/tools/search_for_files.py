"""The tool that finds files by words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from analysis.errors import ToolRetry
from analysis.tools.tool import Shown, ToolContext, ToolResult, tool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analysis.models import Candidate

LIMIT = 7_500
MOST_FILES = 15
_MAX_SIGNATURE = 140
# The strongest ones; the rest only repeats them.
_MOST_REASONS = 2
_MAX_REASONS = 120
_MORE_PLACES = 3
_NOTE = 160


@tool(LIMIT)
def search_for_files(
    context: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=1_000)],
    path_globs: list[str] | None = None,
) -> ToolResult:
    """Find the files that a question or some words are about: the best 15, with reasons.

    Ranked by names, definitions, comments and text; words need not match exactly. For an exact
    text use grep_in_files. Next: get_file_outline of the best, or read_symbol of a place.

    Args:
        query: The question, or words and names from it.
        path_globs: Only files that match one of these, as in ['src/**', '*.py', '!**/tests/**'].
    """
    return ranked_files(context, query, MOST_FILES, tuple(path_globs or ()))


def ranked_files(
    context: ToolContext,
    query: str,
    most: int,
    path_globs: tuple[str, ...] = (),
    narrower: str = "path_globs",
) -> ToolResult:
    """Return the best files for a query, each with its best places and why it was found.

    Args:
        context: What tools work on.
        query: Words.
        most: How many files at most.
        path_globs: Only files that match one of these.
        narrower: The argument that narrows the search.

    Raises:
        ToolRetry: The query holds nothing that could be searched for.
    """
    from analysis.retrieval.search import SearchOptions, search

    options = SearchOptions(top_k=most, path_globs=path_globs)
    result = search(context.index, query, options)
    if result.question.empty:
        raise ToolRetry(f"{query[:100]!r} holds no word to search for. Use names and nouns.")
    allowed = frozenset(context.code.allow(result.files))
    best = [candidate for candidate in _firsts(result.candidates) if candidate.path in allowed]
    if not best:
        where = f" in {', '.join(path_globs)}" if path_globs else ""
        return ToolResult(f"Nothing found{where} for {query[:200]!r}. Try other words.", "high")
    lines: list[str] = []
    room = LIMIT - _NOTE
    given: list[Candidate] = []
    for candidate in best:
        entry = _entry(candidate, _others(candidate, result.more, result.candidates))
        room -= len(entry) + 1
        if room < 0:
            break
        lines.append(entry)
        given.append(candidate)
    n_left = max(result.matched, len(best)) - len(given)
    if n_left:
        lines.append(f"({n_left} more files match: use rarer words, or {narrower})")
    places = [c for c in result.candidates if c.path in {item.path for item in given}]
    return ToolResult(
        "\n".join(lines),
        "high",
        summary=f"search {query[:80]!r} found {', '.join(c.path for c in given)}",
        found=tuple(Shown(c.path, c.line_start, c.line_end, c.symbol) for c in places),
        paths=tuple(candidate.path for candidate in given),
    )


def _firsts(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the best place of each file, in order."""
    firsts: dict[str, Candidate] = {}
    for candidate in candidates:
        firsts.setdefault(candidate.path, candidate)
    return list(firsts.values())


def _others(
    best: Candidate, more: Mapping[str, Sequence[Candidate]], candidates: Sequence[Candidate]
) -> list[Candidate]:
    """Return further places in the file of a place."""
    places = more.get(best.path) or [c for c in candidates if c.path == best.path]
    return [place for place in places if place != best and place.symbol][:_MORE_PLACES]


def _entry(candidate: Candidate, others: Sequence[Candidate]) -> str:
    """Return a file with its best places, and why it was found."""
    place = f"{candidate.path}:{candidate.line_start}-{candidate.line_end}"
    signature = candidate.signature or candidate.symbol or ""
    if candidate.symbol and "." in candidate.symbol:
        signature = f"{candidate.symbol}: {signature}"
    lines = [f"{place} {signature[:_MAX_SIGNATURE]}".rstrip()]
    if others:
        also = ", ".join(f"{o.symbol} {o.line_start}-{o.line_end}" for o in others)
        lines.append(f" also {also}")
    if candidate.reasons:
        lines.append(f" ({reasons_text(candidate)})")
    return "\n".join(lines)


def reasons_text(candidate: Candidate) -> str:
    """Return why a place was found, in a few words."""
    return "; ".join(candidate.reasons[:_MOST_REASONS])[:_MAX_REASONS]
