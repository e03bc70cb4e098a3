"""What language servers know of the uses of definitions, stored so that it can be compared.

A use is what the server lists for a definition, or a place that spells its name and from which
the server's "go to definition" leads to it: lists alone lack what modules hand on.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from analysis.backends.lsp_connection import LspConnection, ServerFailed
from analysis.parsing.embedded import scripts_in
from analysis.parsing.find_symbols import walk
from analysis.parsing.languages import language_of
from analysis.parsing.outline import outline_of
from benchmarks.completeness_packages import PACKAGES, SCRIPTS, SOURCES, symbols
from benchmarks.reference_oracle import DATA, ORACLES, ask, start_pyright, start_typescript
from benchmarks.reference_symbols import SEED, Symbol

Place = tuple[str, int, int]

_LANGUAGE_IDS = {"tsx": "typescriptreact", "jsx": "javascriptreact", "vue": "typescript"}
# What a package tells checkers of types narrows down where they look.
_LEFT_OUT = (".git", "pyproject.toml", "pyrightconfig.json", "mypy.ini", "tsconfig.json")
# Common names stand in thousands of places; so many of them are asked about.
_MAX_SPELLED = 400


class Oracle:
    """A language server that has taken in a copy of a package."""

    def __init__(self, name: str, root: Path | None = None, kind: str = "") -> None:
        kind = kind or PACKAGES[name].kind
        self._python = kind == "python"
        self._sources = root or (SOURCES / name).resolve()
        self.root = mirror(name, self._sources, kind)
        start = start_pyright if self._python else start_typescript
        self._server: LspConnection = start(self.root)
        for path in sorted(self.root.rglob("*")):
            if path.suffix in ((".py", ".pyi") if self._python else SCRIPTS):
                self._open(path)

    def _open(self, path: Path) -> None:
        language = "python" if self._python else _language_id(path.name)
        item = {"uri": path.as_uri(), "languageId": language, "version": 1}
        item["text"] = path.read_text("utf-8")
        self._server.notify("textDocument/didOpen", {"textDocument": item})

    def uses_of(self, symbol: Symbol) -> dict[str, list[list[Any]]]:
        """Return where a definition is used, itself included, and where others of its name are.

        Places are [path, line, column].
        """
        asked = Symbol(**{**asdict(symbol), "path": self._mirrored(symbol.path)})
        listed = ask(self._server, self.root, asked, 300, is_open=True)
        places = {(unmirrored_path(path), line, column) for path, line, column in listed}
        own, others = set(self._definitions(symbol)), set()
        for path, line, column in self._spelled(symbol.name):
            if (path, line, column) not in places | own:
                found = self.leads_to(path, line, column) or []
                if any(place in own for place in found):
                    places.add((path, line, column))
                elif found:
                    others.add((path, line, column))
        return {
            "places": sorted([*place] for place in places),
            "others": sorted([*place] for place in others),
        }

    def _definitions(self, symbol: Symbol) -> Iterator[Place]:
        """Yield where a definition and its overloads stand."""
        yield symbol.path, symbol.line, symbol.column
        text = (self._sources / symbol.path).read_text("utf-8")
        for info in walk(outline_of(symbol.path, text)):
            if info.qualified_name == symbol.qualified_name:
                yield symbol.path, info.name_line, info.name_column

    def _spelled(self, name: str) -> list[Place]:
        """Return the places that spell a name; of very many a part, drawn at random."""
        word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
        found = []
        for file in sorted(self.root.rglob("*")):
            if file.suffix in ((".py", ".pyi") if self._python else SCRIPTS):
                path = unmirrored_path(file.relative_to(self.root).as_posix())
                for number, line in enumerate(file.read_text("utf-8").split("\n"), 1):
                    found += [(path, number, match.start()) for match in word.finditer(line)]
        if len(found) > _MAX_SPELLED:
            found = random.Random(SEED).sample(found, _MAX_SPELLED)
        return found

    def leads_to(self, path: str, line: int, column: int) -> list[Place] | None:
        """Return where an identifier is defined in the package; None if the server cannot tell."""
        file = self.root / self._mirrored(path)
        before = file.read_text("utf-8").split("\n")[line - 1][:column]
        position = {"line": line - 1, "character": len(before.encode("utf-16-le")) // 2}
        params = {"textDocument": {"uri": file.as_uri()}, "position": position}
        try:
            answer = self._server.request("textDocument/definition", params, 60)
        except ServerFailed:
            return None
        places = [self._place(item) for item in answer or []]
        return places or None

    def _place(self, location: dict[str, Any]) -> Place:
        uri = location.get("uri") or location.get("targetUri") or ""
        span = location.get("range") or location.get("targetSelectionRange") or {}
        file = Path(unquote(uri.removeprefix("file://")))
        if not file.is_relative_to(self.root):
            return "", 0, 0
        start = span["start"]
        line = file.read_text("utf-8").split("\n")[start["line"]]
        column = len(line.encode("utf-16-le")[: start["character"] * 2].decode("utf-16-le"))
        path = unmirrored_path(file.relative_to(self.root).as_posix())
        return path, start["line"] + 1, column

    def _mirrored(self, path: str) -> str:
        return f"{path}.ts" if path.endswith(".vue") and not self._python else path

    def close(self) -> None:
        """End the server."""
        self._server.kill()


def build(name: str) -> None:
    """Ask the oracle about each symbol and store its answers."""
    drawn = symbols(name)
    oracle = Oracle(name)
    for symbol in drawn:
        # While it still evaluates files its answers under-report.
        oracle.leads_to(symbol.path, symbol.line, symbol.column)
    rows: list[dict[str, Any]] = []
    for symbol in drawn:
        try:
            rows.append({**asdict(symbol), **oracle.uses_of(symbol)})
        except ServerFailed as error:
            print(name, symbol.qualified_name, error, file=sys.stderr)
    oracle.close()
    oracle_path(name).write_bytes(gzip.compress(json.dumps(rows).encode(), mtime=0))
    print(name, len(rows), sum(len(row["places"]) for row in rows), file=sys.stderr, flush=True)


def oracle_path(name: str) -> Path:
    """Return the file that holds the oracle's answers for a package."""
    return ORACLES / f"completeness-{name}.json.gz"


def _language_id(path: str) -> str:
    language = language_of(path)
    return _LANGUAGE_IDS.get(language, language)


def mirror(name: str, root: Path, kind: str) -> Path:
    """Return a copy for the server: without settings, and components as the script in them."""
    mirror = DATA / "mirrors" / name
    shutil.rmtree(mirror, ignore_errors=True)
    shutil.copytree(root, mirror, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    if kind == "python":
        return mirror.resolve()
    for path in mirror.rglob("*.vue"):
        _, code = scripts_in(path.name, "vue", path.read_text("utf-8"))
        path.with_name(path.name + ".ts").write_text(code, "utf-8")
        path.unlink()
    options = {
        "allowJs": True, "checkJs": False, "jsx": "preserve", "target": "esnext", "noEmit": True,
        "module": "esnext", "moduleResolution": "bundler", "allowImportingTsExtensions": True,
    }  # fmt: skip
    if kind == "commonjs":
        options |= {"module": "commonjs", "moduleResolution": "node10"}
        options.pop("allowImportingTsExtensions")
    config = {"compilerOptions": options, "include": ["**/*"]}
    (mirror / "tsconfig.json").write_text(json.dumps(config), "utf-8")
    return mirror.resolve()


def unmirrored_path(path: str) -> str:
    """Return a path in the package from one in its mirror."""
    return path.removesuffix(".ts") if path.endswith(".vue.ts") else path
