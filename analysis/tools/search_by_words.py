"""The tools that find files and places by words: the search of each mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from analysis.errors import ToolRetry
from analysis.models import Candidate
from analysis.parsing.find_symbols import find_symbols
from analysis.tools.grep_in_files import grepped
from analysis.tools.read_symbol import DefinitionRead
from analysis.tools.tool import Shown, ToolContext, ToolOutput, ToolResult, tool

if TYPE_CHECKING:
    from analysis.retrieval.search import SearchResult

LIMIT = 7_500
MOST_FILES = 15
MOST_PLACES = 10
_MAX_SIGNATURE = 140
# The strongest ones; the rest only repeats them.
_MOST_REASONS = 2
_MAX_REASONS = 120
_MORE_PLACES = 3
_MAX_LINE = 200
_NOTE = 160
# Less of a definition than this tells nothing.
_LEAST = 400


@tool(LIMIT)
def search_for_files(
    context: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=1_000)],
    path_globs: list[str] | None = None,
) -> ToolOutput:
    """Find the files that a question or some words are about: the best 15, with reasons.

    Ranked by names, definitions, comments and text; words need not match exactly. For an exact
    text use grep_in_files. Next: get_file_outline of the best, or read_symbol of a place.

    Args:
        query: The question with words that identifiers may have for it, or words and names.
        path_globs: Only files that match one of these, as in ['src/**', '*.py', '!**/tests/**'].
    """
    return _ranked_files(context, query, tuple(path_globs or ()), "path_globs")


@tool(LIMIT, name="search_codebase")
def search_by_term(
    context: ToolContext,
    term: Annotated[str, Field(min_length=1, max_length=500)],
    pattern: str = "*",
    regex: bool = False,  # noqa: FBT001, FBT002 (the model names its arguments)
) -> ToolOutput:
    r"""Find files by words, best first with reasons, or lines by a regular expression.

    Args:
        term: Words and names to search for, or with regex an expression, as in 'def \w+_token'.
        pattern: Only files whose path matches, as in 'src/**' or '*.py'.
        regex: Whether the term is a regular expression.
    """
    globs = () if pattern.strip() in ("", "*", "**", "**/*") else (pattern.strip(),)
    if regex:
        return grepped(context, term, globs, ignore_case=False, narrower="pattern")
    return _ranked_files(context, term, globs, "pattern")


@tool(LIMIT)
def search_codebase(
    context: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=1_000)],
    n_results: Annotated[int, Field(ge=1, le=MOST_PLACES)] = 5,
) -> ToolOutput:
    """Find the places that a question or some words are about, and show their code.

    Ranked by names, definitions, comments and text; words need not match exactly. Long places are
    cut. Next: get_callers, get_callees, or read_file for the rest of a file.

    Args:
        query: The question with words that identifiers may have for it, or words and names.
        n_results: How many places.
    """
    result = _searched(context, query, max(n_results, MOST_PLACES))
    allowed = frozenset(context.code.allow(place.path for place in result.places))
    places = [place for place in result.places if place.path in allowed][:n_results]
    return PlacesFound(query, tuple(places), result.matched)


@dataclass(frozen=True, slots=True)
class FilesFound(ToolOutput):
    """Files, best first, each with its best places and why it was found."""

    query: str
    best: tuple[Candidate, ...]
    """The best place of each file."""
    places: tuple[Candidate, ...]
    """All places that the ranking proposes."""
    more: Mapping[str, Sequence[Candidate]]
    """Further places, by file."""
    matched: int
    """How many files match."""
    path_globs: tuple[str, ...]
    narrower: str
    """The argument that narrows the search."""

    def text(self, context: ToolContext) -> ToolResult:
        """Return the files that fit, and how many more there are."""
        if not self.best:
            where = f" in {', '.join(self.path_globs)}" if self.path_globs else ""
            nothing = f"Nothing found{where} for {self.query[:200]!r}. Try other words."
            return ToolResult(nothing, "high")
        lines: list[str] = []
        room = LIMIT - _NOTE
        given: list[str] = []
        for candidate in self.best:
            entry = _file_entry(candidate, self._others(candidate))
            room -= len(entry) + 1
            if room < 0:
                break
            lines.append(entry)
            given.append(candidate.path)
        n_left = max(self.matched, len(self.best)) - len(given)
        if n_left:
            lines.append(f"({n_left} more files match: use rarer words, or {self.narrower})")
        places = [place for place in self.places if place.path in given]
        return ToolResult(
            "\n".join(lines),
            "high",
            summary=f"search {self.query[:80]!r} found {', '.join(given)}",
            found=tuple(Shown(c.path, c.line_start, c.line_end, c.symbol) for c in places),
            paths=tuple(given),
        )

    def _others(self, best: Candidate) -> list[Candidate]:
        """Return further places in the file of a place."""
        places = self.more.get(best.path) or [c for c in self.places if c.path == best.path]
        return [place for place in places if place != best and place.symbol][:_MORE_PLACES]


@dataclass(frozen=True, slots=True)
class PlacesFound(ToolOutput):
    """Places, best first, which are shown with their code."""

    query: str
    places: tuple[Candidate, ...]
    matched: int
    """How many files match."""

    def text(self, context: ToolContext) -> ToolResult:
        """Return the places with as much of their code as fits."""
        if not self.places:
            nothing = f"Nothing found for {self.query[:200]!r}. Try other words."
            return ToolResult(nothing, "high")
        lines: list[str] = []
        shown: list[Shown] = []
        room, n_given = LIMIT - _NOTE, 0
        for number, place in enumerate(self.places):
            # What comes later is kept its least: the best places are shown whole.
            share = max(room - _LEAST * (len(self.places) - number - 1), _LEAST)
            text, seen = _place_entry(context, place, share)
            if len(text) > room:
                break
            room -= len(text) + 1
            lines.append(text)
            shown += seen
            n_given += 1
        n_left = max(self.matched, len(self.places)) - n_given
        if n_left > 0:
            how = f"n_results up to {MOST_PLACES}, or rarer words"
            lines.append(f"({n_left} more files match: {how})")
        names = ", ".join(f"{place.path} {place.symbol or ''}".strip() for place in self.places)
        return ToolResult(
            "\n".join(lines),
            "high",
            summary=f"search {self.query[:80]!r} found {names}",
            shown=tuple(shown),
            paths=tuple(dict.fromkeys(place.path for place in shown)),
        )


def _searched(
    context: ToolContext, query: str, top_k: int, path_globs: tuple[str, ...] = ()
) -> SearchResult:
    """Return what the ranking proposes.

    Raises:
        ToolRetry: The query holds nothing that could be searched for.
    """
    from analysis.retrieval.search import SearchOptions, search

    result = search(context.index, query, SearchOptions(top_k=top_k, path_globs=path_globs))
    if result.question.empty:
        raise ToolRetry(f"{query[:100]!r} holds no word to search for. Use names and nouns.")
    return result


def _ranked_files(
    context: ToolContext, query: str, path_globs: tuple[str, ...], narrower: str
) -> FilesFound:
    """Return the best files for a query."""
    result = _searched(context, query, MOST_FILES, path_globs)
    allowed = frozenset(context.code.allow(result.files))
    best: dict[str, Candidate] = {}
    for candidate in result.candidates:
        if candidate.path in allowed:
            best.setdefault(candidate.path, candidate)
    return FilesFound(
        query,
        tuple(best.values()),
        tuple(result.candidates),
        result.more,
        result.matched,
        path_globs,
        narrower,
    )


def _file_entry(candidate: Candidate, others: Sequence[Candidate]) -> str:
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
        lines.append(f" ({_reasons(candidate)})")
    return "\n".join(lines)


def _place_entry(
    context: ToolContext, place: Candidate, max_chars: int
) -> tuple[str, tuple[Shown, ...]]:
    """Return a place with its code, and how much of it is there."""
    reasons = f" ({_reasons(place)})" if place.reasons else ""
    if (definition := _definition_at(context, place)) is not None:
        read = definition.within(context, max_chars - len(reasons))
        head, _, code_lines = read.text.partition("\n")
        return f"{head}{reasons}\n{code_lines}", read.shown
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
    last = max(excerpt.line_end, place.line_start)
    return "\n".join(lines), (Shown(place.path, place.line_start, last, place.symbol),)


def _definition_at(context: ToolContext, place: Candidate) -> DefinitionRead | None:
    """Return the definition that a place is, or is a piece of; None if it is none."""
    outline = context.code.outline(place.path) if place.symbol else None
    if outline is None or place.symbol is None:
        return None
    at = [
        info
        for info in find_symbols(outline, place.symbol)
        if info.decorated_line <= place.line_start <= info.line_end and info.kind != "variable"
    ]
    return DefinitionRead(outline, at[0]) if len(at) == 1 else None


def _reasons(candidate: Candidate) -> str:
    """Return why a place was found, in a few words."""
    return "; ".join(candidate.reasons[:_MOST_REASONS])[:_MAX_REASONS]
