"""From settings and environment to a model and the limits of a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from analysis.errors import ModelNotConfigured
from analysis.events import Emit, unwatched

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.llm.budget import Limits
    from analysis.llm.calls import Gate, ModelCalls
    from analysis.llm.chat_model import ChatModel, ModelFacts
    from analysis.settings import ModelSettings, Settings
    from analysis.stopping import StopFlag

MODEL_VARIABLE = "SCOPE_MODEL"
BASE_VARIABLE = "SCOPE_API_BASE"
FINAL_OUTPUT = 4_000
"""Most tokens of the document that the model writes, unless the settings say so."""
# What the request for the document sends, where it is not set.
_FINAL_PROMPT = 30_000


def model_name(settings: ModelSettings, environment: Mapping[str, str]) -> str | None:
    """Return the name of the configured model; None if there is none."""
    return settings.name or environment.get(MODEL_VARIABLE) or None


def configured_model(settings: ModelSettings, environment: Mapping[str, str]) -> ChatModel | None:
    """Return the configured model; None if there is none. Nothing is imported or sent yet."""
    name = model_name(settings, environment)
    if name is None:
        return None
    from analysis.llm.learned import learned_of
    from analysis.llm.litellm_model import LiteLlmModel, ModelAddress
    from analysis.llm.prices import host_of

    address = ModelAddress(
        model=name,
        api_base=settings.api_base or environment.get(BASE_VARIABLE) or None,
        headers=settings.headers,
        proxy=settings.proxy,
        context_tokens=settings.context_tokens,
        piece_timeout_s=settings.piece_timeout_s,
        timeout_s=settings.timeout_s,
        load_timeout_s=settings.load_timeout_s,
        reasoning_effort=settings.reasoning_effort,
    )
    host = host_of(name, address.api_base, environment)
    return LiteLlmModel(address, environment, learned_of(name, host))


def lacks_library(model: ChatModel | None) -> bool:
    """Return whether a model cannot be asked because the library that reaches it is missing."""
    if model is None:
        return False
    from analysis.llm.litellm_model import LiteLlmModel

    return isinstance(model, LiteLlmModel) and not model.is_reachable


def limits_of(settings: Settings, default_tokens: int, facts: ModelFacts) -> Limits:
    """Return what one question may take; ``default_tokens`` holds where no setting does."""
    from analysis.llm.budget import Limits

    model = settings.model
    written = model.output_tokens or FINAL_OUTPUT + facts.thinking_tokens
    return Limits(
        tokens=settings.budget.tokens or default_tokens,
        usd=settings.budget.usd,
        final_tokens=(model.final_tokens or _FINAL_PROMPT) + written,
    )


def model_calls(
    model: ChatModel,
    settings: Settings,
    default_tokens: int,
    *,
    root: Path | None,
    stop: StopFlag,
    gate: Gate | None = None,
    emit: Emit = unwatched,
) -> ModelCalls:
    """Return the way to a model for one question, with all limits in force.

    Args:
        model: The configured one, or the editor's.
        settings: All of them.
        default_tokens: What the question may take, unless the settings say so.
        root: Where the audit log is kept; None for a code base that is not the user's to write to.
        stop: Ends the calls when set.
        gate: Who has to agree before a request leaves.
        emit: Shows what the calls take.
    """
    from analysis.llm.audit import AuditLog
    from analysis.llm.budget import BudgetTracker
    from analysis.llm.calls import CallLimits, ModelCalls
    from analysis.llm.throttle import shared_throttle

    facts = model.facts
    return ModelCalls(
        model,
        BudgetTracker(limits_of(settings, default_tokens, facts), facts),
        shared_throttle(facts.host, facts.name, _throttled(facts, settings)),
        stop=stop,
        audit=AuditLog(root) if root is not None else None,
        limits=CallLimits(
            settings.model.request_tokens,
            settings.model.final_tokens,
            settings.model.output_tokens,
        ),
        gate=gate,
        emit=emit,
    )


def _throttled(facts: ModelFacts, settings: Settings) -> int | None:
    """Return the set limit of tokens a minute; a model on this machine has none."""
    from analysis.llm.prices import is_local

    return None if is_local(facts.host) else settings.model.tokens_per_minute


def no_model(mode: str) -> ModelNotConfigured:
    """Return the error for a mode that needs a model where there is none."""
    return ModelNotConfigured(
        f"The mode {mode!r} needs a model, and none is set.",
        "Name one with --model, 'model.name' or SCOPE_MODEL ('scope models' lists which can be "
        "used), or ask with --mode offline.",
    )
