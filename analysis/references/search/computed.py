"""Names that are put together or handed over as strings, and may be a definition's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis.models import Reference
from analysis.parsing.facts.codes import B, O, S
from analysis.parsing.facts.rows import Occurrence
from analysis.references.scopes.script_layout import is_script
from analysis.workspace.test_files import is_test_file

if TYPE_CHECKING:
    from analysis.references.search.session import ResolutionSession
    from analysis.references.search.targets import Target

# What stands before an argument: a parenthesis, a comma, a keyword; or it begins its line.
_IS_GIVEN = re.compile(r"(?:[(,]\s*|\w=|^\s*)$")
# What looks something up by a name that is no word of the program.
_LOOKING_UP = ("getattr", "globals", "vars", "methodcaller", "attrgetter", "__dict__")


def computed_uses(code: ResolutionSession, target: Target) -> Iterator[tuple[str, Occurrence]]:
    """Yield where a name is put together that begins and ends as that of a Python function does.

    Only in files that look things up by name; such a use is never certain.
    """
    if not _can_be_looked_up(code, target):
        return
    for beginning in _beginnings(target.symbol.name):
        for path in code.files_with_identifier(beginning):
            if not is_script(path):
                yield from _put_together(code, path, beginning, target.symbol.name)


def named_in_strings(code: ResolutionSession, target: Target) -> Iterator[Reference]:
    """Yield the strings handed over that are the name of a Python function, to be looked up.

    Only in files that look things up by name. Strings that were judged where they stand, as in
    ``getattr(x, "name")`` and ``__all__``, are left out.
    """
    if not _can_be_looked_up(code, target):
        return
    name = target.symbol.name
    for path in code.files_with_identifier(name):
        if not path.endswith((".py", ".pyi", ".pyw")) or not _looks_up(code, path):
            continue
        facts = code.unpacked(path)
        rows = facts.occurrences_of(facts.name_id(name))
        judged = {row.line for row in rows if row.kind in (O.TEXT, O.PATH, O.EXPORTED)}
        for line, column in code.spelled(path, name):
            raw = code.raw_line(path, line)
            quotes = raw[max(0, column - 1) : column] + raw[column + len(name) :][:1]
            if (
                line not in judged
                and _IS_GIVEN.search(raw[: max(0, column - 1)])
                and quotes in ("''", '""')
            ):
                yield Reference(path, line, column, raw.strip(), is_test=is_test_file(path))


def _can_be_looked_up(code: ResolutionSession, target: Target) -> bool:
    """Return whether a name is that of a Python function or class of a module or a class."""
    symbol = target.symbol
    if is_script(symbol.path):
        return False
    facts = code.unpacked(symbol.path)
    rows = [facts.bindings[i] for i in facts.bound_in(symbol.scope, facts.name_id(symbol.name))]
    is_reachable = facts.scopes[symbol.scope].kind in (S.MODULE, S.CLASS)
    return is_reachable and any(row.kind in (B.FUNCTION, B.CLASS) for row in rows)


def _beginnings(name: str) -> Iterator[str]:
    """Yield what a name begins with, up to each underscore in it."""
    for index, letter in enumerate(name[:-1]):
        if letter == "_" and len(name[: index + 1].strip("_")) > 1:
            yield name[: index + 1]


def _put_together(
    code: ResolutionSession, path: str, beginning: str, name: str
) -> Iterator[tuple[str, Occurrence]]:
    facts = code.unpacked(path)
    for row in facts.occurrences_of(facts.name_id(beginning)):
        if row.kind != O.COMPUTED:
            continue
        ending = facts.names[row.reference]
        is_long_enough = len(name) > len(beginning) + len(ending)
        if name.endswith(ending) and is_long_enough and _looks_up(code, path):
            yield path, row


def _looks_up(code: ResolutionSession, path: str) -> bool:
    facts = code.unpacked(path)
    return any(facts.occurrences_of(facts.name_id(word)) for word in _LOOKING_UP)
