"""The definitions of some files, as places that an answer may show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis.documents import CodeView
from analysis.models import SymbolChoice, SymbolInfo
from analysis.modes.offline.demotion import demotion
from analysis.modes.places import SETUP, Place, place_of
from analysis.references.scopes.script_layout import is_script

_CODE_KINDS = frozenset({"function", "method", "property", "class", "interface", "enum"})


class CodePlaces:
    """Definitions of files that were added one by one."""

    def __init__(self, code: CodeView) -> None:
        self._code = code
        self._by_name: dict[str, dict[str, list[Place]]] = {}
        self._functions: set[tuple[str, str]] = set()

    @property
    def paths(self) -> frozenset[str]:
        """The files that were added."""
        return frozenset(self._by_name)

    def add(self, path: str) -> None:
        """Add a file's definitions."""
        if path in self._by_name or self._code.lines(path) is None:
            return
        infos = [info for info in self._code.symbols(path) if _is_code(info)]
        infos = _implementations(infos) if has_facts(path) else infos
        names = self._by_name[path] = {}
        for info in infos:
            names.setdefault(info.qualified_name, []).append(place_of(path, info))
        kinds = {"function", "method", "property"}
        self._functions |= {(path, i.qualified_name) for i in infos if i.kind in kinds}

    def all(self) -> Iterator[Place]:
        """Yield all definitions that can be shown."""
        for places in self._by_name.values():
            for same in places.values():
                yield from same

    def at(self, choice: SymbolChoice) -> Place | None:
        """Return the place of a definition; of overloads without bodies the one that has one."""
        same = self._by_name.get(choice.path, {}).get(choice.qualified_name, [])
        own = (p for p in same if p.info and p.info.line == choice.line)
        return next(own, same[0] if same else None)

    def demotion(self, place: Place) -> float:
        """Return what part of its score a definition deserves as something to read."""
        is_inner = (place.path, place.owner) in self._functions
        return demotion(place, self._code.lines(place.path) or (), is_inner=is_inner)

    def constructor_of(self, place: Place) -> Place:
        """Return a class's own constructor, which calling the class runs; else the class."""
        if not place.is_class:
            return place
        members = self._by_name.get(place.path, {})
        found = [members.get(f"{place.name}.{name}", []) for name in SETUP]
        return next((same[0] for same in found if same), place)


def has_facts(path: str) -> bool:
    """Return whether a file's language has facts; there, overloads are one definition."""
    return is_script(path) or path.endswith((".py", ".pyi"))


def choice_of_place(place: Place) -> SymbolChoice | None:
    """Return a place's definition as it is named to the code base; None for other lines."""
    info = place.info
    if info is None:
        return None
    return SymbolChoice(place.path, info.qualified_name, info.kind, info.line, info.signature)


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
