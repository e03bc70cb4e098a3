"""``docs/tools.md`` says what the registry holds: names, parameters, limits, modes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from analysis.tools.registry import AGENT_TOOLS, ITERATIVE_TOOLS, PLAN_TOOLS, TOOLS

DOC = Path(__file__).resolve().parents[2] / "docs" / "tools.md"
MODES = {"agent": AGENT_TOOLS, "plan": PLAN_TOOLS, "iterative": ITERATIVE_TOOLS}


def section(key: str) -> str:
    """What the page has to say of a tool; a failing test prints it, ready to be pasted."""
    tool = TOOLS[key]
    modes = ", ".join(mode for mode, keys in MODES.items() if key in keys)
    lines = [
        f"### `{tool.name}` ({modes})",
        "",
        *tool.description.split("\n"),
        "",
        f"At most {tool.limit:,} characters.",
        "",
        "| parameter | type | default | meaning |",
        "| --- | --- | --- | --- |",
    ]
    required = tool.parameters.get("required", ())
    for name, argument in tool.parameters["properties"].items():
        default = "required" if name in required else default_of(argument)
        meaning = argument["description"].replace("|", "\\|")
        lines.append(f"| `{name}` | {type_of(argument)} | {default} | {meaning} |")
    return "\n".join(lines)


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


@pytest.mark.parametrize("key", TOOLS)
def test_the_page_describes_the_tool(key: str):
    assert section(key) in DOC.read_text(encoding="utf-8"), f"write into {DOC}:\n{section(key)}"


def test_the_page_describes_no_other_tool():
    described = re.findall(r"^### `(\w+)`", DOC.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(described) == sorted(tool.name for tool in TOOLS.values())
