"""Who calls a function and whom it calls, over several steps, with cycles walked once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from analysis.models import CallList, CallSite, Reference
from analysis.parsing.facts.codes import NONE, O, S
from analysis.parsing.facts.rows import Occurrence
from analysis.references.scopes.values import ScopeRef
from analysis.references.search.session import ResolutionSession
from analysis.references.search.stopped import SearchStopped
from analysis.references.search.targets import Target, definition_behind, target_in
from analysis.references.search.uses import reference_at, uses_of
from analysis.stopping import StopReason

_CALL = re.compile(r"\w+\s*\(")
# A graph with more calls than this is no help to anybody.
MAX_CALLS = 2000

_CALLED_KINDS = ("function", "method", "class")
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__")

Direction = Literal["callers", "callees"]


@dataclass(slots=True)
class _Found:
    calls: list[CallSite] = field(default_factory=list)
    unverified: list[CallSite] = field(default_factory=list)
    stopped_by: StopReason | None = None
    complete: bool = True


def calls_of(code: ResolutionSession, target: Target, direction: Direction, depth: int) -> CallList:
    """Return the calls that lead to a definition, or that start from it.

    Args:
        code: The code base.
        target: The definition.
        direction: Which end of the calls it is.
        depth: How many steps are followed; each function is followed once.
    """
    found = _Found()
    seen = {(target.home, target.name)}
    level: list[tuple[Target, str | None]] = [(target, None)]
    step = _callers if direction == "callers" else _callees
    try:
        for number in range(1, depth + 1):
            following: list[tuple[Target, str | None]] = []
            for end, _ in level:
                through = end.choice.qualified_name if number > 1 else None
                for other in step(code, end, number, through, found):
                    if (other.home, other.name) not in seen:
                        seen.add((other.home, other.name))
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
        calls=tuple(found.calls),
        unverified=tuple(found.unverified),
        complete=found.complete and not found.unverified and found.stopped_by is None,
        stopped_by=found.stopped_by,
        answered_by="ast",
    )


def _callers(
    code: ResolutionSession, callee: Target, depth: int, through: str | None, found: _Found
) -> Iterator[Target]:
    """Note the calls of a definition and yield the functions they stand in."""
    uses = uses_of(code, callee)
    for verified, references in ((True, uses.verified), (False, uses.unverified)):
        for use in sorted(references, key=lambda r: (r.path, r.line, r.column)):
            if not _is_call(code, use):
                continue
            scope = uses.scopes.get((use.path, use.line, use.column), 0)
            caller = _enclosing(code, use.path, scope)
            symbol = caller.choice.qualified_name if caller else use.path
            choice = caller.choice if caller else None
            row = (use.path, use.line, use.column, use.context, symbol, choice, depth, through)
            (found.calls if verified else found.unverified).append(CallSite(*row))
            if verified and caller is not None:
                yield caller
    if uses.stopped_by is not None:
        raise SearchStopped(uses.stopped_by)


def _callees(
    code: ResolutionSession, caller: Target, depth: int, through: str | None, found: _Found
) -> Iterator[Target]:
    """Note the calls in a definition and yield what is called, as far as it is in the code."""
    path = caller.home.path
    scopes = _scopes_of(code, caller, constructor_only=depth > 1)
    facts = code.unpacked(path)
    for row in sorted(facts.occurrences, key=lambda o: (o.line, o.column)):
        if row.scope not in scopes or row.kind not in (O.NAME, O.ATTRIBUTE):
            continue
        use = reference_at(code, path, row)
        name = facts.names[row.name]
        if not _is_call(code, use):
            continue
        meaning = code.homes.of(path, row)
        for callee in _definitions(code, path, row, meaning.homes):
            choice = callee.choice
            place = (path, row.line, row.column, use.context)
            found.calls.append(CallSite(*place, choice.qualified_name, choice, depth, through))
            yield callee
        if not meaning.homes and not meaning.certain:
            place = (path, row.line, row.column, use.context)
            found.unverified.append(CallSite(*place, name, None, depth, through))


def _definitions(
    code: ResolutionSession, path: str, row: Occurrence, homes: frozenset[ScopeRef]
) -> list[Target]:
    """Return the functions and classes that a called name means."""
    found = [
        definition_behind(code, path, row, home)
        for home in sorted(homes, key=lambda home: (home.path, home.scope))
    ]
    return [t for t in found if t is not None and t.choice.kind in _CALLED_KINDS]


def _scopes_of(code: ResolutionSession, target: Target, *, constructor_only: bool) -> set[int]:
    """Return a definition's own scopes and all below them; of a called class its constructor's."""
    facts = code.unpacked(target.home.path)
    name = facts.name_id(target.name)
    key = (target.home.scope, name)
    own = {row.scope for row in facts.functions if (row.outer, row.name) == key}
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


def _enclosing(code: ResolutionSession, path: str, scope: int) -> Target | None:
    """Return the innermost function or class around a scope."""
    facts = code.unpacked(path)
    while scope > 0:
        row = facts.scopes[scope]
        if row.kind == S.FUNCTION and row.owner != NONE:
            function = facts.functions[row.owner]
            if function.name == NONE:
                scope = row.parent
                continue
            return target_in(code, facts.names[function.name], ScopeRef(path, function.outer))
        if row.kind == S.CLASS:
            cls = facts.classes[row.owner]
            return target_in(code, facts.names[cls.name], ScopeRef(path, cls.outer))
        scope = row.parent
    return None


def _is_call(code: ResolutionSession, use: Reference) -> bool:
    """Return whether a use is followed by an argument list, or is a decorator."""
    text = code.raw_line(use.path, use.line)
    if _CALL.match(text, use.column):
        return True
    return text[: use.column].lstrip().startswith("@") and "(" not in text[: use.column]
