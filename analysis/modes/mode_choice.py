"""Chooses the mode that answers a question, and says why."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.errors import ModelNotConfigured
from analysis.models import AskRequest
from analysis.modes.registry import MODES
from analysis.modes.scoped_request import NEEDED

if TYPE_CHECKING:
    from analysis.llm.chat_model import ChatModel
    from analysis.modes.query_profile import QueryProfile
    from analysis.settings import Settings


@dataclass(frozen=True, slots=True)
class Choice:
    """A mode, and why it was chosen."""

    mode: str
    reason: str
    """A clause that goes on after "because"."""

    @property
    def sentence(self) -> str:
        """What a reader of the document is told."""
        return f"Mode: {self.mode}, chosen because {self.reason}."


_NO_MODEL = Choice("offline", "no model is set")
_NO_FINDINGS = Choice("pipeline", "in the other modes each step sees 'findings' of those before")
_WITHHELD = Choice("offline", "'allowed_scopes' lacks what a model needs, input and workspace")
_NEVER_SEND = Choice("offline", "'model.never_send' is set")


def with_mode(
    request: AskRequest, model: ChatModel | None, settings: Settings
) -> tuple[AskRequest, ChatModel | None]:
    """Return a question with the mode that answers it, and why, and with the model for it.

    Raises:
        ModelNotConfigured: The mode needs a model, and none is set.
    """
    named = MODES.get(request.mode)
    if named is not None and not named.needs_model:
        return request, None
    if settings.model.never_send:
        chosen, model = _NEVER_SEND, None
    elif not set(NEEDED) <= set(settings.allowed_scopes):
        chosen, model = _WITHHELD, None
    elif model is None:
        if request.mode != "auto":
            from analysis.llm.configured import no_model

            raise no_model(request.mode)
        chosen = _NO_MODEL
    elif "findings" not in settings.allowed_scopes and request.mode != "pipeline":
        chosen = _NO_FINDINGS
    elif request.mode != "auto":
        return request, model
    else:
        from analysis.modes.query_profile import profile  # many patterns, of use to a model alone

        chosen = choose(profile(request.question, request.diagnostic))
    return dataclasses.replace(request, mode=chosen.mode, mode_reason=chosen.sentence), model


def possible_modes(model: ChatModel | None, settings: Settings) -> list[str]:
    """Return the modes in which a question that names them is answered, in the order of all."""
    found = []
    for mode in MODES:
        try:
            request, _ = with_mode(AskRequest("Which?", mode=mode), model, settings)
        except ModelNotConfigured:
            continue
        if request.mode == mode:
            found.append(mode)
    return found


def choose(found: QueryProfile) -> Choice:
    """Return the mode for a question that a model is there to answer.

    With a reader that understands, the pipeline wrote the best documents, for half of what other
    modes take: it reads all that it needs at once. Only a complex question of several parts is
    planned.
    """
    size = f"{found.level} question ({found.complexity} of 100)"
    if found.level == "complex" and found.n_parts > 1:
        return Choice("plan", f"it is a {size} of {found.n_parts} parts")
    if found.query_type == "locate":
        return Choice("pipeline", "it asks for a place")
    return Choice("pipeline", f"it is a {size}")
