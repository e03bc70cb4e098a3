"""Model names as people write them, in the one form in which they can be compared."""

from __future__ import annotations

import re

_FAMILIES = ("bedrock", "vertex_ai", "azure_ai", "azure")
# A router sells models of others: whose they are stands in their names.
_VENDORS = {
    "anthropic": "anthropic",
    "openai": "openai",
    "google": "gemini",
    "mistralai": "mistral",
    "mistral": "mistral",
    "deepseek": "deepseek",
    "x-ai": "xai",
    "cohere": "cohere",
    "moonshotai": "moonshot",
    "z-ai": "zai",
}
_ROUTERS = frozenset({"openrouter", "vercel_ai_gateway", "litellm_proxy"})
_SAME = {"google": "gemini", "ollama_chat": "ollama", "vertex": "vertex_ai", "aws": "bedrock"}
# Parts of a name that say where and how a model is asked, not which one it is.
_ROUTE = re.compile(
    r"^(?:converse|converse_like|invoke|models|responses|chat|publishers|global-standard|global"
    r"|regional|us|eu|apac|accounts|fireworks|claude_platform|[a-z]{2}(?:-gov)?-[a-z]+-\d|google"
    r"|anthropic|openai|mistralai|meta|\*|\d+-month-commitment|arn:[^/]*:(?:inference-profile"
    r"|foundation-model))$"
)
_GEO = re.compile(r"^(?:us|eu|apac|au|jp|in|ca|global|us-gov)\.(?=[a-z0-9-]+\.)")
_VENDOR = re.compile(r"^(?:anthropic|openai|google|mistral)\.")
_RELEASE = re.compile(
    r"(?:-v\d+(?::\d+)*(?:k)?|:\d+(?::\w+)?|@[\w-]+|-latest|-\d{8}|-20\d\d-\d\d-\d\d|-0\d\d|:[a-z]+"
    r"|-2[3-9](?:0[1-9]|1[0-2])|-preview(?:-\d\d-(?:20)?\d\d)?)$"
)


def family_of(provider: str) -> str:
    """Return the company whose price list holds a provider's models.

    >>> family_of("bedrock_converse"), family_of("vertex_ai-language-models")
    ('bedrock', 'vertex_ai')
    """
    provider = _SAME.get(provider, provider)
    return next((name for name in _FAMILIES if provider.startswith(name)), provider)


def canonical(name: str) -> str:
    """Return a name without its provider, region, route, vendor and release.

    >>> canonical("us.anthropic.claude-sonnet-4-5-20250929-v1:0")
    'claude-sonnet-4-5'
    >>> canonical("anthropic/claude-sonnet-4.5")
    'claude-sonnet-4-5'
    >>> canonical("gemini-2.5-pro-preview-06-05"), canonical("magistral-medium-2506")
    ('gemini-2-5-pro', 'magistral-medium')
    """
    parts = name.lower().split("/")
    while len(parts) > 1 and _ROUTE.match(parts[0]):
        parts.pop(0)
    clean = _VENDOR.sub("", _GEO.sub("", "/".join(parts)))
    while (shorter := _RELEASE.sub("", clean)) != clean:
        clean = shorter
    return clean.replace(".", "-")


def spellings(model: str, provider: str) -> tuple[tuple[str, str], ...]:
    """Return the ways in which a price list may spell a model's name, each with the company."""
    rest = model.removeprefix(f"{provider}/")
    family = family_of(provider)
    found = [(rest, family), (f"{family}/{rest}", family)]
    vendor, slash, name = rest.partition("/")
    if family in _ROUTERS and slash:
        company = _VENDORS.get(vendor, vendor)
        for spelled in (name, name.replace(".", "-")):
            found += [(spelled, company), (f"{company}/{spelled}", company)]
    return tuple(found)


def readings(model: str, provider: str) -> tuple[tuple[str, str], ...]:
    """Return what a model's name can mean, the likeliest first: company and canonical name.

    Args:
        model: As the user names it, with or without its provider.
        provider: As ``prices.provider_of`` reads it.
    """
    rest = model.removeprefix(f"{provider}/")
    family = family_of(provider)
    found = [(family, canonical(rest))]
    vendor, slash, name = rest.partition("/")
    if family in _ROUTERS and slash and not name.endswith(":free"):
        found.append((_VENDORS.get(vendor, vendor), canonical(name)))
    if family == "gemini":  # Google sells the same models under two names, for the same price.
        found.append(("vertex_ai", canonical(rest)))
    return tuple(found)
