"""Who calls a function and whom it calls, over several steps, with cycles walked once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from analysis.models import CallList, CallSite, Reference
from analysis.parsing.facts.codes import NONE, B, E, O, S, U
from analysis.parsing.facts.rows import Occurrence
from analysis.references.scopes.values import SymbolRef
from analysis.references.search.call_sites import call_site
from analysis.references.search.handing_on import constructed, is_handed_on
from analysis.references.search.order import in_order
from analysis.references.search.session import ResolutionSession
from analysis.references.search.stopped import SearchStopped
from analysis.references.search.targets import Target, target_in, targets_of
from analysis.references.search.use_kinds import UseKinds
from analysis.references.search.uses import Use, reference_at, uses_of
from analysis.stopping import StopReason

# A graph with more calls than this is no help to anybody.
MAX_CALLS = 2000

_CALLED_KINDS = ("function", "method", "class")
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__", "constructor")
_CALLING = (U.CALL, U.NEW, U.ELEMENT, U.DECORATOR, U.THROWN)

Direction = Literal["callers", "callees"]


@dataclass(slots=True)
class _Walk:
    """What was found on the way."""

    calls: list[CallSite] = field(default_factory=list)
    unverified: list[CallSite] = field(default_factory=list)
    values: list[Reference] = field(default_factory=list)
    stopped_by: StopReason | None = None
    complete: bool = True


def calls_of(code: ResolutionSession, target: Target, direction: Direction, depth: int) -> CallList:
    """Return the calls that lead to a definition, or that start from it.

    Args:
        code: The code base.
        target: The definition.
        direction: Which end of the calls it is.
        depth: How many steps are followed.
    """
    found = _Walk()
    seen = {target.symbol}
    level: list[tuple[Target, str | None]] = [(target, None)]
    step = _callers if direction == "callers" else _callees
    try:
        for number in range(1, depth + 1):
            following: list[tuple[Target, str | None]] = []
            for end, _ in level:
                through = end.choice.qualified_name if number > 1 else None
                for other in step(code, end, number, through, found):
                    if other.symbol not in seen:
                        seen.add(other.symbol)
                        following.append((other, through))
                if len(found.calls) >= MAX_CALLS:
                    raise SearchStopped("size")
            level = following
    except SearchStopped as stopped:
        found.stopped_by = stopped.reason
    return CallList(
        symbol=target.choice.qualified_name,
        definition=target.choice,
        direction=direction,
        calls=tuple(sorted(found.calls, key=lambda call: (call.depth, call.is_test))),
        unverified=tuple(sorted(found.unverified, key=lambda call: (call.depth, call.is_test))),
        complete=found.complete and not found.unverified and found.stopped_by is None,
        stopped_by=found.stopped_by,
        answered_by="ast",
        values=in_order(dict.fromkeys(found.values)),
    )


def _callers(
    code: ResolutionSession, callee: Target, depth: int, through: str | None, found: _Walk
) -> Iterator[Target]:
    """Note the calls of a definition and yield the functions they stand in."""
    for target in (callee, *constructed(code, callee)):
        uses = uses_of(code, target)
        kinds = UseKinds(code, target)
        for use in _ordered(uses.verified):
            if kinds.is_call(use.use):
                caller = _enclosing(code, use.reference.path, use.scope)
                found.calls.append(
                    call_site(use.reference, caller.choice if caller else None, depth, through)
                )
                if caller is not None:
                    yield caller
            elif kinds.is_value(use.use) and target is callee:
                found.values.append(use.reference)
        for use in _ordered(uses.unverified):
            # What may be the definition and is handed on may be called there.
            may_call = kinds.is_call(use.use) or kinds.is_value(use.use)
            if may_call or use.reference.kind == "mention":
                caller = _enclosing(code, use.reference.path, use.scope)
                found.unverified.append(
                    call_site(use.reference, caller.choice if caller else None, depth, through)
                )
        found.complete &= not uses.unverified
        if uses.stopped_by is not None:
            raise SearchStopped(uses.stopped_by)
    found.complete &= not found.values and not is_handed_on(code, callee)


def _ordered(uses: list[Use]) -> list[Use]:
    return sorted(
        uses, key=lambda use: (use.reference.path, use.reference.line, use.reference.column)
    )


def _callees(
    code: ResolutionSession, caller: Target, depth: int, through: str | None, found: _Walk
) -> Iterator[Target]:
    """Note the calls in a definition and yield what is called, as far as it is in the code."""
    path = caller.symbol.path
    scopes = _scopes_of(code, caller, constructor_only=depth > 1)
    facts = code.unpacked(path)
    for row in sorted(facts.occurrences, key=lambda o: (o.line, o.column)):
        if row.scope not in scopes or row.kind not in (O.NAME, O.ATTRIBUTE):
            continue
        if row.use in (U.DEFINITION, U.TYPE, U.BASE, U.CLOSING, U.IMPORT, U.EXPORT):
            continue
        if row.kind == O.NAME and row.use not in (*_CALLING, U.RAISED):
            continue
        meaning = code.definitions.of(path, row)
        for callee in called_by(code, row, meaning.symbols):
            kinds = UseKinds(code, callee)
            if kinds.is_call(row.use):
                reference = reference_at(code, path, row, kinds.name(row.use))
                found.calls.append(call_site(reference, callee.choice, depth, through))
                yield callee
        if row.use in _CALLING and not meaning.symbols and not meaning.certain:
            reference = reference_at(code, path, row, "call")
            site = call_site(reference, None, depth, through)
            found.unverified.append(replace(site, symbol=facts.names[row.name]))


def called_by(
    code: ResolutionSession, row: Occurrence, symbols: frozenset[SymbolRef]
) -> list[Target]:
    """Return the functions, classes and properties that an identifier means."""
    found = targets_of(code, symbols, None)
    return [
        target
        for target in found
        if target.choice.kind in _CALLED_KINDS
        or UseKinds(code, target).is_getter
        or (target.choice.kind in ("variable", "property") and row.use in _CALLING)
    ]


def _scopes_of(code: ResolutionSession, target: Target, *, constructor_only: bool) -> set[int]:
    """Return a definition's own scopes and all below them; of a called class its constructor's."""
    facts = code.unpacked(target.symbol.path)
    name = facts.name_id(target.name)
    key = (target.symbol.scope, name)
    own = {row.scope for row in facts.functions if (row.outer, row.name) == key}
    own |= _bound_functions(code, target)
    classes = {row.scope for row in facts.classes if (row.outer, row.name) == key}
    if constructor_only:
        for row in facts.functions:
            if row.outer in classes and facts.names[row.name] in _CONSTRUCTORS:
                own.add(row.scope)
    else:
        own |= classes
    for index, scope in enumerate(facts.scopes):
        if scope.parent in own:
            own.add(index)
    return own


def _bound_functions(code: ResolutionSession, target: Target) -> set[int]:
    """Return the scopes of functions that are values bound to a definition's name."""
    facts = code.unpacked(target.symbol.path)
    scopes: set[int] = set()
    for index in facts.bound_in(target.symbol.scope, facts.name_id(target.name)):
        binding = facts.bindings[index]
        if binding.kind == B.FUNCTION:
            scopes.add(facts.functions[binding.a].scope)
        elif binding.kind in (B.ASSIGN, B.ANNOTATED, B.EXPORT):
            value = binding.b if binding.kind == B.ANNOTATED else binding.a
            row = facts.expressions[value] if value != NONE else None
            if row is not None and row.kind == E.FUNCTION:
                scopes.add(facts.functions[row.a].scope)
            elif row is not None and row.kind == E.LAMBDA:
                scopes.add(row.b)
    return scopes


def _enclosing(code: ResolutionSession, path: str, scope: int) -> Target | None:
    """Return the innermost function or class with a name around a scope."""
    facts = code.unpacked(path)
    while scope > 0:
        row = facts.scopes[scope]
        found: Target | None = None
        if row.kind == S.FUNCTION and row.owner != NONE:
            found = _function_target(code, path, row.owner)
        elif row.kind == S.CLASS and facts.names[facts.classes[row.owner].name]:
            cls = facts.classes[row.owner]
            found = target_in(code, SymbolRef(path, cls.outer, facts.names[cls.name]))
        if found is not None:
            return found
        scope = row.parent
    return None


def _function_target(code: ResolutionSession, path: str, function: int) -> Target | None:
    """Return a function as a definition, by the name of its statement or of what it is bound to."""
    facts = code.unpacked(path)
    row = facts.functions[function]
    value = facts.function_row(function)
    bound = [
        *facts.bindings_of(B.FUNCTION, function),
        *(facts.bindings_of(B.ASSIGN, value) if value != NONE else ()),
        *(facts.bindings_of(B.ANNOTATED, value) if value != NONE else ()),
        *(facts.bindings_of(B.EXPORT, value) if value != NONE else ()),
    ]
    # A function expression's own name is seen inside of it alone.
    bound.sort(key=lambda index: facts.bindings[index].scope == row.scope)
    for index in bound:
        binding = facts.bindings[index]
        found = target_in(code, SymbolRef(path, binding.scope, facts.names[binding.name]))
        if found is not None:
            return found
    return None
