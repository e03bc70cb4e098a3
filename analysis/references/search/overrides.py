"""Which members of other classes override a member: only those that are proven to."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.models import SymbolChoice
from analysis.parsing.facts.codes import B, S
from analysis.references.scopes.values import ClassValue, SymbolRef
from analysis.references.search.session import ResolutionSession
from analysis.references.search.stopped import SearchStopped, check_search
from analysis.references.search.targets import Target, target_in

_METHODS = frozenset({"method", "property"})
# Each class makes its own objects: what is called there is not chosen by the object.
_CONSTRUCTORS = frozenset({"__init__", "__new__", "__init_subclass__", "constructor"})
# Names that are everywhere are not looked up: it would take longer than it is worth.
_MAX_FILES = 400


def overriding(code: ResolutionSession, target: Target) -> list[SymbolChoice]:
    """Return the methods that override a method, in order of path and line.

    There may be more: classes whose bases are not known for certain are left out, and so is what a
    deadline left no time for.
    """
    facts = code.unpacked(target.symbol.path)
    row = facts.scopes[target.symbol.scope]
    if row.kind != S.CLASS or target.choice.kind not in _METHODS or target.name in _CONSTRUCTORS:
        return []
    paths = code.files_with_identifier(target.name)
    found: list[SymbolChoice] = []
    try:
        for path in paths if len(paths) <= _MAX_FILES else ():
            check_search(code.resolver.deadline)
            found += _in_file(code, path, ClassValue(target.symbol.path, row.owner), target.name)
    except SearchStopped:
        pass  # What was found by then is true.
    return sorted(found, key=lambda choice: (choice.path, choice.line))


def _in_file(
    code: ResolutionSession, path: str, base: ClassValue, name: str
) -> Iterator[SymbolChoice]:
    """Yield the methods of a name in a file's classes below a base."""
    facts = code.unpacked(path)
    for index, row in enumerate(facts.classes):
        cls = ClassValue(path, index)
        bound = facts.bound_in(row.scope, facts.name_id(name))
        defines = any(facts.bindings[number].kind == B.FUNCTION for number in bound)
        if defines and cls != base and base in code.resolver.classes.proven_bases(cls):
            found = target_in(code, SymbolRef(path, row.scope, name))
            if found is not None and found.choice.kind in _METHODS:
                yield found.choice
