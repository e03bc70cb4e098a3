"""Which models can be used here, which cannot, why, and what to do about it; never a key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from analysis.llm.configured import BASE_VARIABLE, model_name
from analysis.llm.keys import OWN_KEY, filled_in, key_names
from analysis.llm.model_server import ModelServer, ServerAnswer, models_at
from analysis.llm.prices import base_of, host_of, provider_of

if TYPE_CHECKING:
    from analysis.settings import Settings

_EXAMPLES = {
    "openai": "openai/gpt-5",
    "anthropic": "anthropic/claude-sonnet-4-5",
    "gemini": "gemini/gemini-2.5-pro",
    "mistral": "mistral/mistral-large-latest",
    "deepseek": "deepseek/deepseek-chat",
    "openrouter": "openrouter/anthropic/claude-sonnet-4.5",
    "azure": "azure/YOUR-DEPLOYMENT",
    "bedrock": "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
    "vertex_ai": "vertex_ai/claude-sonnet-4-5@20250929",
}
"""The providers of docs/models.md that need a key."""
_LISTS = {
    "openai": "https://api.openai.com/v1/models",
    "anthropic": "https://api.anthropic.com/v1/models",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/models",
    "mistral": "https://api.mistral.ai/v1/models",
    "deepseek": "https://api.deepseek.com/models",
    "openrouter": "https://openrouter.ai/api/v1/models",
}
_OLLAMA = "http://127.0.0.1:11434"
_LM_STUDIO = "http://127.0.0.1:1234/v1"
_NO_LIBRARY = "litellm, which reaches it, is not installed"


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A provider or a server, and whether its models can be used."""

    provider: str
    host: str
    """Where its requests go."""
    is_usable: bool
    why: str
    """What speaks for it or against it."""
    hint: str = ""
    """What to do; empty if it can be used."""
    models: tuple[str, ...] = ()
    """As in ``--model``; an example where the server was not asked."""
    was_asked: bool = False
    """Whether a request was made to find out."""
    is_set: bool = False
    """Whether it is the one that questions go to now."""


def listed_models(
    settings: Settings,
    environment: Mapping[str, str],
    *,
    ask: bool = False,
    models_of: Callable[[ModelServer, str | None], ServerAnswer] = models_at,
) -> tuple[ModelSource, ...]:
    """Return where models could come from, the one that is set first.

    Requests are made to this machine and to addresses that the user named, and to no other unless
    it is asked for; none holds any code.

    Args:
        settings: All of them.
        environment: Where keys and addresses are.
        ask: Whether providers whose key is set are asked for their models too.
        models_of: How a server is asked.
    """
    name = model_name(settings.model, environment)
    sources = [_local(environment, "ollama"), _local(environment, "openai", at=_LM_STUDIO)]
    sources += [(_hosted(p, environment), _server(p, environment)) for p in _EXAMPLES]
    if name is not None:
        sources = [_configured(name, settings, environment), *sources]
    may_ask = [s is not None and (ask or _is_named(s, environment, settings)) for _, s in sources]

    def done(number: int) -> ModelSource:
        source, server = sources[number]
        if server is None or not may_ask[number] or not (source.is_usable or server.is_here):
            return source
        return _answered(source, server, models_of(server, settings.model.proxy))

    with ThreadPoolExecutor(len(sources)) as threads:
        found = list(threads.map(done, range(len(sources))))
    found = [source if _has_library() else _without_library(source) for source in found]
    first, rest = (found[:1], found[1:]) if name is not None else ([], found)
    return (*first, *sorted(rest, key=lambda source: not source.is_usable))


def _configured(
    name: str, settings: Settings, environment: Mapping[str, str]
) -> tuple[ModelSource, ModelServer | None]:
    """Return the model that is set, and how its server is asked."""
    provider = provider_of(name)
    base = settings.model.api_base or environment.get(BASE_VARIABLE)
    server = _server(provider, environment, base or base_of(provider, environment))
    if server is not None:
        extra = filled_in(settings.model.headers, environment)
        server = replace(server, headers={**server.headers, **extra})
    source = _hosted(provider, environment, own_server=bool(base))
    host = host_of(name, base, environment)
    return replace(source, host=host, models=(name,), is_set=True), server


def _hosted(
    provider: str, environment: Mapping[str, str], *, own_server: bool = False
) -> ModelSource:
    """Return a provider by whether its key is set."""
    variable = _key_variable(provider, environment)
    names = key_names(provider)
    models = (_EXAMPLES[provider],) if provider in _EXAMPLES else ()
    host = host_of(f"{provider}/", None, environment)
    if variable or own_server or provider.startswith("ollama"):
        why = f"{variable} is set" if variable else "no key is needed"
        return ModelSource(provider, host, True, why, models=models)
    return ModelSource(provider, host, False, f"{names} is not set", f"Set {names}.", models)


def _key_variable(provider: str, environment: Mapping[str, str]) -> str:
    """Return the variable that holds the key of a provider; empty if none is set."""
    for choice in key_names(provider).split(", or "):
        needed = choice.split(" and ")
        if all(environment.get(name) for name in needed):
            return choice
    return OWN_KEY if environment.get(OWN_KEY) else ""


def _local(
    environment: Mapping[str, str], provider: str, at: str = ""
) -> tuple[ModelSource, ModelServer | None]:
    """Return a server of this machine, which is usable once it has answered."""
    base = at or base_of(provider, environment) or _OLLAMA
    server = _server(provider, {}, base)
    host = urlsplit(base).netloc.rpartition("@")[2]
    start = "LM Studio's server" if at else "Ollama with 'ollama serve'"
    return ModelSource(provider, host, False, "it did not answer", f"Start {start}."), server


def _server(
    provider: str, environment: Mapping[str, str], base: str | None = None
) -> ModelServer | None:
    """Return how a provider's server is asked for its models; None if it is not known."""
    base = base or base_of(provider, environment)
    key = environment.get(OWN_KEY) or environment.get(key_names(provider)) or ""
    if provider.startswith("ollama"):
        url = f"{(base or _OLLAMA).rstrip('/')}/api/tags"
    elif base and provider == "anthropic":
        url = f"{base.rstrip('/').removesuffix('/v1')}/v1/models"
    elif base:
        url = f"{base.rstrip('/')}/models"
    elif provider in _LISTS:
        url = _LISTS[provider]
    else:
        return None
    return ModelServer(provider, url if "://" in url else f"http://{url}", _headers(provider, key))


def _headers(provider: str, key: str) -> dict[str, str]:
    if not key:
        return {}
    if provider == "anthropic":
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}
    return {"x-goog-api-key": key} if provider == "gemini" else {"Authorization": f"Bearer {key}"}


def _is_named(server: ModelServer, environment: Mapping[str, str], settings: Settings) -> bool:
    """Return whether a server is on this machine or at an address that the user named."""
    bases = [settings.model.api_base, environment.get(BASE_VARIABLE)]
    bases.append(base_of(server.provider, environment))
    named = {urlsplit(b if "://" in b else f"//{b}").netloc.rpartition("@")[2] for b in bases if b}
    return server.is_here or server.host in named


def _answered(source: ModelSource, server: ModelServer, answer: ServerAnswer) -> ModelSource:
    """Return a source by what its server said."""
    prefix = "" if server.provider == "gemini" else f"{source.provider}/"
    names = tuple(f"{prefix}{name.removeprefix('models/')}" for name in answer.models)
    if answer.problem:
        hint = source.hint or "Check the address and the key."
        if answer.status is not None and answer.status not in (401, 403):
            hint = "Check the address; 'scope doctor --ask' shows whether the model answers."
        return replace(
            source, is_usable=False, why=f"it {answer.problem}", hint=hint, was_asked=True
        )
    source = replace(source, is_usable=True, hint="", was_asked=True)
    if not source.is_set:
        why = "it has none yet" if not names else source.why if source.why.endswith("set") else ""
        return replace(source, models=names, why=why or "it answers", is_usable=bool(names))
    (wanted,) = source.models
    tail = wanted.partition("/")[2] or wanted
    if any(name.partition("/")[2] in (tail, f"{tail}:latest") for name in names):
        return replace(source, why="it answers and has the model")
    here = ", ".join(names[:3]) or "none"
    hint = f"Choose one that it has, such as {here}." if names else "Load a model there."
    return replace(source, is_usable=False, why="it answers, but has no such model", hint=hint)


def _has_library() -> bool:
    return find_spec("litellm") is not None


def _without_library(source: ModelSource) -> ModelSource:
    """Return a source as it is where nothing can reach it."""
    return replace(source, is_usable=False, why=_NO_LIBRARY, hint="Run pip install litellm.")
