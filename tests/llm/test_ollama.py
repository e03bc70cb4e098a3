"""``scope ask`` with a model behind Ollama's own API: its requests, the document, the limits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import call
from tests.fakes.ollama_server import OllamaServer

QUESTION = "Where is the password checked?"
ENOUGH = json.dumps({"sufficient_context": True})
DOCUMENT = "## Summary\n\n`authenticate()` at `shop/auth.py:9-12` checks it.\n"


class Speaker:
    """Says one text a request, in pieces."""

    def __init__(self, *texts: str) -> None:
        self._texts = list(texts)

    def __call__(self, body: dict[str, Any]) -> Iterator[str]:
        text = self._texts.pop(0)
        yield from (text[at : at + 9] for at in range(0, len(text), 9))


@pytest.mark.parametrize("name", ["ollama_chat/smollm2", "ollama_chat/some-model:1b"])
def test_a_pipeline_over_ollamas_api(shop: Path, name: str):
    server = OllamaServer(Speaker(ENOUGH, DOCUMENT))
    try:
        done = call(
            "ask", ".", "-q", QUESTION, "--mode", "pipeline", "--model", name,
            "--api-base", server.url, "--format", "json", cwd=shop,
        )  # fmt: skip
    finally:
        server.close()
    assert done.code == 0, done.err
    assert [body["model"] for body in server.bodies] == [name.partition("/")[2]] * 2
    assert all(body["options"]["num_ctx"] >= 32_768 for body in server.bodies)
    stats = done.json["stats"]
    assert (stats["llm_calls"], stats["stop_reason"]) == (2, "done")
    assert stats["tokens_out"] > 0
    states = {(ref["path"], ref["line_start"]): ref["state"] for ref in done.json["references"]}
    assert states["shop/auth.py", 9] == "ok"


def test_words_that_are_no_json_still_end_in_a_document(shop: Path):
    server = OllamaServer(Speaker("I am a helpful assistant.", "Sure! Here it is.", "No idea."))
    try:
        done = call(
            "ask", ".", "-q", QUESTION, "--mode", "pipeline", "--model", "ollama_chat/smollm2",
            "--api-base", server.url, "--format", "json", cwd=shop,
        )  # fmt: skip
    finally:
        server.close()
    assert done.code == 0, done.err
    assert done.json["stats"]["llm_calls"] == 3
    assert "No idea." in done.json["markdown"]
    assert "references" in done.json["markdown"]
