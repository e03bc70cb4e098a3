from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "agents.md").read_text("utf-8")


def test_every_configuration_starts_the_server():
    blocks: list[dict[str, Any]] = [
        json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    ]
    blocks += [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)]
    assert len(blocks) == 6
    for block in blocks:
        (servers,) = block.values()
        server = servers["scope"]
        command = server["command"]
        words = command if isinstance(command, list) else [command, *server["args"]]
        assert Path(words[0]).name == "scope"
        assert words[1] == "mcp"
        assert words[2:3] in ([], ["--repo"], ["--org"])
