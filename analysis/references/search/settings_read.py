"""Which settings some lines read, and where each gets its value, if that is one place."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, dirname, splitext

from analysis.indirection import SettingRead
from analysis.models import Span
from analysis.parsing.facts.codes import NONE, B, E, H, O, U
from analysis.parsing.facts.python_handovers import READING
from analysis.parsing.facts.rows import Occurrence
from analysis.parsing.facts.tables import Facts
from analysis.references.search.session import ResolutionSession
from analysis.references.search.stopped import SearchStopped
from analysis.references.search.targets import target_in
from analysis.workspace.test_files import is_test_file

_HOLDERS = frozenset({"settings", "conf", "config"})
_ENVIRONMENT = frozenset({"process.env", "os.environ", "environ", "os.getenv", "getenv"})
_FILES = ("settings", "config", "conf", "defaults")
_SHORTEST = 3
# How the code was built, which is asked everywhere and decides little.
_BUILD = frozenset({"NODE_ENV"})


def settings_read(code: ResolutionSession, spans: list[Span]) -> tuple[SettingRead, ...]:
    """Return the settings that lines read, each once, in order; never fails.

    Args:
        code: The code base; its resolver's deadline holds.
        spans: The lines.
    """
    found: dict[str, SettingRead] = {}
    try:
        for span in spans:
            for read in _in_span(code, span):
                found.setdefault(read.text, read)
    except SearchStopped:
        pass  # What was found by then is returned.
    return tuple(found.values())


def _in_span(code: ResolutionSession, span: Span) -> Iterator[SettingRead]:
    facts = code.unpacked(span.path)
    reads: list[tuple[int, SettingRead]] = []
    for row in facts.handovers:
        if row.kind == H.SETTING and row.label == NONE and _holds(span, row.line):
            name, holder = facts.names[row.name], facts.dotted(row.to)
            before, _, last = holder.rpartition(".")
            is_called = last == "getenv" or last in READING
            text = f'{holder}("{name}")' if is_called else f'{holder}["{name}"]'
            is_outside = not _ENVIRONMENT.isdisjoint((holder, before))
            given = None if is_outside else _given(code, name, holder)
            reads.append((row.line, SettingRead(span.path, row.line, name, text, given)))
    kinds, lines = facts.occurrences.column(3), facts.occurrences.column(1)
    for index, kind in enumerate(kinds):
        if kind == O.ATTRIBUTE and _holds(span, lines[index]):
            read = _attribute(code, span.path, facts, facts.occurrences[index])
            if read is not None:
                reads.append((read.line, read))
    for _, read in sorted(reads, key=lambda item: item[0]):
        yield read


def _attribute(
    code: ResolutionSession, path: str, facts: Facts, row: Occurrence
) -> SettingRead | None:
    """Return ``settings.NAME`` and ``process.env.NAME`` as a read setting, None for others."""
    name, holder = facts.names[row.name], facts.dotted(row.reference)
    if not name.isupper() or len(name) < _SHORTEST or row.use in (U.WRITE, U.CALL, U.DEFINITION):
        return None
    if holder in _ENVIRONMENT and name in _BUILD:
        return None
    if holder in _ENVIRONMENT:
        return SettingRead(path, row.line, name, f"{holder}.{name}")
    if holder.rpartition(".")[2] not in _HOLDERS or not _is_imported(facts, row.reference):
        return None
    symbols = code.definitions.of(path, row).symbols
    targets = [target for symbol in symbols if (target := target_in(code, symbol))]
    given = (targets[0].choice.path, targets[0].choice.line) if len(targets) == 1 else None
    given = given or _given(code, name, "")
    return SettingRead(path, row.line, name, f"{holder}.{name}", given)


def _is_imported(facts: Facts, expression: int) -> bool:
    """Return whether the first name of a dotted one is imported."""
    row = facts.expressions[expression]
    while row.kind == E.ATTRIBUTE:
        row = facts.expressions[row.a]
    if row.kind != E.NAME:
        return False
    return any(
        facts.bindings[index].kind in (B.FROM, B.IMPORT) for index in facts.bound_in(0, row.a)
    )


def _given(code: ResolutionSession, name: str, holder: str) -> tuple[str, int] | None:
    """Return the one place outside of tests that gives a setting its value, None if not one."""
    found = {
        (row.path, row.info.line)
        for row in code.symbols_named(name)
        if row.info.qualified_name == name and _is_of_settings(row.path)
    }
    if holder:
        for path in code.files_with_identifier(name):
            facts = code.unpacked(path) if not is_test_file(path) else None
            for given in facts.handovers_of(facts.name_id(name)) if facts else ():
                if given.kind == H.SETTING and given.label != NONE:
                    found.add((path, given.line))
    return found.pop() if len(found) == 1 else None


def _is_of_settings(path: str) -> bool:
    stem, folder = splitext(basename(path))[0], basename(dirname(path))
    return not is_test_file(path) and (stem.endswith(_FILES) or folder in _FILES)


def _holds(span: Span, line: int) -> bool:
    return span.line_start <= line <= span.line_end
