"""What is known of a model without asking anybody: its price, its window, its host.

The table is the one that litellm brings along, read as data: importing litellm takes seconds.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

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


def provider_of(model: str) -> str:
    """Return the provider in a model's name; OpenAI's names go without."""
    head, slash, _ = model.partition("/")
    if slash:
        return head
    if model.startswith("claude"):
        return "anthropic"
    return "gemini" if model.startswith("gemini") else "openai"


def host_of(model: str, api_base: str | None, environment: Mapping[str, str]) -> str:
    """Return the host that a model's requests go to, in words where only the library knows."""
    provider = provider_of(model)
    for base in (api_base, *(environment.get(n) for n in _BASE_VARIABLES.get(provider, ()))):
        if base:
            parts = urlsplit(base if "://" in base else f"//{base}")
            return parts.netloc.rpartition("@")[2] or base
    return _HOSTS.get(provider, f"the default address of {provider}")


def entry_of(model: str) -> TableEntry:
    """Return what the table says of a model; all None if it is not in the table."""
    table = _table()
    plain = model.partition("/")[2]
    raw = table.get(model)
    if raw is None and plain:
        known = table.get(plain)
        if known is not None and known.get("litellm_provider") == provider_of(model):
            raw = known
    if raw is None:
        return TableEntry()
    return TableEntry(
        _number(raw, "input_cost_per_token"),
        _number(raw, "output_cost_per_token"),
        _whole(raw, "max_input_tokens"),
        _whole(raw, "max_output_tokens"),
        _flag(raw, "supports_function_calling"),
        _flag(raw, "supports_response_schema"),
    )


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
