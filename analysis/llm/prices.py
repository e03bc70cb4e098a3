"""What is known of a model without asking anybody: its price, its window, its host.

The table is the one that litellm brings along, read as data: importing litellm takes seconds.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from analysis.llm.model_names import canonical, family_of, readings, spellings

_TABLE = "model_prices_and_context_window_backup.json"
_HOSTS = {
    "openai": "api.openai.com",
    "anthropic": "api.anthropic.com",
    "gemini": "generativelanguage.googleapis.com",
    "mistral": "api.mistral.ai",
    "deepseek": "api.deepseek.com",
    "groq": "api.groq.com",
    "openrouter": "openrouter.ai",
    "xai": "api.x.ai",
    "cohere": "api.cohere.com",
    "ollama": "localhost:11434",
    "ollama_chat": "localhost:11434",
}
_FREE = frozenset({"ollama", "ollama_chat"})
_BEDROCK_NAME = re.compile(
    r"(?:[a-z-]+\.)?(?:anthropic|amazon|meta|mistral|cohere|ai21|deepseek)\."
)
# Where the libraries of the providers look for another address.
_BASE_VARIABLES = {
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "anthropic": ("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
    "ollama": ("OLLAMA_API_BASE",),
    "ollama_chat": ("OLLAMA_API_BASE",),
}


@dataclass(frozen=True, slots=True)
class TableEntry:
    """What the table says of a model."""

    usd_per_token_in: float | None = None
    usd_per_token_out: float | None = None
    context_tokens: int | None = None
    max_output_tokens: int | None = None
    tools: bool | None = None
    schema: bool | None = None
    usd_per_token_cached: float | None = None
    usd_per_token_stored: float | None = None
    thinks: bool = False
    """Whether it may think before it answers."""
    caches: bool = False
    """Whether its provider keeps what it has read, if told so."""


def provider_of(model: str) -> str:
    """Return the provider in a model's name; OpenAI's names go without."""
    head, slash, _ = model.partition("/")
    if slash:
        return head.lower()
    if _BEDROCK_NAME.match(model):
        return "bedrock"
    if model.startswith("claude"):
        return "anthropic"
    if model.startswith(("mistral", "ministral", "codestral", "devstral", "magistral")):
        return "mistral"
    return "gemini" if model.startswith("gemini") else "openai"


def host_of(model: str, api_base: str | None, environment: Mapping[str, str]) -> str:
    """Return the host that a model's requests go to, in words where only the library knows."""
    provider = provider_of(model)
    if base := api_base or base_of(provider, environment):
        parts = urlsplit(base if "://" in base else f"//{base}")
        return parts.netloc.rpartition("@")[2] or base
    return _HOSTS.get(provider, f"the default address of {provider}")


def base_of(provider: str, environment: Mapping[str, str]) -> str | None:
    """Return the address that the environment names for a provider; None if it names none."""
    return next(filter(None, map(environment.get, _BASE_VARIABLES.get(provider, ()))), None)


def is_local(host: str) -> bool:
    """Return whether a host, with or without a port, is this machine.

    >>> is_local("127.0.0.1:8080"), is_local("[::1]:1234"), is_local("localhost.example.org")
    (True, True, False)
    """
    name = urlsplit(f"//{host}").hostname if " " not in host else ""
    return (
        name == "localhost"
        or name == "::1"
        or bool(name and re.match(r"127\.\d+\.\d+\.\d+$", name))
    )


def entry_of(model: str) -> TableEntry:
    """Return what the table says of a model; all None if it is not in the table.

    A name that is written in another way than in the table is looked up by what it means. Where it
    could be one of several releases, the dearest price and the smallest window hold.
    """
    table = _table()
    if (exact := table.get(model)) is not None and _is_priced(exact):
        return _entry(exact)
    if model in table and provider_of(model) in _FREE:
        return _entry(table[model])
    for name, company in spellings(model, provider_of(model)):
        raw = table.get(name)
        if raw is not None and _is_priced(raw) and _company_of(raw) == company:
            return _entry(raw)
    for reading in readings(model, provider_of(model)):
        if found := _by_meaning().get(reading):
            return _careful([_entry(table[key]) for key in found])
    return _entry(exact or {})


def _entry(raw: Mapping[str, Any]) -> TableEntry:
    return TableEntry(
        _number(raw, "input_cost_per_token"),
        _number(raw, "output_cost_per_token"),
        _whole(raw, "max_input_tokens"),
        _whole(raw, "max_output_tokens"),
        _flag(raw, "supports_function_calling"),
        _flag(raw, "supports_response_schema"),
        _number(raw, "cache_read_input_token_cost"),
        _number(raw, "cache_creation_input_token_cost"),
        _flag(raw, "supports_reasoning") is True,
        _flag(raw, "supports_prompt_caching") is True,
    )


def _careful(entries: Sequence[TableEntry]) -> TableEntry:
    """Return what holds for each of several releases of a model."""
    first = entries[0]
    if len(entries) == 1:
        return first
    return TableEntry(
        max((e.usd_per_token_in for e in entries if e.usd_per_token_in is not None), default=None),
        max(
            (e.usd_per_token_out for e in entries if e.usd_per_token_out is not None), default=None
        ),
        min((e.context_tokens for e in entries if e.context_tokens), default=None),
        min((e.max_output_tokens for e in entries if e.max_output_tokens), default=None),
        first.tools,
        first.schema,
        _dearest([e.usd_per_token_cached for e in entries]),
        _dearest([e.usd_per_token_stored for e in entries]),
        any(e.thinks for e in entries),
        all(e.caches for e in entries),
    )


def _dearest(prices: Sequence[float | None]) -> float | None:
    """Return the highest of some prices; None if one of them is not known."""
    known = [price for price in prices if price is not None]
    return max(known) if len(known) == len(prices) else None


def _is_priced(raw: Mapping[str, Any]) -> bool:
    return _number(raw, "input_cost_per_token") is not None


def _company_of(raw: Mapping[str, Any]) -> str:
    return family_of(str(raw.get("litellm_provider")))


@functools.cache
def _by_meaning() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return the keys of the table's priced models by company and canonical name."""
    found: dict[tuple[str, str], list[str]] = {}
    for key, raw in _table().items():
        provider, family = raw.get("litellm_provider"), _company_of(raw)
        if isinstance(provider, str) and _is_priced(raw):
            name = key.removeprefix(f"{provider}/").removeprefix(f"{family}/")
            found.setdefault((family, canonical(name)), []).append(key)
    return {meaning: tuple(keys) for meaning, keys in found.items()}


@functools.cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    """Return litellm's table; empty if it is not where it was in the versions that we know."""
    from importlib.util import find_spec

    spec = find_spec("litellm")
    if spec is None or not spec.submodule_search_locations:
        return {}
    path = Path(next(iter(spec.submodule_search_locations))) / _TABLE
    try:
        table = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return table if isinstance(table, dict) else {}


def _number(raw: Mapping[str, Any], name: str) -> float | None:
    value = raw.get(name)
    return float(value) if isinstance(value, int | float) else None


def _whole(raw: Mapping[str, Any], name: str) -> int | None:
    value = raw.get(name)
    return value if isinstance(value, int) and value > 0 else None


def _flag(raw: Mapping[str, Any], name: str) -> bool | None:
    value = raw.get(name)
    return value if isinstance(value, bool) else None
