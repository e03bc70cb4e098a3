"""What is set for models, what answers, and what it costs: for one screen, or for a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.errors import ScopeError
from analysis.llm.budget import BudgetExceededError
from analysis.llm.configured import configured_model, model_calls
from analysis.llm.keys import OWN_KEY, key_names
from analysis.llm.messages import Message, ModelRequest
from analysis.llm.prices import provider_of
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.llm.chat_model import ChatModel
    from analysis.settings import Settings

_QUESTION = "Answer with the one word: ready."
_MAX_ANSWER = 200
_MILLION = 1_000_000
_TOKENS = 40_000
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Examination:
    """What there is to know of the configured model; no key, and nothing of any code."""

    model: str | None
    """Its name; None if none is set."""
    host: str = ""
    """Where requests would go."""
    key: str = ""
    """Which variable holds its key, and whether it is set."""
    window: str = ""
    price: str = ""
    limits: str = ""
    answer: str = "not asked"
    """What it answered, or why it did not; ``not asked`` if nothing was sent."""
    is_ready: bool | None = None
    """Whether it answered; None if it was not asked."""


async def examined(settings: Settings, environment: Mapping[str, str], *, ask: bool) -> Examination:
    """Return what is known of the configured model.

    Args:
        settings: All of them.
        environment: Where keys are.
        ask: Whether to send it one short question, which holds no code.
    """
    model = configured_model(settings.model, environment)
    if model is None:
        return Examination(None)
    facts = model.facts
    budget = settings.budget
    money = f" and ${budget.usd:.2f}" if budget.usd is not None else ""
    tokens = f"{budget.tokens:,} tokens" if budget.tokens else "a number of tokens by mode"
    is_ready, answer = await _asked(model, settings) if ask else (None, "not asked")
    return Examination(
        facts.name,
        facts.host,
        _key(facts.name, settings, environment),
        f"{facts.context_tokens:,} tokens" if facts.context_tokens else "not known",
        _price(facts.usd_per_token_in, facts.usd_per_token_out),
        f"a question takes at most {tokens}{money}",
        answer,
        is_ready,
    )


def examination_rows(found: Examination) -> dict[str, str]:
    """Return what was found as rows for people, by their names."""
    return {
        "model": found.model or "none",
        "host": found.host,
        "key": found.key,
        "window": found.window,
        "price": found.price,
        "limits": found.limits,
        "answer": found.answer,
    }


def _key(name: str, settings: Settings, environment: Mapping[str, str]) -> str:
    """Return which variable holds the key, without the key."""
    if environment.get(OWN_KEY):
        return f"{OWN_KEY} is set"
    provider = provider_of(name)
    if provider.startswith("ollama"):
        return "none is needed"
    names = key_names(provider)
    is_set = any(environment.get(word.strip(",")) for word in names.split())
    optional = ", and a server of your own may need none" if settings.model.api_base else ""
    return f"{names} is {'set' if is_set else f'not set{optional}'}"


def _price(usd_in: float | None, usd_out: float | None) -> str:
    if usd_in is None or usd_out is None:
        return "not known: only the cap on tokens holds"
    return f"${usd_in * _MILLION:.2f} a million tokens read, ${usd_out * _MILLION:.2f} written"


async def _asked(model: ChatModel, settings: Settings) -> tuple[bool, str]:
    """Return whether a model answers, and its words or why not."""
    calls = model_calls(model, settings, _TOKENS, root=None, stop=StopFlag())
    request = ModelRequest((Message("user", _QUESTION),), max_output_tokens=_MAX_ANSWER)
    try:
        reply = await calls.complete(request, purpose="doctor")
    except (ScopeError, BudgetExceededError) as error:
        return False, str(error)
    if reply.failure is not None:
        return False, str(reply.failure)
    return True, f"it answers: {' '.join(reply.text.split())[:_SHOWN]}"
