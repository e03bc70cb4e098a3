"""Which definition is meant: by name, by position, or one of the choices."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from posixpath import splitext
from typing import Literal

from analysis.models import Position, SymbolChoice, SymbolKind
from analysis.parsing.facts.codes import B, E, O, S
from analysis.parsing.facts.rows import Binding, Occurrence, column_of, line_of
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import SymbolRef
from analysis.references.search.session import ResolutionSession

Space = Literal["type", "value"]

_TYPES = (O.TYPE, O.TYPE_DEFINITION, O.TYPE_ATTRIBUTE)
_VALUES = (O.NAME, O.ATTRIBUTE, O.DEFINITION, O.KEYWORD)


@dataclass(frozen=True, slots=True)
class Target:
    """A definition whose uses are looked for."""

    symbol: SymbolRef
    choice: SymbolChoice
    places: frozenset[tuple[str, int, int]]
    """Where the definition's own name stands: path, line, column."""
    space: Space | None = None
    """Which of two things of the same name in the same scope it is, in TypeScript."""

    @property
    def name(self) -> str:
        """The plain name."""
        return self.symbol.name


def targets_named(code: ResolutionSession, name: str, within: str | None = None) -> list[Target]:
    """Return the definitions that a plain or qualified name can mean.

    Args:
        code: The code base.
        name: As in ``f``, ``Class.method`` or ``package.module.f``.
        within: A file or folder; definitions below it are preferred.
    """
    plain = name.rsplit(".", 1)[-1]
    places = [
        (row.path, row.info.name_line, row.info.name_column, row.info.qualified_name)
        for row in code.symbols_named(plain)
    ]
    found = _targets(code, plain, places, name)
    if not found:
        found = _targets(code, plain, _bound_places(code, plain), name)
    below = [target for target in found if is_below(target.choice.path, within)]
    return below or found


def at_name(code: ResolutionSession, position: Position, name: str) -> Position:
    """Return where the name of a definition stands, if a position is that of its decorators.

    Places that a search finds begin there, and are handed on as they are.
    """
    if position.column:
        return position
    plain = name.rsplit(".", 1)[-1]
    for row in code.symbols_in(position.path):
        info = row.info
        if info.name == plain and info.decorated_line <= position.line < info.name_line:
            return Position(position.path, info.name_line, info.name_column)
    return position


def targets_at(code: ResolutionSession, position: Position, name: str = "") -> list[Target]:
    """Return the definitions that the identifier at a position means.

    Args:
        code: The code base.
        position: Of a definition or use; with column 0 the first identifier on the line counts
            that is called ``name``.
        name: What the identifier is called, if that is known.
    """
    path = position.path
    facts = code.unpacked(path)
    plain = name.rsplit(".", 1)[-1]
    on_line = facts.occurrences_on(position.line)
    touched = [row for row in on_line if _touches(facts.names[row.name], row, position.column)]
    if plain and not any(facts.names[row.name] == plain for row in touched):
        touched = [row for row in on_line if facts.names[row.name] == plain]
    if not touched:
        return []
    row = min(touched, key=lambda row: (row.column, row.kind != O.DEFINITION))
    symbols = code.definitions.of(path, row).symbols
    if row.kind == O.KEY and len(symbols) > 1:
        # What is expected of an object literal says more than the literal itself.
        symbols = symbols - {SymbolRef(path, row.scope, facts.names[row.name])}
    return targets_of(code, symbols, space_of(path, row))


def targets_of(
    code: ResolutionSession, symbols: Iterable[SymbolRef], space: Space | None
) -> list[Target]:
    """Return the definitions that symbols stand for, in order of path and place."""
    ordered = sorted(symbols, key=lambda symbol: (symbol.path, symbol.scope, symbol.name))
    found = [target_in(code, symbol, space) for symbol in ordered]
    return [target for target in found if target is not None]


def _renames(facts: Facts, binding: Binding) -> bool:
    """Return whether a binding only gives another name to something."""
    if binding.kind in (B.FROM, B.IMPORT):
        return True
    is_export = binding.kind == B.EXPORT and binding.a >= 0
    return is_export and facts.expressions[binding.a].kind == E.NAME


def _is_in(facts: Facts, binding: Binding, space: Space | None) -> bool:
    """Return whether a binding defines a type, or a value; a class is both."""
    if binding.kind == B.CLASS and facts.classes[binding.a].is_interface != 1:
        return True
    is_type = binding.kind in (B.ALIAS, B.CLASS, B.TYPE_PARAMETER)
    return space is None or is_type == (space == "type")


def is_below(path: str, folder: str | None) -> bool:
    """Return whether a path is a file, or lies below it."""
    return not folder or f"{path}/".startswith(f"{folder.rstrip('/')}/")


def _touches(name: str, row: Occurrence, column: int) -> bool:
    return row.column <= column <= row.column + len(name)


def _targets(
    code: ResolutionSession, plain: str, places: Iterable[tuple[str, int, int, str]], wanted: str
) -> list[Target]:
    """Return one target for each symbol among the places whose full name ends as wanted."""
    symbols: dict[SymbolRef, None] = {}
    for path, line, column, qualified in places:
        if not is_called(path, qualified, wanted):
            continue
        facts = code.unpacked(path)
        for row in facts.occurrences_of(facts.name_id(plain)):
            if (row.line, row.column) == (line, column):
                symbols |= dict.fromkeys(code.definitions.of(path, row).symbols)
    return unnamed_twice([t for s in symbols if (t := target_in(code, s)) is not None])


def is_called(path: str, qualified: str, wanted: str) -> bool:
    """Return whether a full name can be written as wanted, its module in front or not."""
    module = re.sub(r"/(__init__|index)$", "", splitext(path)[0]).replace("/", ".")
    return f".{module}.{qualified}".endswith(f".{wanted}")


def _bound_places(code: ResolutionSession, plain: str) -> Iterable[tuple[str, int, int, str]]:
    """Yield where a name is bound in a module or class, for what no outline lists."""
    for path in code.files_with_identifier(plain):
        facts = code.unpacked(path)
        name = facts.name_id(plain)
        for index in facts.bindings_of_kind(B.CLASS):
            binding = facts.bindings[index]
            if binding.name == name and facts.scopes[binding.scope].kind == S.BLOCK:
                yield path, line_of(binding.place), column_of(binding.place), plain
        for scope in range(len(facts.scopes)):
            if facts.scopes[scope].kind not in (S.MODULE, S.CLASS):
                continue
            for index in facts.bound_in(scope, name)[:1]:
                binding = facts.bindings[index]
                if binding.kind in (B.FROM, B.IMPORT):
                    continue
                around = code.enclosing(path, scope)
                qualified = f"{around}.{plain}" if around else plain
                yield path, line_of(binding.place), column_of(binding.place), qualified


def space_of(path: str, row: Occurrence) -> Space | None:
    """Return whether an identifier means a type or a value, where a language tells them apart."""
    if not is_script(path):
        return None
    if row.kind in _TYPES:
        return "type"
    return "value" if row.kind in _VALUES else None


def target_in(
    code: ResolutionSession, symbol: SymbolRef, space: Space | None = None
) -> Target | None:
    """Return the target for a name defined in a scope."""
    facts = code.unpacked(symbol.path)
    indices = facts.bound_in(symbol.scope, facts.name_id(symbol.name))
    if not indices:
        return None
    bindings = [facts.bindings[index] for index in indices]
    bindings = [binding for binding in bindings if not _renames(facts, binding)]
    if not bindings:
        return None
    if not is_script(symbol.path):
        space = None
    else:
        kept = [b for b in bindings if _is_in(facts, b, space)]
        space = space if 0 < len(kept) < len(bindings) else None
        bindings = kept or bindings
    defining = [b for b in bindings if b.kind in (B.FUNCTION, B.CLASS)] or bindings[:1]
    places = [(symbol.path, line_of(b.place), column_of(b.place)) for b in defining]
    return Target(symbol, _choice_at(code, facts, symbol, places[0]), frozenset(places), space)


def _choice_at(
    code: ResolutionSession, facts: Facts, symbol: SymbolRef, place: tuple[str, int, int]
) -> SymbolChoice:
    """Return a definition as the outline lists it; what it does not list as its line shows it."""
    path, line, column = place
    info = code.symbol_starting_at(path, line, column)
    if info is not None:
        return SymbolChoice(path, info.qualified_name, info.kind, info.line, info.signature)
    around = code.enclosing(path, symbol.scope)
    qualified = f"{around}.{symbol.name}" if around else symbol.name
    kind: SymbolKind = "property" if facts.scopes[symbol.scope].kind == S.CLASS else "variable"
    return SymbolChoice(path, qualified, kind, line, code.line(path, line))


def unnamed_twice(targets: list[Target]) -> list[Target]:
    """Return targets without those that only are another's own name inside of it."""
    known: dict[tuple[str, str, int], Target] = {}
    for target in targets:
        key = (target.choice.path, target.name, target.choice.line)
        known.setdefault(key, target)
    return list(known.values())
