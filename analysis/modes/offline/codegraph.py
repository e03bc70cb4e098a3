"""Who calls whom, by name, inside a set of files; what is not clear is no edge."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from posixpath import basename

from analysis.documents import CodeView
from analysis.models import FileOutline, ImportInfo, SymbolInfo
from analysis.modes.offline.demotion import demotion
from analysis.modes.offline.excerpts import end_of_signature
from analysis.modes.offline.scanning import NameUse, uses_by_line
from analysis.modes.places import SETUP, CallEdge, EdgeKind, Place, place_of
from analysis.parsing.words import split_identifier

_CODE_KINDS = frozenset({"function", "method", "property", "class", "interface", "enum"})
_SELF = frozenset({"self", "cls", "this"})
_BASES = re.compile(
    r"^class\s+[\w$]+(?:\[[^\]]*\])?\s*\((?P<python>.*)\)|\bextends\s+(?P<other>[\w$.]+)"
)
# Methods of lists, strings, files and promises: on an unknown object they say nothing.
_EVERYWHERE = frozenset(
    {
        *("get", "set", "add", "append", "items", "keys", "values", "pop", "update", "copy"),
        *("join", "split", "format", "read", "write", "close", "open", "replace", "strip", "map"),
        *("filter", "push", "slice", "then", "call", "apply", "bind", "toString", "match", "test"),
        *("exec", "find", "index", "count", "sort", "reverse", "extend", "insert", "remove"),
        *("clear", "encode", "decode", "concat", "has", "delete", "lower", "upper", "setdefault"),
    }
)
# On an object of unknown type, one word is too common to tell whose method is meant.
_TELLING_WORDS = 2
_TYPE_TEST = re.compile(r"\b(?:isinstance|issubclass)\s*\(|\binstanceof\b|\bexcept\b")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")


@dataclass(slots=True)
class _GraphFile:
    path: str
    places: list[Place]
    imports: dict[str, ImportInfo]
    """By the name that they bind."""
    uses: list[tuple[Place, NameUse]] = field(default_factory=list)


class CodeGraph:
    """Definitions of some files as nodes, and what they call, create and use as edges."""

    def __init__(self, code: CodeView, outline: Callable[[str], FileOutline]) -> None:
        self._code = code
        self._outline = outline
        self._files: dict[str, _GraphFile] = {}
        self._by_name: dict[str, list[Place]] = {}
        self._methods: dict[tuple[str, str], list[Place]] = {}
        self._functions: set[tuple[str, str]] = set()
        self._bases: dict[tuple[str, str], list[str]] = {}

    @property
    def paths(self) -> frozenset[str]:
        """The files that were added."""
        return frozenset(self._files)

    def places(self) -> Iterator[Place]:
        """Yield all definitions that can be shown."""
        for file in self._files.values():
            yield from file.places

    def demotion(self, place: Place) -> float:
        """Return what part of its score a definition deserves as something to read."""
        is_inner = (place.path, place.owner) in self._functions
        return demotion(place, self._code.lines(place.path) or (), is_inner=is_inner)

    def add(self, path: str) -> None:
        """Add a file's definitions and what they refer to."""
        lines = self._code.lines(path)
        if path in self._files or lines is None:
            return
        outline = self._outline(path)
        every = [info for info in self._code.symbols(path) if _is_code(info)]
        infos = _implementations(every)
        bound = {name: item for item in outline.imports for name in item.names}
        file = _GraphFile(path, [place_of(path, info) for info in infos], bound)
        self._files[path] = file
        for place in file.places:
            assert place.info is not None
            self._by_name.setdefault(place.info.name, []).append(place)
            if place.is_class:
                self._bases[path, place.name] = _bases_of(place.info)
            if place.info.kind in {"function", "method", "property"}:
                self._functions.add((path, place.name))
            if place.owner and place.info.name not in SETUP:
                self._methods.setdefault((path, place.owner), []).append(place)
        main = {place.name: place for place in file.places}
        holders = _holders([(info, main[info.qualified_name]) for info in every], len(lines))
        for number, uses in uses_by_line(outline.language, "\n".join(lines)).items():
            holder = holders[number - 1] if number <= len(holders) else None
            if holder is None:
                continue
            # What is only named as a type, or tested for, is no part of what is done.
            body = number > end_of_signature(holder, lines)
            body = body and _TYPE_TEST.search(lines[number - 1]) is None
            file.uses += [(holder, use) for use in uses if body or use.is_call]

    def edges(self) -> list[CallEdge]:
        """Return what refers to what, one edge a pair, at its first line."""
        found: dict[tuple[Place, Place], CallEdge] = {}
        for file in self._files.values():
            for source, use in file.uses:
                target = self._target(file, source, use)
                if target is None or target == source or _is_inside(source, target):
                    continue
                key = (source, target)
                if key not in found:
                    found[key] = CallEdge(source, target, use.line, _kind(use, target))
        return list(found.values())

    def unresolved(self, places: Iterable[Place]) -> list[str]:
        """Return names that places call and that no added file defines, in order of the text."""
        wanted = set(places)
        names: dict[str, None] = {}
        for file in self._files.values():
            for source, use in file.uses:
                if source in wanted and use.name not in self._by_name:
                    names.setdefault(use.name, None)
        return [name for name in names if name not in _EVERYWHERE]

    def _target(self, file: _GraphFile, source: Place, use: NameUse) -> Place | None:
        """Return the definition that a use means, if the code leaves no doubt."""
        known = self._by_name.get(use.name, [])
        if not known:
            return None
        if use.receiver in _SELF or use.receiver == "super()":
            found = self._on_self(source, use)
        elif use.receiver:
            found = self._on_object(file, use, known)
        else:
            found = self._plain(file, source, use, known)
        if found is None or not found.is_class:
            return found
        return self._setup_of(found) if use.is_call else self._only_method(found)

    def _plain(
        self, file: _GraphFile, source: Place, use: NameUse, known: list[Place]
    ) -> Place | None:
        """Return what a name without anything before it means: nested, of the file, imported."""
        nested = [p for p in known if p.path == file.path and p.owner == source.name]
        own = [p for p in known if p.path == file.path and not p.owner]
        if nested or own:
            return (nested or own)[-1]
        imported = file.imports.get(use.name)
        if imported is None and "*" not in file.imports:
            return None
        elsewhere = [p for p in known if p.path != file.path and not p.owner]
        if imported is not None and len(elsewhere) > 1:
            elsewhere = [p for p in elsewhere if _comes_from(p.path, imported)] or elsewhere
        return elsewhere[0] if len(elsewhere) == 1 else None

    def _on_self(self, source: Place, use: NameUse) -> Place | None:
        """Return the method that an object's own call means, here or in a base class."""
        owner = source.owner
        while owner:
            found = self._method(source.path, owner, use.name, skip_own=use.receiver == "super()")
            if found is not None:
                return found
            owner = owner.rpartition(".")[0]
        return None

    def _method(self, path: str, owner: str, name: str, *, skip_own: bool = False) -> Place | None:
        """Return a class's method, looked up through the bases that are known."""
        pending, seen = [(path, owner)], set()
        while pending:
            where = pending.pop(0)
            if where in seen:
                continue
            seen.add(where)
            if not (skip_own and where == (path, owner)):
                for place in self._by_name.get(name, []):
                    if (place.path, place.owner) == where:
                        return place
            for base in self._bases.get(where, []):
                pending += [(p.path, p.name) for p in self._by_name.get(base, []) if p.is_class]
        return None

    def _on_object(self, file: _GraphFile, use: NameUse, known: list[Place]) -> Place | None:
        """Return what a call on some object means, judged by the object's name."""
        imported = file.imports.get(use.receiver)
        if imported is not None:
            functions = [
                p for p in known if not p.owner and _is_module(p.path, use.receiver, imported)
            ]
            if len(functions) == 1:
                return functions[0]
        methods = [p for p in known if self._is_method(p)]
        named_alike = [p for p in methods if _is_called_like(use.receiver, p.owner)]
        exact = [
            p for p in named_alike if p.owner.rpartition(".")[2].lower() == _bare(use.receiver)
        ]
        for choice in (exact, named_alike):
            only = self._most_general(choice)
            if only is not None:
                return only
        if named_alike or len(split_identifier(use.name)) < _TELLING_WORDS:
            return None
        everywhere = [(path, info) for path, info in self._code.named(use.name) if _is_code(info)]
        only = self._most_general(methods)
        return only if only is not None and len(everywhere) <= len(methods) else None

    def _is_method(self, place: Place) -> bool:
        """Return whether a definition can be what is called on an object."""
        is_property = place.info is not None and place.info.kind == "property"
        inside = place.path, place.owner
        return bool(place.owner) and not is_property and inside not in self._functions

    def _most_general(self, methods: list[Place]) -> Place | None:
        """Return the one method of several that the others override, if there is one."""
        if len(methods) <= 1:
            return methods[0] if methods else None
        heads = [m for m in methods if not self._overrides(m, methods)]
        return heads[0] if len(heads) == 1 else None

    def _overrides(self, method: Place, others: list[Place]) -> bool:
        assert method.info is not None
        base = self._method(method.path, method.owner, method.info.name, skip_own=True)
        return base is not None and base in others

    def _setup_of(self, place: Place) -> Place:
        """Return a class's constructor, which is what calling the class runs; else the class."""
        for name in SETUP:
            found = self._method(place.path, place.name, name)
            if found is not None and found.path == place.path and found.owner == place.name:
                return found
        return place

    def _only_method(self, place: Place) -> Place:
        """Return the one method that a small class is there for; else the class."""
        methods = self._methods.get((place.path, place.name), [])
        return methods[0] if len(methods) == 1 else place


def _implementations(symbols: Iterable[SymbolInfo]) -> list[SymbolInfo]:
    """Return the definitions; of overloads and accessors that share a name the longest."""
    best: dict[str, SymbolInfo] = {}
    for info in symbols:
        known = best.get(info.qualified_name)
        if known is None or info.line_end - info.line >= known.line_end - known.line:
            best[info.qualified_name] = info
    return sorted(best.values(), key=lambda info: (info.decorated_line, -info.line_end))


def _is_code(info: SymbolInfo) -> bool:
    return info.kind in _CODE_KINDS


def _kind(use: NameUse, target: Place) -> EdgeKind:
    if not use.is_call:
        return "uses"
    if use.is_raised:
        return "raises"
    is_setup = target.info is not None and target.info.name in SETUP
    is_super = use.receiver == "super()"
    return "creates" if target.is_class or (is_setup and not is_super) else "calls"


def _holders(owners: list[tuple[SymbolInfo, Place]], n_lines: int) -> list[Place | None]:
    """Return for each line the innermost definition that it belongs to."""
    holders: list[Place | None] = [None] * n_lines
    for info, place in owners:
        n_held = min(info.line_end, n_lines) - info.decorated_line + 1
        holders[info.decorated_line - 1 : info.line_end] = [place] * n_held
    return holders


def _is_inside(source: Place, target: Place) -> bool:
    """Return whether a use is only the mention of what is around it or right inside it."""
    if source.path != target.path:
        return False
    return source.name.startswith(f"{target.name}.") and _names_a_type(target)


def _names_a_type(place: Place) -> bool:
    """Return whether a definition is a class, or a function that is used as one."""
    return place.is_class or place.name.rpartition(".")[2][:1].isupper()


def _bases_of(info: SymbolInfo) -> list[str]:
    match = _BASES.search(info.signature)
    if match is None:
        return []
    listed = match["python"] if match["python"] is not None else match["other"]
    names = [part.split("[")[0].strip().rpartition(".")[2] for part in listed.split(",")]
    return [name for name in names if name.isidentifier()]


def _comes_from(path: str, imported: ImportInfo) -> bool:
    """Return whether a file can be the module that an import names."""
    tail = imported.module.strip("./").replace(".", "/").removesuffix("/js").removesuffix("/ts")
    stem = path.rpartition(".")[0].removesuffix("/__init__").removesuffix("/index")
    return bool(tail) and f"/{stem}".endswith(f"/{tail}")


def _is_module(path: str, name: str, imported: ImportInfo) -> bool:
    """Return whether a file is the module that an imported name stands for."""
    stem = basename(path.rpartition(".")[0].removesuffix("/__init__").removesuffix("/index"))
    return stem == name or _comes_from(path, imported)


def _is_called_like(receiver: str, owner: str) -> bool:
    """Return whether a variable is named after a class: ``compiler`` after ``SQLCompiler``."""
    name = owner.rpartition(".")[2]
    bare = _bare(receiver)
    if not bare:
        return False
    if name.lower() == bare:
        return True
    words = [word.lower() for word in _WORDS.findall(name)]
    return any("".join(words[start:]) == bare for start in range(1, len(words)))


def _bare(receiver: str) -> str:
    return receiver.strip("_").replace("_", "").lower()
