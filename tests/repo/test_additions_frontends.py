"""Adding an editor feature and a message, as CONTRIBUTING.md lists it, in a copy of the code."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.session import editing
from tests.repo.test_house_rules import tracked_files

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("analysis", "lsp_server", "client-vscode", "docs", "tests", "README.md", "pyproject.toml")

DECLARATION = '''

class CountParams(WireMessage):
    """Params of ``scope/count``."""

    uri: str
    only_code: bool = Field(False, description="Leave out blank lines.")


class CountResult(WireMessage):
    """Result of ``scope/count``."""

    lines: int


COUNT = RequestType("scope/count", CountParams, CountResult)
'''
SECTION = """
### `scope/count`

Counts the lines of an open document.

Params `CountParams`: `uri`, `onlyCode`.

Result `CountResult`: `lines`.
"""
FEATURE = '''"""``scope/count``: how many lines an open document has."""

from __future__ import annotations

from typing import Any

from lsp_server import protocol
from lsp_server.server import ScopeServer


def register(server: ScopeServer) -> None:
    """Register the request."""
    server.feature(protocol.COUNT.method)(on_count)


async def on_count(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return the number of lines."""
    params = protocol.CountParams.parse(raw)
    lines = server.texts[params.uri].splitlines()
    counted = [line for line in lines if line.strip() or not params.only_code]
    return protocol.CountResult(lines=len(counted)).dump()
'''


def listed(addition: str) -> set[str]:
    """The files that CONTRIBUTING.md names for an addition."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    bullet = re.search(rf"^- \*\*{addition}\*\*: (.*)$", page, re.MULTILINE)
    assert bullet, f"CONTRIBUTING.md does not say how to add {addition}"
    return {name for name in re.findall(r"`([\w./-]+)`", bullet[1]) if "/" in name}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    root = tmp_path / "scope"
    for path in tracked_files():
        inside = path.relative_to(ROOT)
        if inside.parts[0] in COPIED:
            (root / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, root / inside)
    return root


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", *arguments]
    env = {"PYTHONPATH": str(copy)}
    return subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, check=False)


def is_complete(copy: Path) -> bool:
    """Whether the tests that watch over messages pass in the copy."""
    tests = ("tests/repo/test_protocol.py", "tests/repo/test_generated.py")
    return run(copy, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests).returncode == 0


def test_a_message_is_one_declaration_and_a_section(copy: Path):
    append(copy / "lsp_server" / "protocol.py", DECLARATION)
    assert not is_complete(copy)
    append(copy / "docs" / "protocol.md", SECTION)
    assert not is_complete(copy)
    written = run(copy, "client-vscode/scripts/generate.py")
    assert written.returncode == 0, written.stderr
    assert is_complete(copy)
    types = (copy / "client-vscode" / "src" / "protocol.ts").read_text(encoding="utf-8")
    assert "  onlyCode?: boolean;\n" in types
    assert 'request<CountParams, CountResult>("scope/count")' in types
    assert listed("a message between editor and server") == {
        "lsp_server/protocol.py",
        "docs/protocol.md",
        "client-vscode/scripts/generate.py",
    }


async def test_an_editor_feature_is_a_module_and_a_line(copy: Path, tmp_path: Path):
    append(copy / "lsp_server" / "protocol.py", DECLARATION)
    (copy / "lsp_server" / "features" / "count.py").write_text(FEATURE, encoding="utf-8")
    app = copy / "lsp_server" / "app.py"
    text = app.read_text(encoding="utf-8")
    app.write_text(text.replace("    configuration,\n", "    configuration,\n    count,\n", 1))
    app.write_text(app.read_text().replace("        ask,\n", "        ask,\n        count,\n", 1))
    file = tmp_path / "code" / "a.py"
    file.parent.mkdir()
    file.write_text("a = 1\n\nb = 2\n", encoding="utf-8")
    async with editing(tmp_path, file.parent, env={"PYTHONPATH": str(copy)}) as editor:
        uri = editor.open(file)
        assert await editor.request("scope/count", {"uri": uri}) == {"lines": 3}
        assert await editor.request("scope/count", {"uri": uri, "onlyCode": True}) == {"lines": 2}
    assert listed("an editor feature") == {"lsp_server/features/", "lsp_server/app.py"}
