"""``docs/tools.md`` says what the registry holds: names, parameters, limits, to whom offered."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from analysis.tools.registry import AUDIENCES, SERVED, TOOLS
from analysis.tools.tool import Tool

DOC = Path(__file__).resolve().parents[2] / "docs" / "tools.md"
ALL: dict[str, Tool] = {tool.key: tool for tool in (*SERVED.values(), *TOOLS.values())}


def section(tool: Tool) -> str:
    """What the page has to say of a tool; a failing test prints it, ready to be pasted."""
    is_for_agents_alone = AUDIENCES[tool.key] in (("mcp",), ("organisation",))
    lines = [
        f"### `{tool.name}` ({audience(tool)})",
        "",
        *tool.description.split("\n"),
        "",
        *([] if is_for_agents_alone else [f"At most {tool.limit:,} characters.", ""]),
        "| parameter | type | default | meaning |",
        "| --- | --- | --- | --- |",
    ]
    required = tool.parameters.get("required", ())
    for name, argument in tool.parameters["properties"].items():
        default = "required" if name in required else default_of(argument)
        meaning = argument["description"].replace("|", "\\|")
        lines.append(f"| `{name}` | {type_of(argument)} | {default} | {meaning} |")
    return "\n".join(lines)


def audience(tool: Tool) -> str:
    """To whom it is offered, and under which name if it has two."""
    other = "" if tool.served_name == tool.name else f", as `{tool.served_name}`"
    words = {"mcp": f"agents{other}", "organisation": "agents, with an organisation's index"}
    return ", ".join(words.get(whom, whom) for whom in AUDIENCES[tool.key])


def default_of(argument: dict[str, Any]) -> str:
    return f"`{argument['default']!r}`" if "default" in argument else "none"


def type_of(argument: dict[str, Any]) -> str:
    kind = argument["type"]
    if kind == "array":
        item = argument["items"]
        fields = ", ".join(item.get("properties", {}))
        kind = f"list of {item['type']}s" + (f" ({fields})" if fields else "")
    if "maximum" in argument:
        kind = f"{kind}, {argument['minimum']} to {argument['maximum']}"
    return str(kind)


@pytest.mark.parametrize("key", AUDIENCES)
def test_the_page_describes_the_tool(key: str):
    wanted = section(ALL[key])
    assert wanted in DOC.read_text(encoding="utf-8"), f"write into {DOC}:\n{wanted}"


def test_the_page_describes_no_other_tool():
    described = re.findall(r"^### `(\w+)`", DOC.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(described) == sorted(tool.name for tool in ALL.values())
