"""Which packages a repository makes and needs, as its manifests say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from analysis.plain_data import json_data, toml_data

if TYPE_CHECKING:
    from analysis.workspace.files import LocalFileBackend

Package = tuple[str, str, str, str]
"""``is`` or ``needs``, the ecosystem, the package's name, and the manifest."""
_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_GO_LINE = re.compile(r"^\s*(?:require\s+)?([\w.~-]+(?:\.[\w-]+)+/[^\s]+|[\w.-]+\.\w+)\s+v\d", re.M)
_GO_MODULE = re.compile(r"^module\s+(\S+)", re.M)


def packages_in(path: str, files: LocalFileBackend) -> Iterator[Package]:
    """Yield what a manifest names; nothing for any other file, or one that is broken."""
    reader = _READERS.get(path.rpartition("/")[2])
    if reader is None:
        return
    source = files.load(path).source
    if source is None:
        return
    ecosystem, read = reader
    try:
        for relation, name in read(source.text):
            yield relation, ecosystem, name, path
    except (ValueError, AttributeError, TypeError):
        return  # A broken manifest names nothing that could be relied on.


def normal_name(name: str) -> str:
    """Return a Python package's name in the one form in which all its spellings are alike."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _pyproject(text: str) -> Iterator[tuple[str, str]]:
    project: dict[str, Any] = toml_data(text).get("project", {})
    if "name" in project:
        yield "is", normal_name(project["name"])
    extras = project.get("optional-dependencies", {}).values()
    for requirement in [*project.get("dependencies", []), *(r for group in extras for r in group)]:
        found = _REQUIREMENT.match(requirement)
        if found:
            yield "needs", normal_name(found[1])


def _package_json(text: str) -> Iterator[tuple[str, str]]:
    data: dict[str, Any] = json_data(text)
    if data.get("name"):
        yield "is", str(data["name"])
    for kind in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
        for name in data.get(kind, {}):
            yield "needs", str(name)


def _go_mod(text: str) -> Iterator[tuple[str, str]]:
    module = _GO_MODULE.search(text)
    if module:
        yield "is", module[1]
    for found in _GO_LINE.finditer(text):
        yield "needs", found[1]


def _requirements(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        found = None if line.lstrip().startswith(("#", "-")) else _REQUIREMENT.match(line)
        if found:
            yield "needs", normal_name(found[1])


_READERS = {
    "pyproject.toml": ("pypi", _pyproject),
    "requirements.txt": ("pypi", _requirements),
    "package.json": ("npm", _package_json),
    "go.mod": ("go", _go_mod),
}
