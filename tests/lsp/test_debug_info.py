"""What a report of trouble needs, over a real server process: facts, and no secret of anybody."""

from __future__ import annotations

from pathlib import Path

from lsp_server import protocol
from tests.lsp.session import editing

KEY = "planted-0123456789"


async def test_facts_without_secrets(tmp_path: Path):
    project = tmp_path / "project-of-mine"
    project.mkdir()
    (tmp_path / "home").mkdir()
    (project / "secret_plan.py").write_text("def plan():\n    pass\n")
    settings = {
        "name": "openai/gpt-4o",
        "apiBase": "http://127.0.0.1:9/v1",
        "headers": {"X-Team": KEY},
    }
    env = {"SCOPE_API_KEY": KEY, "OPENAI_API_KEY": KEY}
    options = {"model": settings}
    async with editing(tmp_path / "home", project, options=options, env=env) as editor:
        params = {"client": "Some Editor 1.2", "model": "copilot/gpt"}
        method = protocol.DEBUG_INFO.method
        found = await editor.protocol.send_request_async(method, params)
    text = found["text"] if isinstance(found, dict) else found.text
    for words in (
        "editor: Some Editor 1.2",
        "editor's model: copilot/gpt",
        "model: openai/gpt-4o",
        "host: 127.0.0.1:9",
        "key: SCOPE_API_KEY is set",
        "answer: not asked",
        "model.api_base",
    ):
        assert words in text, text
    for words in (KEY, str(tmp_path), "project-of-mine", "secret_plan"):
        assert words not in text
