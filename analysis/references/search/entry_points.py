"""What the metadata of packages names: programs and plug-ins of Python, files of npm packages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath
from typing import NamedTuple

from analysis.indirection import Indirection
from analysis.parsing.facts.codes import S
from analysis.plain_data import json_data, toml_data
from analysis.references.scopes.script_layout import is_script
from analysis.references.search.indirect_words import code as shown
from analysis.references.search.session import ResolutionSession
from analysis.references.search.targets import Target
from analysis.workspace.test_files import is_test_file

_PYTHON = ("pyproject.toml", "setup.cfg", "setup.py")
_OBJECT = re.compile(r"\s*([\w.]+)\s*:\s*([\w.]+)\s*(?:\[.*)?\Z")
_IN_SETUP = re.compile(r"""["']\s*([\w.-]+)\s*=\s*([\w.]+\s*:\s*[\w.]+)\s*["']""")
_GROUP = re.compile(r"""["']?([\w.]+)["']?\s*[:=]\s*[\[(]""")
_PROGRAMS = ("console_scripts", "gui_scripts", "scripts", "gui-scripts")


class EntryPoint(NamedTuple):
    """A line of a package's metadata."""

    group: str
    """As in ``console_scripts``; of npm packages the field."""
    name: str
    value: str
    """``module:object``, or a file."""


def entry_points_of(code: ResolutionSession, target: Target) -> Iterator[Indirection]:
    """Yield where metadata in the folders around a definition names it, or its file."""
    path = target.symbol.path
    names = ("package.json",) if is_script(path) else _PYTHON
    read = _npm if is_script(path) else _python
    known = set(code.paths())
    for folder in _folders(path):
        for name in names:
            manifest = join(folder, name)
            if manifest in known:
                yield from read(code, target, manifest)


def _folders(path: str) -> Iterator[str]:
    folder = dirname(path)
    while folder:
        yield folder
        folder = dirname(folder)
    yield ""


def _python(code: ResolutionSession, target: Target, manifest: str) -> Iterator[Indirection]:
    text = code.text(manifest)
    if target.name not in text:
        return
    resolver = code.resolver
    for point in python_entry_points(manifest, text):
        match = _OBJECT.match(point.value)
        if match is None or match[2] != target.name:
            continue
        module = resolver.layout.absolute(match[1], manifest)
        found = resolver.names.member(module, target.name)
        if {code.definitions.symbol_of(item) for item in found} == {target.symbol}:
            yield _told(manifest, text, point)


def python_entry_points(manifest: str, text: str) -> list[EntryPoint]:
    """Return the entry points that a Python package's metadata names; none if it is broken."""
    if manifest.endswith(".py"):
        return list(_in_setup(text))
    if manifest.endswith(".cfg"):
        return list(_in_config(text))
    try:
        data = toml_data(text)
    except ValueError:
        return []
    project, tool = _table(data, "project"), _table(_table(data, "tool"), "poetry")
    groups: dict[str, Mapping[str, object]] = {
        "scripts": _table(project, "scripts") | _table(tool, "scripts"),
        "gui-scripts": _table(project, "gui-scripts"),
    }
    for table in (_table(project, "entry-points"), _table(tool, "plugins")):
        groups |= {group: _table(table, group) for group in table}
    return [
        EntryPoint(group, name, value)
        for group, table in groups.items()
        for name, value in table.items()
        if isinstance(value, str)
    ]


def _table(data: Mapping[str, object], key: str) -> dict[str, object]:
    value = data.get(key)
    return dict(value) if isinstance(value, dict) else {}


def _in_setup(text: str) -> Iterator[EntryPoint]:
    """Yield the entry points of ``setup(entry_points={...})``, which is read, never run."""
    for match in _IN_SETUP.finditer(text):
        groups = _GROUP.findall(text[: match.start()])
        yield EntryPoint(groups[-1] if groups else "", match[1], match[2])


def _in_config(text: str) -> Iterator[EntryPoint]:
    import configparser  # few packages have a setup.cfg

    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    if not parser.has_section("options.entry_points"):
        return
    for group, value in parser.items("options.entry_points"):
        for line in value.split("\n"):
            name, separator, rest = line.partition("=")
            if separator:
                yield EntryPoint(group, name.strip(), rest.strip())


def _told(manifest: str, text: str, point: EntryPoint) -> Indirection:
    if point.group in _PROGRAMS:
        said = f"the program {shown(point.name)}"
    else:
        said = f"the entry point {shown(point.name)} of the group {shown(point.group)}"
    return _at(manifest, text, point, said)


def _at(manifest: str, text: str, point: EntryPoint, said: str) -> Indirection:
    """Return an entry point with the line that has its name and value."""
    value = point.value.partition(":")[0].strip()
    lines = enumerate(text.split("\n"), 1)
    line = next((n for n, row in lines if point.name in row and value in row), 1)
    return Indirection("entry point", manifest, line, said, is_test=is_test_file(manifest))


def _npm(code: ResolutionSession, target: Target, manifest: str) -> Iterator[Indirection]:
    """Yield what a package says of the file of a definition that the file gives to others."""
    path, scope = target.symbol.path, target.symbol.scope
    facts = code.unpacked(path)
    if facts.scopes[scope].kind not in (S.MODULE, S.EXPORTS):
        return
    text = code.text(manifest)
    for point in npm_entry_points(text):
        named = normpath(join(dirname(manifest), point.value))
        # A library's file is told of what stands alone in it, a program's of all.
        if named not in (path, path.rpartition(".")[0]) or point.group != "bin":
            continue
        yield _at(manifest, text, point, f"in the file of the program {shown(point.name)}")


def npm_entry_points(text: str) -> list[EntryPoint]:
    """Return the programs and files that ``package.json`` names; none if it is broken."""
    try:
        data = json_data(text)
    except ValueError:
        return []
    if not isinstance(data, dict):
        return []
    found = []
    programs = data.get("bin")
    if isinstance(programs, str):
        found.append(EntryPoint("bin", str(data.get("name", "")).rpartition("/")[2], programs))
    elif isinstance(programs, dict):
        found += [EntryPoint("bin", n, v) for n, v in programs.items() if isinstance(v, str)]
    for field in ("main", "module", "browser"):
        if isinstance(data.get(field), str):
            found.append(EntryPoint(field, field, data[field]))
    return found
