"""Places for programs and people: what a question, a name or a path leads to, within a budget.

What ``scope analyze``, the editor's quick pick and the MCP tool have in common.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from analysis.errors import ScopeError
from analysis.json_output import plain
from analysis.models import Candidate, Span
from analysis.tokens import text_tokens
from analysis.tools.fitting import cut_lines

if TYPE_CHECKING:
    from analysis.index.code_index import CodeIndex
    from analysis.index.difference import RefreshReport

# What surrounds the hits: the query, the counts, the names of the fields.
_ENVELOPE_TOKENS = 120
_ALL = 100_000


@dataclass(frozen=True, slots=True)
class FindOptions:
    """What to look for, and how much of it to give."""

    top_k: int = 15
    language: str | None = None
    path_globs: tuple[str, ...] = ()
    include_code: bool = False
    max_lines: int = 80
    """Lines of code per hit; longer definitions are shortened, and say so."""
    explain: bool = False
    """Whether to say what each signal of the ranking added to the score."""
    max_tokens: int | None = None
    """For all hits with their code; hits that do not fit are counted, not given."""


@dataclass(frozen=True, slots=True)
class Hit(Span):
    """A place that may be meant, and why."""

    symbol: str | None
    kind: str
    signature: str
    score: float
    reasons: tuple[str, ...]
    registered: tuple[str, ...] = ()
    """Where it is registered, handed over or named by a string, of the first hits."""
    code: str | None = None
    """Source, if it was asked for; a shortened one ends with a line that says so."""
    signals: Mapping[str, float] = field(default_factory=dict)
    """What each signal of the ranking added to the score of the file."""


@dataclass(frozen=True, slots=True)
class SearchHits:
    """Hits, best first, and what they were chosen from."""

    query: str
    hits: tuple[Hit, ...]
    left_out: int
    """Places and files that were found and are not given, for ``top_k`` or ``max_tokens``."""
    files: int
    """Files that were searched."""
    skipped: dict[str, int]
    """How many files were left out of the search, by reason."""
    notices: tuple[str, ...] = ()
    complete: bool = True
    """False while the index is still being built."""
    unread: int | None = 0
    """Files that are still to be read; None if it is not known how many."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a query leads to, before anything is left out for its size."""

    query: str
    hits: tuple[Hit, ...]
    """Best first; with all their lines, if code was asked for."""
    matched: int
    """How many places and files there are."""
    report: RefreshReport
    notices: tuple[str, ...]

    def within(self, options: FindOptions) -> SearchHits:
        """Return the hits that fit; what is too long of their code is shortened."""
        given = tuple(_within(self.hits, options))
        report = self.report
        notes = report.notes if report.complete else (*report.notes, report.gap)
        return SearchHits(
            query=self.query,
            hits=given,
            left_out=max(self.matched, len(self.hits)) - len(given),
            files=report.total,
            skipped=dict(report.skipped),
            notices=tuple(dict.fromkeys((*self.notices, *notes))),
            complete=report.complete,
            unread=report.unread,
        )


def ranked(
    index: CodeIndex,
    report: RefreshReport,
    query: str,
    options: FindOptions,
    read_lines: Callable[[str, int, int], str],
    with_ways: Callable[[Sequence[Hit]], list[Hit]] = list,
) -> Ranked:
    """Return the places that a query leads to.

    A path or file name leads to that file's definitions, anything else is searched for.

    Args:
        index: What is searched.
        report: How it was brought up to date.
        query: A question, a name or a path.
        options: What to look for.
        read_lines: Returns lines of a file, from the first to the last; raises ``ScopeError``.
        with_ways: Returns hits with where they are registered; see ``with_registration``.
    """
    hits, matched = _searched(index, query, options)
    hits = with_ways(hits)
    if options.include_code:
        hits = [_with_code(hit, read_lines) for hit in hits]
    return Ranked(query, tuple(hits), matched, report, tuple(index.notices))


def findings_shape(
    found: SearchHits, *, with_code: bool, with_signals: bool = False
) -> dict[str, Any]:
    """Return ``{query, hits, left_out, searched: {files, skipped}, notices}``.

    All hits have the same fields; ``code`` and ``signals`` are among them only if asked for.
    """
    left_out = {"code": not with_code, "signals": not with_signals}
    hits = [
        {name: value for name, value in plain(hit).items() if not left_out.get(name)}
        for hit in found.hits
    ]
    return {
        "query": found.query,
        "hits": hits,
        "left_out": found.left_out,
        "searched": {
            "files": found.files,
            "skipped": dict(found.skipped),
            **({} if found.complete else {"unread": found.unread}),
        },
        "notices": list(found.notices),
    }


def _searched(index: CodeIndex, query: str, options: FindOptions) -> tuple[list[Hit], int]:
    """Return what ranking proposes, and how much more there is: places or files."""
    from analysis.retrieval.search import SearchOptions, search

    wanted = SearchOptions(options.top_k, options.language, options.path_globs, only_places=True)
    result = search(index, query, wanted)
    if result.names_files and len(result.places) == options.top_k:
        # What these files hold beyond the cut is not counted by the search.
        everything = search(index, query, replace(wanted, top_k=_ALL))
        n_below = len(everything.places) - len(result.places)
    else:
        n_below = result.matched - len({place.path for place in result.places})
    hits = [
        _hit_from(place, signals if options.explain else {})
        for place, signals in zip(result.places, result.explain_places, strict=True)
    ]
    return hits, len(hits) + max(n_below, 0)


def _hit_from(candidate: Candidate, signals: Mapping[str, float]) -> Hit:
    """Return a ranked place as a hit."""
    return Hit(
        candidate.path, candidate.line_start, candidate.line_end, candidate.symbol, candidate.kind,
        candidate.signature, candidate.score, candidate.reasons, signals=signals,
    )  # fmt: skip


def _with_code(hit: Hit, read_lines: Callable[[str, int, int], str]) -> Hit:
    """Return the hit with its lines, the longest of them cut."""
    try:
        code = read_lines(hit.path, hit.line_start, hit.line_end)
    except ScopeError:
        return hit  # The file went away since the index was refreshed.
    return replace(hit, code=cut_lines(code.removesuffix("\n")))


def _within(hits: Sequence[Hit], options: FindOptions) -> Iterator[Hit]:
    """Yield the hits that fit, in order; what is too long of their code is shortened."""
    left = math.inf if options.max_tokens is None else options.max_tokens - _ENVELOPE_TOKENS
    for hit in hits:
        fitting = _fitting(hit, min(options.max_lines, _lines_of_its_own(hit, hits)), left)
        cost = _cost(fitting)
        if left < cost:
            return
        left -= cost
        yield fitting


def _lines_of_its_own(hit: Hit, hits: Sequence[Hit]) -> int:
    """Return how many lines of a hit come before the first other hit that lies inside it.

    A class is shown with its head when its methods are hits too: no line is shown twice.
    """
    inside = (
        other.line_start - hit.line_start
        for other in hits
        if other.path == hit.path
        and hit.line_start < other.line_start
        and other.line_end <= hit.line_end
    )
    return min(inside, default=hit.line_end - hit.line_start + 1)


def _fitting(hit: Hit, max_lines: int, max_tokens: float) -> Hit:
    """Return the hit with as much of its code as fits; without any if only that fits."""
    if hit.code is None:
        return hit
    n_lines = min(max_lines, hit.code.count("\n") + 1)
    while n_lines:
        shorter = replace(hit, code=_shortened(hit.code, hit, n_lines))
        if _cost(shorter) <= max_tokens:
            return shorter
        n_lines //= 2
    return replace(hit, code=None)


def _shortened(code: str, hit: Hit, max_lines: int) -> str:
    """Return at most ``max_lines`` lines, and a line that names what is missing."""
    lines = code.split("\n")
    n_missing = len(lines) - max_lines
    if n_missing <= 1:  # The line that tells of one missing line would take its place.
        return code
    first = hit.line_start + max_lines
    rest = f"... ({n_missing} more lines: {first}-{hit.line_end})"
    return "\n".join([*lines[:max_lines], rest])


def _cost(hit: Hit) -> int:
    """Return what a hit takes in the most talkative form of output."""
    return text_tokens(json.dumps(asdict(hit), ensure_ascii=False))
