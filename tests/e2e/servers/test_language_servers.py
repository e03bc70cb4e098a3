"""Real language servers behind the same protocol: pyright and the TypeScript server.

``make servers`` installs them with npm and runs this.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.backends.lsp_resolver import LspResolver
from analysis.engine import Engine
from analysis.settings import Settings, settings_from
from analysis.workspace.files import LocalFileBackend

MODULES = Path(os.environ.get("SERVERS", Path(__file__).parent / "node_modules"))

COMMANDS = {
    "python": ["node", str(MODULES / "pyright/langserver.index.js"), "--stdio"],
    "typescript": ["node", str(MODULES / "typescript-language-server/lib/cli.mjs"), "--stdio"],
}

FILES = {
    "m.py": "class A:\n    def run(self): ...\n",
    "user.py": (
        "import functools\nfrom m import A\n\nfunctools.reduce(lambda a, b: a, [A()]).run()\n"
    ),
    "n.ts": "export class B { go(): void {} }\nexport const pick = <T>(x: T): T => x;\n",
    "user.ts": 'import { B, pick } from "./n";\npick(new B()).go();\n',
    "tsconfig.json": '{"compilerOptions": {"strict": true}}',
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    return tmp_path


@pytest.fixture(params=COMMANDS)
def resolver(request: pytest.FixtureRequest, root: Path) -> Iterator[LspResolver]:
    made = LspResolver(LocalFileBackend(root), request.param, COMMANDS[request.param])
    yield made
    made.close()


def trusted(language: str) -> Settings:
    raw = {
        "jedi": False,
        "trusted": True,
        "language_servers": {language: COMMANDS[language]},
        "time_limit_s": 60.0,
    }
    settings, problems = settings_from({"backends": raw})
    assert not problems
    return settings


def test_a_real_server_knows_definitions_and_types(resolver: LspResolver) -> None:
    if resolver.knows("m.py"):
        place, definition, word = ("user.py", 4, 40), ("m.py", 2, 8), "run"
    else:
        place, definition, word = ("user.ts", 2, 14), ("n.ts", 1, 17), "go"
    found = resolver.definitions(*place, 60)
    assert [(item.path, item.line, item.column) for item in found] == [definition]
    assert word in (resolver.described(*place, 60) or "")


@pytest.mark.parametrize(("language", "name"), [("python", "A.run"), ("typescript", "B.go")])
def test_what_is_open_is_decided(root: Path, language: str, name: str) -> None:
    with Engine.open(root, trusted(language)) as engine:
        found = engine.references(name)
    assert found.complete
    assert found.references
