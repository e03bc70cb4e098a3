"""``scope models``: what can be used and what cannot, without a key or a request too many."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from analysis.llm.model_list import ModelSource, listed_models
from analysis.llm.model_server import ModelServer, ServerAnswer
from analysis.settings import Settings, settings_from
from tests.cli.program import call
from tests.fakes.chat_server import ChatServer, Fail, Page, Turn
from tests.fakes.fixtures import _one_chat_server, chat_server

__all__ = ["_one_chat_server", "chat_server"]

KEY = "planted-0123456789"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [n for n in os.environ if n.endswith(("_API_KEY", "_BASE", "_BASE_URL"))]:
        monkeypatch.delenv(name)


def check(
    settings: dict[str, Any],
    environment: dict[str, str],
    answers: dict[str, ServerAnswer],
    *,
    ask: bool = False,
    asked: set[str],
    usable: set[str],
) -> dict[str, ModelSource]:
    """List models where some hosts answer; compare who was asked and what can be used."""
    seen: set[str] = set()

    def models_of(server: ModelServer, proxy: str | None) -> ServerAnswer:
        seen.add(server.host)
        return answers.get(server.host, ServerAnswer(problem="did not answer"))

    chosen, problems = settings_from({"model": settings}, Settings())
    assert not problems
    found = listed_models(chosen, environment, ask=ask, models_of=models_of)
    assert seen == asked
    assert {source.host for source in found if source.is_usable} == usable
    assert all(source.hint for source in found if not source.is_usable)
    assert KEY not in repr(found)
    return {source.host: source for source in reversed(found)}


HERE = {"127.0.0.1:11434", "127.0.0.1:1234"}


def test_nothing_is_set():
    found = check({}, {}, {}, asked=HERE, usable=set())
    assert found["api.openai.com"].hint == "Set OPENAI_API_KEY."


def test_a_key_makes_a_provider_usable_and_asks_nobody():
    environment = {"ANTHROPIC_API_KEY": KEY}
    found = check({}, environment, {}, asked=HERE, usable={"api.anthropic.com"})
    assert found["api.anthropic.com"].why == "ANTHROPIC_API_KEY is set"


def test_providers_are_asked_if_that_is_wanted():
    answers = {"api.anthropic.com": ServerAnswer(("claude-a", "claude-b"))}
    environment = {"ANTHROPIC_API_KEY": KEY}
    found = check(
        {}, environment, answers, ask=True, asked={*HERE, "api.anthropic.com"},
        usable={"api.anthropic.com"},
    )  # fmt: skip
    assert found["api.anthropic.com"].models == ("anthropic/claude-a", "anthropic/claude-b")


def test_what_a_server_on_this_machine_has():
    answers = {"127.0.0.1:11434": ServerAnswer(("qwen3:latest",))}
    found = check({}, {}, answers, asked=HERE, usable={"127.0.0.1:11434"})
    assert found["127.0.0.1:11434"].models == ("ollama/qwen3:latest",)


@pytest.mark.parametrize(
    ("answer", "why", "usable"),
    [
        (ServerAnswer(("qwen3:latest", "other")), "it answers and has the model", True),
        (ServerAnswer(("other",)), "it answers, but has no such model", False),
        (ServerAnswer(()), "it answers, but has no such model", False),
        (ServerAnswer(problem="did not answer"), "it did not answer", False),
        (ServerAnswer(problem="refused the key (401)", status=401), "it refused the key", False),
    ],
)
def test_the_model_that_is_set(answer: ServerAnswer, why: str, usable: bool):
    settings = {"name": "ollama/qwen3", "api_base": "http://models.example:9000"}
    host = "models.example:9000"
    found = check(
        settings, {}, {host: answer}, asked={*HERE, host}, usable={host} if usable else set()
    )
    assert why in found[host].why
    assert found[host].is_set


def test_what_needs_two_variables_has_its_key_only_with_both():
    environment = {"AWS_ACCESS_KEY_ID": KEY}
    check({}, environment, {}, asked=HERE, usable=set())
    both = {**environment, "AWS_SECRET_ACCESS_KEY": KEY}
    check({}, both, {}, asked=HERE, usable={"the default address of bedrock"})


MODELS = json.dumps({"object": "list", "data": [{"id": "test"}, {"id": "larger"}]})


@pytest.mark.parametrize(
    ("turn", "code", "said"),
    [
        (Page(MODELS, "application/json"), 0, "openai/test at {host}: it answers and has the"),
        (Page('{"data": [{"id": "other"}]}', "application/json"), 4, "such as openai/other"),
        (Fail(401, {"error": {"message": KEY}}), 4, "refused the key (401)"),
        (Fail(302, {}, {"Location": "http://elsewhere.example/v1/models"}), 4, "an error (302)"),
        (Page("<html>Sign in</html>"), 4, "sent no list of models"),
    ],
    ids=["there", "not there", "refused", "redirect", "page"],
)
def test_as_a_user_runs_it(
    tmp_path: Path, chat_server: ChatServer, turn: Turn, code: int, said: str,
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OLLAMA_API_BASE", "http://127.0.0.1:9")
    chat_server.play(turn)
    options = ("--model", "openai/test", "--api-base", chat_server.url)
    done = call("models", *options, cwd=tmp_path)
    assert said.format(host=f"127.0.0.1:{chat_server.port}") in done.out
    assert done.code == code, done.err
    assert chat_server.paths == ["/v1/models"]
    assert chat_server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in done.out + done.err
    assert "Set ANTHROPIC_API_KEY." in done.out


def test_as_a_program_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OLLAMA_API_BASE", "http://127.0.0.1:9")
    done = call("models", "--format", "json", cwd=tmp_path)
    assert done.code == 0
    hosts = {source["host"]: source["is_usable"] for source in done.json["sources"]}
    assert hosts["127.0.0.1:9"] is hosts["api.openai.com"] is False
