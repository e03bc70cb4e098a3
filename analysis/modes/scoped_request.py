"""What of a question may go to a model: the kinds of context of an ask, and the filter over them.

The kinds are those of ``analysis.settings.ContextKind``. The words of the question are ``input``;
``findings`` are what a run finds out itself and passes on from one step to the next.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.calls import Context
    from analysis.models import AskRequest
    from analysis.settings import ContextKind

NEEDED = ("input", "workspace")
"""Without these there is nothing that a model could answer from."""


@dataclass(frozen=True, slots=True)
class ScopedRequest:
    """A question, cut down to what may be seen of it."""

    request: AskRequest
    sent: tuple[str, ...]
    """The kinds of context that are there and may be seen."""
    withheld: tuple[str, ...]
    """The kinds that are there and may not."""

    @property
    def missing(self) -> tuple[str, ...]:
        """What is withheld although no model can answer without it."""
        return tuple(kind for kind in NEEDED if kind in self.withheld)


def may_see(request: AskRequest, kind: ContextKind) -> bool:
    """Return whether a model may see a kind of context in the run of this question."""
    return request.scopes is None or kind in request.scopes


def context_of_request(request: AskRequest, unsaved: Collection[str] = ()) -> Context:
    """Return what there is to see, as messages; of the code only that it is there.

    Args:
        request: The question with all that goes along with it.
        unsaved: Open files whose text was not saved.
    """
    from analysis.calls import ContextMessage

    place = dataclasses.asdict(request.location) if request.location else {}
    found: list[tuple[str, dict[str, Any]]] = [("input", {"question": request.question})]
    if place or request.symbol or request.within:
        state = {**place, "symbol": request.symbol, "within": list(request.within)}
        found.append(("state", state))
    if request.selection:
        found.append(("selection", {**place, "text": request.selection}))
    if request.diagnostic:
        found.append(("diagnostics", {"problem": request.diagnostic}))
    if request.changes:
        found.append(("changes", {"of": request.changes}))
    if request.follow_up:
        found.append(("history", {"document": request.follow_up}))
    if unsaved:
        found.append(("open_files", {"files": sorted(unsaved)}))
    found += [("workspace", {}), ("findings", {})]
    return tuple(ContextMessage(kind, content) for kind, content in found)


def scoped_request(
    request: AskRequest, allowed: Collection[str], unsaved: Collection[str] = ()
) -> ScopedRequest:
    """Return the question with nothing in it that is out of scope.

    Args:
        request: The question with all that goes along with it.
        allowed: The kinds of context that may be seen.
        unsaved: Open files whose text was not saved.
    """
    from analysis.calls import in_scope, withheld

    context = context_of_request(request, unsaved)
    sent = tuple(message.type for message in in_scope(context, allowed))
    has_place = "state" in sent or "selection" in sent
    cut = dataclasses.replace(
        request,
        location=request.location if has_place else None,
        symbol=request.symbol if "state" in sent else None,
        selection=request.selection if "selection" in sent else None,
        diagnostic=request.diagnostic if "diagnostics" in sent else None,
        changes=request.changes if "changes" in sent else None,
        follow_up=request.follow_up if "history" in sent else None,
        scopes=tuple(allowed),
    )
    return ScopedRequest(cut, sent, withheld(context, allowed))
