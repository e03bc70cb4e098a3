"""Which symbols the reference benchmark asks about: drawn at random with a fixed seed, and picked.

Columns are code points, lines 1-based, as everywhere in Scope.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SEED = 20250
PER_KIND = {"function": 14, "class": 12, "method": 22, "variable": 8, "attribute": 10}

# Names that many unrelated things share: the hard case for whoever matches names only.
PICKED: dict[str, tuple[str, ...]] = {
    "requests": ("api.get", "Session.get", "Session.send", "HTTPAdapter.send", "Response.close"),
    "httpx": ("_api.get", "Client.get", "Client.send", "AsyncClient.send", "Response.read"),
    "rich": ("Console.print", "Console.render", "Progress.update", "Text.append", "Table.add_row"),
    "fastapi": (
        "FastAPI.get",
        "APIRouter.get",
        "FastAPI.include_router",
        "APIRouter.add_api_route",
    ),
    "django": ("Model.save", "QuerySet.filter", "QuerySet.get", "BaseForm.is_valid", "Field.clean"),
}


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition to ask about."""

    path: str
    name: str
    qualified_name: str
    kind: str
    line: int
    column: int


def python_files(root: Path) -> list[str]:
    """Return the corpus's Python files, sorted."""
    return sorted(str(path.relative_to(root).as_posix()) for path in root.rglob("*.py"))


def sample(corpus: str, root: Path, package: str) -> list[Symbol]:
    """Return the symbols asked about: random ones of each kind, then the picked ones."""
    found: dict[str, list[Symbol]] = {kind: [] for kind in PER_KIND}
    for path in python_files(root):
        if path.startswith(package) and not re.search(r"/(tests?|migrations|locale)/", path):
            for symbol in definitions(path, (root / path).read_text("utf-8")):
                found[symbol.kind].append(symbol)
    rng = random.Random(SEED)
    chosen = []
    for kind, count in PER_KIND.items():
        chosen += rng.sample(found[kind], min(count, len(found[kind])))
    everything = [symbol for symbols in found.values() for symbol in symbols]
    for wanted in PICKED.get(corpus, ()):
        owner, name = wanted.split(".")
        chosen += [
            symbol
            for symbol in everything
            if symbol.name == name
            and (symbol.qualified_name == wanted or Path(symbol.path).stem == owner)
            and symbol.kind in ("method", "function")
        ][:1]
    return list(dict.fromkeys(chosen))


def definitions(path: str, text: str) -> Iterator[Symbol]:
    """Yield functions, classes, methods, module variables and attributes of a file."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    lines = text.split("\n")
    for node in tree.body:
        yield from _of_statement(path, lines, node, owner=None)


def _of_statement(
    path: str, lines: list[str], node: ast.stmt, owner: str | None
) -> Iterator[Symbol]:
    prefix = f"{owner}." if owner else ""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        line, column = _name_place(lines, node.lineno, node.name)
        kind = "method" if owner else "function"
        if not node.name.startswith("__"):
            yield Symbol(path, node.name, prefix + node.name, kind, line, column)
        if owner:
            yield from _instance_attributes(path, lines, node, owner)
    elif isinstance(node, ast.ClassDef):
        line, column = _name_place(lines, node.lineno, node.name)
        if not owner:
            yield Symbol(path, node.name, node.name, "class", line, column)
            for child in node.body:
                yield from _of_statement(path, lines, child, node.name)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and not target.id.startswith("__"):
                column = len(lines[target.lineno - 1].encode()[: target.col_offset].decode())
                kind = "attribute" if owner else "variable"
                yield Symbol(path, target.id, prefix + target.id, kind, target.lineno, column)


def _instance_attributes(
    path: str, lines: list[str], function: ast.FunctionDef | ast.AsyncFunctionDef, owner: str
) -> Iterator[Symbol]:
    if function.name != "__init__":
        return
    seen = set()
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
            and node.attr not in seen
            and not node.attr.startswith("__")
        ):
            seen.add(node.attr)
            column = lines[node.lineno - 1].find(f"self.{node.attr}") + len("self.")
            yield Symbol(path, node.attr, f"{owner}.{node.attr}", "attribute", node.lineno, column)


def _name_place(lines: list[str], line: int, name: str) -> tuple[int, int]:
    match = re.search(rf"\b(?:def|class)\s+({re.escape(name)})\b", lines[line - 1])
    return (line, match.start(1)) if match else (line, 0)
