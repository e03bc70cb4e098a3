"""A file at a glance: its definitions as candidates, for a query that names the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.models import Candidate, SymbolInfo
from analysis.retrieval import file_kinds

if TYPE_CHECKING:
    from analysis.index.view import IndexView


def skim(view: IndexView, paths: list[str], top_k: int) -> tuple[Candidate, ...]:
    """Return the definitions of the named files in order of the text, source files first.

    A file without definitions is one candidate, from its first line to its last.
    """
    ordered = sorted(paths, key=lambda path: -file_kinds.factor_of(file_kinds.kinds_of(path), ()))
    candidates: list[Candidate] = []
    for path in ordered:
        rows = view.symbols_in(path)
        reason = f"in the file you named: {path.rsplit('/', 1)[-1]}"
        candidates.extend(_candidate(path, row.info, reason) for row in rows)
        if not rows:
            last = max(view.outline(path).line_count, 1)
            candidates.append(Candidate(path, 1, last, None, "block", "", 1.0, (reason,)))
        if len(candidates) >= top_k:
            break
    return tuple(candidates[:top_k])


def _candidate(path: str, info: SymbolInfo, reason: str) -> Candidate:
    return Candidate(
        path=path,
        line_start=info.decorated_line,
        line_end=info.line_end,
        symbol=info.qualified_name,
        kind=info.kind,
        signature=info.signature,
        score=1.0,
        reasons=(reason,),
    )
