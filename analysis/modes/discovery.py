"""The places that ranking proposes for a question, as far as a model may see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.modes import search_intent

if TYPE_CHECKING:
    from analysis.documents import CodeView
    from analysis.index.code_index import CodeIndex
    from analysis.models import AskRequest, Candidate
    from analysis.tools.prompt_code import PromptCode


def discovered(
    request: AskRequest, index: CodeIndex, view: CodeView, code: PromptCode
) -> tuple[Candidate, ...]:
    """Return the ranked places, best first, then more of the same files; blocking."""
    from analysis.retrieval.search import SearchOptions, search

    location = request.location
    options = SearchOptions(top_k=request.top_k, location=location.path if location else None)
    result = search(index, search_intent.read(request, view).query, options)
    found = [*result.candidates, *(c for more in result.more.values() for c in more)]
    allowed = frozenset(code.allow(candidate.path for candidate in found))
    return tuple(c for c in dict.fromkeys(found) if c.path in allowed)
