"""Places for programs and people: what a question, a name or a path leads to, within a budget.

What ``scope analyze``, the editor's quick pick and the MCP tool have in common.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from analysis.errors import ScopeError
from analysis.models import Candidate, SymbolInfo
from analysis.parsing.outline import walk

if TYPE_CHECKING:
    from analysis.engine import Engine
    from analysis.events import StopFlag


# What surrounds the hits: the query, the counts, the names of the fields.
_ENVELOPE_TOKENS = 120


@dataclass(frozen=True, slots=True)
class FindOptions:
    """What to look for, and how much of it to give."""

    top_k: int = 15
    language: str | None = None
    path_globs: tuple[str, ...] = ()
    include_code: bool = False
    max_lines: int = 80
    """Lines of code per hit; longer definitions are shortened, and say so."""
    max_tokens: int | None = None
    """For all hits with their code; hits that do not fit are counted, not given."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that may be meant, and why."""

    path: str
    line_start: int
    line_end: int
    symbol: str | None
    kind: str
    signature: str
    score: float
    reasons: tuple[str, ...]
    code: str | None = None
    """Source, if it was asked for; a shortened one ends with a line that says so."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Hits, best first, and what they were chosen from."""

    query: str
    hits: tuple[Hit, ...]
    left_out: int
    """Hits that were found and are not given, for ``top_k`` or ``max_tokens``."""
    files: int
    """Files that were searched."""
    skipped: dict[str, int]
    """How many files were left out of the search, by reason."""
    notices: tuple[str, ...] = ()


def find(
    engine: Engine, query: str, options: FindOptions, stop: StopFlag | None = None
) -> Findings:
    """Return the places that a query leads to.

    A path or file name leads to that file's definitions, anything else is searched for.
    """
    report = engine.prepare(stop=stop)
    found = _in_named_file(engine, query) or _searched(engine, query, options)
    hits = found[: options.top_k]
    if options.include_code:
        hits = [_with_code(engine, hit) for hit in hits]
    hits = list(_within(hits, options.max_lines, options.max_tokens))
    notices = (*engine.index.notices, *report.notes)
    return Findings(
        query, tuple(hits), len(found) - len(hits), report.total, dict(report.skipped), notices
    )


def estimated_tokens(text: str) -> int:
    """Return at least as many tokens as the usual tokenizers make of code and prose.

    They make one token of three to four ASCII characters of code, and one to three of a character
    outside ASCII.
    """
    n_ascii = len(text.encode("ascii", "ignore"))
    return math.ceil(n_ascii / 3) + 2 * (len(text) - n_ascii)


def _in_named_file(engine: Engine, query: str) -> list[Hit]:
    """Return the definitions of the file that the query names; of several files, the files."""
    name = query.strip().replace("\\", "/").removeprefix("./")
    if not name or any(character.isspace() for character in name) or not {".", "/"} & set(name):
        return []
    paths = [path for path in engine.index.file_table().paths if f"/{path}".endswith(f"/{name}")]
    if name in paths:
        paths = [name]
    hits: list[Hit] = []
    for path in paths:
        outline = engine.outline(path)
        reason = f"the file is named {query!r}"
        if len(paths) == 1:
            hits += [_hit_of(path, info, reason) for info in walk(outline)]
        if not hits or len(paths) > 1:
            last = max(outline.line_count, 1)
            about = outline.docstring or ""
            hits.append(Hit(path, 1, last, None, "module", about, 1.0, (reason,)))
    return hits


def _hit_of(path: str, info: SymbolInfo, reason: str) -> Hit:
    """Return a definition as a hit."""
    return Hit(
        path, info.decorated_line, info.line_end, info.qualified_name, info.kind, info.signature,
        1.0, (reason,),
    )  # fmt: skip


def _searched(engine: Engine, query: str, options: FindOptions) -> list[Hit]:
    """Return what ranking proposes."""
    import importlib

    retrieval = importlib.import_module("analysis.retrieval.search")

    wanted = retrieval.SearchOptions(
        top_k=options.top_k, language=options.language, path_globs=options.path_globs
    )
    result = retrieval.search(engine.index, query, wanted)
    return [_hit_from(candidate) for candidate in result.candidates]


def _hit_from(candidate: Candidate) -> Hit:
    """Return a ranked place as a hit."""
    return Hit(
        candidate.path, candidate.line_start, candidate.line_end, candidate.symbol, candidate.kind,
        candidate.signature, candidate.score, candidate.reasons,
    )  # fmt: skip


def _with_code(engine: Engine, hit: Hit) -> Hit:
    """Return the hit with its lines."""
    try:
        code = engine.files.read_lines(hit.path, hit.line_start, hit.line_end)
    except ScopeError:
        return hit  # The file went away since the index was refreshed.
    return replace(hit, code=code.removesuffix("\n"))


def _within(hits: list[Hit], max_lines: int, max_tokens: int | None) -> Iterator[Hit]:
    """Yield the hits that fit, in order; what is too long of their code is shortened."""
    left = math.inf if max_tokens is None else max_tokens - _ENVELOPE_TOKENS
    for hit in hits:
        fitting = _fitting(hit, max_lines, left)
        cost = _cost(fitting)
        if left < cost:
            return
        left -= cost
        yield fitting


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
    if len(lines) <= max_lines:
        return code
    first = hit.line_start + max_lines
    rest = f"... ({len(lines) - max_lines} more lines: {first}-{hit.line_end})"
    return "\n".join([*lines[:max_lines], rest])


def _cost(hit: Hit) -> int:
    """Return what a hit takes in the most talkative form of output."""
    return estimated_tokens(json.dumps(asdict(hit), ensure_ascii=False))
