"""A code base with tools over it, and one way to call them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.llm.messages import ToolCall
from analysis.models import AskRequest
from analysis.tools.prompt_code import PromptCode
from analysis.tools.registry import TOOLS
from analysis.tools.tool import ToolContext, ToolResult
from analysis.tools.toolbox import Toolbox
from tests.support.shop import open_shop


@dataclass
class Workbench:
    root: Path
    context: ToolContext

    def box(self, *names: str) -> Toolbox:
        return Toolbox(self.context, names or tuple(offered()))

    async def call(self, name: str, arguments: Any = None, *, box: Toolbox | None = None):
        written = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
        result = await (box or self.box(*offered(name))).run(
            ToolCall("1", TOOLS[name].name if name in TOOLS else name, written)
        )
        assert_sound(result, TOOLS[name].limit if name in TOOLS and result.ok else 4_000)
        return result


def offered(name: str = "") -> list[str]:
    """All tools; of those with the same name the one that is meant."""
    by_name = {tool.name: key for key, tool in TOOLS.items()}
    if name in TOOLS:
        by_name[TOOLS[name].name] = name
    return list(by_name.values())


def assert_sound(result: ToolResult, limit: int) -> None:
    """What holds for every result."""
    assert result.text
    assert len(result.text) <= limit
    assert result.ok == (result.problem is None)
    assert result.summary is None or len(result.summary) <= limit
    for place in (*result.shown, *result.found):
        assert place.path
        assert 1 <= place.line_start <= place.line_end


def open_workbench(root: Path, files: dict[str, str] | None = None) -> Workbench:
    shop = open_shop(root, files)
    code = PromptCode(shop.access, shop.index.file_table().paths)
    request = AskRequest("How is an order paid?")
    return Workbench(root, ToolContext(shop.access, shop.index, code, request))
