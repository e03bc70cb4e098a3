"""Who takes a function out of the table that it is in, or sends the event that it is called for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.indirection import Indirection
from analysis.parsing.facts.codes import NONE, E, H, O, U
from analysis.parsing.facts.rows import Handover, Occurrence
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import SymbolRef
from analysis.references.search import indirect_words as words
from analysis.references.search.session import ResolutionSession
from analysis.workspace.test_files import is_test_file

_MAX_SENDERS = 3
_MAX_READERS = 2
_MAX_FILES = 20
_WORD = re.compile(r"[^\W\d]\w*")
_IN_TABLES = frozenset({H.ENTRY, H.ITEM, H.STORED})
_SELF = frozenset({"self", "cls"})


def dispatched(
    code: ResolutionSession, path: str, facts: Facts, row: Handover
) -> Iterator[Indirection]:
    """Yield what may lead to something that is handed on.

    Args:
        code: The code base.
        path: The file that hands it on.
        facts: Those of that file.
        row: How.
    """
    event = words.event_of(facts, row)
    if event is not None:
        yield from _senders(code, (path, facts, row), event)
    elif row.kind in _IN_TABLES and row.to != NONE:
        yield from _readers(code, path, facts, row)


def _senders(
    code: ResolutionSession, listener: tuple[str, Facts, Handover], event: str
) -> Iterator[Indirection]:
    """Yield where an event is sent."""
    parts = _WORD.findall(event)
    n_found = 0
    for path in code.files_with_identifier(max(parts, key=len)) if parts else ():
        facts = code.unpacked(path)
        for sent in facts.handovers_of(facts.name_id(event)):
            if sent.kind != H.SENT or n_found == _MAX_SENDERS:
                continue
            sure = _is_same(code, listener, (path, facts, sent))
            if not sure and (event in words.EVERYWHERE or is_test_file(path)):
                continue
            n_found += 1
            by = words.code(facts.dotted(sent.to) or facts.last_name(sent.to))
            text = f"reached by the event {words.code(event)}, sent by {by}"
            yield _told(code, path, sent.scope, sent.line, text, sure=sure)


def _readers(
    code: ResolutionSession, path: str, facts: Facts, row: Handover
) -> Iterator[Indirection]:
    """Yield the functions that read a table, the first few."""
    table = facts.expressions[row.to]
    text = f"taken from {words.code(facts.dotted(row.to))}"
    n_found = 0
    found = _reads_of_name if table.kind == E.NAME else _reads_of_member
    for other, occurrence in found(code, path, facts, row):
        if n_found == _MAX_READERS:
            return
        if code.enclosing(other, occurrence.scope) is not None and not is_test_file(other):
            n_found += 1
            yield _told(code, other, occurrence.scope, occurrence.line, text, sure=False)


def _reads_of_name(
    code: ResolutionSession, path: str, facts: Facts, row: Handover
) -> Iterator[tuple[str, Occurrence]]:
    """Yield where a table with a name is read, in its own file first."""
    name = facts.expressions[row.to].a
    found = code.resolver.names.lookup(path, row.scope, name)
    if found is None:
        return
    text = facts.names[name]
    symbol = SymbolRef(path, found.scope, text)
    files = [
        other for other in code.files_with_identifier(text) if is_script(other) is is_script(path)
    ]
    files.sort(key=lambda other: other != path)
    for other in files[:_MAX_FILES]:
        theirs = code.unpacked(other)
        for occurrence in theirs.occurrences_of(theirs.name_id(text)):
            is_read = occurrence.use == U.READ and occurrence.kind in (O.NAME, O.ATTRIBUTE)
            if is_read and symbol in code.definitions.of(other, occurrence).symbols:
                yield other, occurrence


def _reads_of_member(
    code: ResolutionSession, path: str, facts: Facts, row: Handover
) -> Iterator[tuple[str, Occurrence]]:
    """Yield where the same class reads a table that is an attribute of its objects."""
    table = facts.expressions[row.to]
    if table.kind != E.ATTRIBUTE:
        return
    base = facts.expressions[table.a]
    if base.kind != E.THIS and not (base.kind == E.NAME and facts.names[base.a] in _SELF):
        return
    own = _owner(code, path, row.scope)
    for occurrence in facts.attributes_of(table.a):
        is_read = occurrence.name == table.b and occurrence.use == U.READ
        if is_read and own and _owner(code, path, occurrence.scope) == own:
            yield path, occurrence


def _owner(code: ResolutionSession, path: str, scope: int) -> str:
    return (code.enclosing(path, scope) or "").rpartition(".")[0]


def _told(
    code: ResolutionSession, path: str, scope: int, line: int, text: str, *, sure: bool
) -> Indirection:
    source = code.enclosing(path, scope)
    return Indirection("dispatch", path, line, text, source, sure, is_test_file(path))


def _is_same(
    code: ResolutionSession, one: tuple[str, Facts, Handover], other: tuple[str, Facts, Handover]
) -> bool:
    """Return whether two methods are called on the same object."""
    homes = [_receiver(code, *where) for where in (one, other)]
    return homes[0] is not None and homes[0] == homes[1]


def _receiver(code: ResolutionSession, path: str, facts: Facts, row: Handover) -> object:
    """Return what a method is called on, None if that is not known."""
    called = facts.expressions[row.to]
    if called.kind != E.ATTRIBUTE:
        return None
    base = facts.expressions[called.a]
    if base.kind == E.THIS:
        return (path, base.b) if base.b != NONE else None
    if base.kind != E.NAME:
        return None
    found = code.resolver.names.definitions_of_name(path, row.scope, base.a)
    symbols = {code.definitions.symbol_of(item) for item in found}
    return symbols if len(symbols) == 1 and None not in symbols else None
