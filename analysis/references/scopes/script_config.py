"""Reads from ``tsconfig.json`` and ``package.json`` what specifiers stand for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from posixpath import basename, dirname, join, normpath
from typing import Any

from analysis.references.scopes.script_layout import PathMappings

# A code base with more configuration files than this has generated ones among them.
_MAX_FILES = 200

_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.S)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


def script_mappings(paths: Iterable[str], read: Callable[[str], str]) -> PathMappings:
    """Return what the configuration files among ``paths`` say.

    Args:
        paths: All files of the code base.
        read: Returns a file's text, empty if it cannot be read.
    """
    prefixes: dict[str, list[str]] = {}
    files = [path for path in paths if _is_config(path)]
    mains: dict[str, str] = {}
    for path in files[:_MAX_FILES]:
        data = _parsed(read(path))
        if basename(path) == "package.json" and isinstance(data.get("main"), str):
            mains[dirname(path)] = normpath(join(dirname(path), data["main"]))
        found = _from_package if basename(path) == "package.json" else _from_compiler
        for prefix, target in found(dirname(path), data):
            prefixes.setdefault(prefix, []).append(target)
    return PathMappings(prefixes, mains)


def _is_config(path: str) -> bool:
    if path[-5:] != ".json":
        return False
    name = basename(path)
    return name == "package.json" or name[:8] in ("tsconfig", "jsconfig")


def _parsed(text: str) -> dict[str, Any]:
    """Return the data of a JSON file with comments and trailing commas; empty if it is broken."""
    plain = _COMMENT.sub(lambda match: match[1] or "", text)
    try:
        data = json.loads(_TRAILING_COMMA.sub(r"\1", plain))
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _from_compiler(folder: str, data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield ``paths`` and ``baseUrl`` of a ``tsconfig.json``."""
    options = data.get("compilerOptions")
    if not isinstance(options, dict):
        return
    base = options.get("baseUrl")
    paths = options.get("paths")
    root = join(folder, base) if isinstance(base, str) else folder
    for pattern, targets in paths.items() if isinstance(paths, dict) else ():
        for target in targets if isinstance(targets, list) else ():
            if isinstance(target, str):
                yield pattern, join(root, target)
    if isinstance(base, str):
        yield "*", join(root, "*")


def _from_package(folder: str, data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what a package of the code base offers under its own name."""
    name = data.get("name")
    if not isinstance(name, str) or not name:
        return
    exports = data.get("exports")
    if isinstance(exports, dict):
        for key, value in exports.items():
            for target in _targets(value):
                yield (name + key[1:] if key.startswith(".") else name), join(folder, target)
    for field in ("source", "types", "module", "main"):
        if isinstance(data.get(field), str):
            yield name, join(folder, data[field])
    yield name, join(folder, "src", "index")
    yield name, join(folder, "index")
    yield f"{name}/*", join(folder, "*")
    yield f"{name}/*", join(folder, "src", "*")


def _targets(value: object) -> Iterator[str]:
    """Yield the files in one entry of ``exports``, whatever the condition."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _targets(inner)
