"""Files and documents that were made to hang the server: it tells at once, and goes on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from analysis.workspace.paths import uri_from_path
from lsp_server import document_messages
from tests.cli.program import SHOP, write_files
from tests.lsp.session import editing

HOSTILE = """---
source_repo: ..
scope_question: x
---

[a](shop%00/auth.py#L1) [b](../shop/auth.py#L9999999999999999999999) [c](loop/a.py#L1)

- [shop/auth.py:1](../shop/auth.py#L1) - `x`
"""


async def test_pipes_and_devices_hang_nothing(tmp_path: Path):
    root = write_files(tmp_path / "root", SHOP)
    (root / ".scope").mkdir()
    os.mkfifo(root / ".scope" / "audit.jsonl")
    os.mkfifo(root / "pipe.md")
    (root / "zero.md").symlink_to("/dev/zero")
    (root / "loop").symlink_to("loop")
    async with editing(tmp_path, root) as editor:
        await editor.ready()
        for name in ("pipe.md", "zero.md", "loop"):
            uri = uri_from_path(str(root / name))
            with pytest.raises(JsonRpcException, match="cannot be read"):
                await editor.request(document_messages.VERIFY.method, {"documentUri": uri})
            answer = await editor.ask("How does authentication work?", followUp=uri)
            assert answer["references"]


async def test_odd_links_of_a_document_break_nothing(tmp_path: Path):
    root = write_files(tmp_path / "root", {**SHOP, "contexts/a.md": HOSTILE})
    (root / "contexts" / "loop").symlink_to("loop")
    async with editing(tmp_path, root) as editor:
        await editor.ready()
        uri = editor.open(root / "contexts" / "a.md", language="markdown")
        links = await editor.text_document_document_link_async(
            types.DocumentLinkParams(types.TextDocumentIdentifier(uri))
        )
        assert links
        await editor.request(document_messages.VERIFY.method, {"documentUri": uri})
