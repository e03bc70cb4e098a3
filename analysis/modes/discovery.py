"""The places that ranking proposes for a question, as far as a model may see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.events import Notice
from analysis.modes import search_intent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.models import Candidate
    from analysis.modes.job import Job
    from analysis.tools.fences import Fences

# So many ranked places are named to a model that searches by itself.
_NAMED = 10


def discovered(job: Job, words: Sequence[str] = ()) -> tuple[Candidate, ...]:
    """Return the ranked places, best first, then more of the same files; blocking.

    Words that the code may have for what is asked are searched for along with it.
    """
    from analysis.retrieval.search import SearchOptions, search

    if job.request.within and not words:
        where = search_intent.where(job.request)
        job.emit(Notice(f"The search began in {where}, as attached to the question."))
    location = job.request.location
    options = SearchOptions(
        top_k=job.request.top_k,
        path_globs=search_intent.globs(job.request),
        location=location.path if location else None,
    )
    query = " ".join([search_intent.read(job.request, job.view).query, *words])
    result = search(job.index, query, options)
    found = [*_changed(job), *result.places, *result.candidates]
    allowed = frozenset(job.code.allow(candidate.path for candidate in found))
    return tuple(c for c in dict.fromkeys(found) if c.path in allowed)


def _changed(job: Job) -> list[Candidate]:
    """Return the definitions that attached changes belong to: of those in the code, some."""
    if job.changes is None:
        return []
    from analysis.changes.changed_code import candidates_of, changed_code

    return candidates_of(changed_code(job.changes, job.view))[: job.request.top_k // 2]


def ranked_places(job: Job, fences: Fences) -> list[str]:
    """Return the best places as a part of a prompt, without their code; empty if there are none.

    A search that begins there saves the turns that would only find them again; blocking.
    """
    return places_named(discovered(job), job, fences, "places that fit the question best")


def places_named(places: Sequence[Candidate], job: Job, fences: Fences, title: str) -> list[str]:
    """Return the first of some places as a part of a prompt, a line each; empty if none."""
    lines = []
    for place in places[:_NAMED]:
        name = job.code.cleared(place.path, place.signature or place.symbol or "")
        lines.append(f"{place.path}:{place.line_start}-{place.line_end} {name}".rstrip())
    return [fences.quoted(title, "\n".join(lines))] if lines else []
