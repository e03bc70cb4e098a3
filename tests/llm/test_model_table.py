"""What is known of models by the names that people write."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from analysis.llm.keys import key_names
from analysis.llm.litellm_model import library_name
from analysis.llm.prices import entry_of, host_of, is_local, provider_of


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("anthropic/claude-sonnet-4-5-latest", "claude-sonnet-4-5"),
        ("openrouter/anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("openrouter/openai/gpt-4o", "gpt-4o"),
        ("openai/gpt-4o", "gpt-4o"),
        ("vertex_ai/gemini-2.5-pro", "gemini-2.5-pro"),
        ("gemini-2.5-pro", "gemini/gemini-2.5-pro"),
        ("gemini/models/gemini-2.5-flash", "gemini/gemini-2.5-flash"),
        ("google/gemini-2.5-flash", "gemini/gemini-2.5-flash"),
        ("mistral/mistral-large", "mistral/mistral-large-latest"),
        ("mistral-large-latest", "mistral/mistral-large-latest"),
        ("azure/gpt-4o", "azure/gpt-4o"),
        ("gemini/gemini-2.5-pro-preview-06-05", "gemini/gemini-2.5-pro"),
        ("magistral-medium-2506", "mistral/magistral-medium-latest"),
        ("azure_ai/mistral-large-2407", "azure_ai/mistral-large"),
        (
            "bedrock/arn:aws:bedrock:us-east-1:123456789012:inference-profile/"
            "us.anthropic.claude-sonnet-4-20250514-v1:0",
            "us.anthropic.claude-sonnet-4-20250514-v1:0",
        ),
    ],
)
def test_a_name_has_price_and_window(written: str, known: str):
    entry, expected = entry_of(written), entry_of(known)
    assert expected.usd_per_token_in
    assert entry.usd_per_token_in == expected.usd_per_token_in
    assert entry.usd_per_token_out == expected.usd_per_token_out
    assert entry.context_tokens


@pytest.mark.parametrize(
    "written",
    ["azure/our-own-deployment", "openrouter/nobody/model:free", "nosuch/model", "openai/test"],
)
def test_a_price_that_is_not_known_is_not_guessed(written: str):
    assert entry_of(written).usd_per_token_in is None


def test_every_priced_model_of_bedrock_has_a_price_that_is_not_too_low():
    spec = find_spec("litellm")
    assert spec is not None
    folder = Path(next(iter(spec.submodule_search_locations or ())))
    table = json.loads((folder / "model_prices_and_context_window_backup.json").read_text())
    names = {
        key: raw["input_cost_per_token"]
        for key, raw in table.items()
        if str(raw.get("litellm_provider")).startswith("bedrock")
        and raw.get("input_cost_per_token") is not None
        and "/" not in key
    }
    assert len(names) > 200
    for key, price in names.items():
        for written in (f"bedrock/{key}", f"bedrock/converse/{key}"):
            assert (entry_of(written).usd_per_token_in or 0) >= price, written


def test_several_releases_are_taken_at_the_dearest():
    entry = entry_of("bedrock/anthropic.claude-sonnet-4-5")
    one = entry_of("bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0")
    assert entry.usd_per_token_in is not None
    assert one.usd_per_token_in is not None
    assert entry.usd_per_token_in >= one.usd_per_token_in


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("ollama/llama3", "ollama_chat/llama3"),
        ("google/gemini-2.5-pro", "gemini/gemini-2.5-pro"),
        ("mistral-large-latest", "mistral/mistral-large-latest"),
        ("anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"),
        ("gpt-4o", "gpt-4o"),
    ],
)
def test_the_library_is_told_the_name_that_it_knows(written: str, name: str):
    assert library_name(written) == name


def test_providers_and_hosts():
    assert provider_of("us.anthropic.claude-sonnet-4-5-20250929-v1:0") == "bedrock"
    assert host_of("ollama/llama3", None, {}) == "localhost:11434"
    assert is_local("127.0.0.1:8080")
    assert not is_local("api.openai.com")
    assert not is_local("the default address of bedrock")


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("vertex/gemini-2.5-pro", "GOOGLE_APPLICATION_CREDENTIALS"),
        ("vertex_ai/gemini-2.5-pro", "GOOGLE_APPLICATION_CREDENTIALS"),
        ("google/gemini-2.5-pro", "GEMINI_API_KEY"),
        ("aws/anthropic.claude-sonnet-4", "AWS_PROFILE, or AWS_ACCESS_KEY_ID"),
        ("mistral-large-latest", "MISTRAL_API_KEY"),
    ],
)
def test_the_right_key_is_named(written: str, key: str):
    assert key_names(provider_of(written)).startswith(key)
