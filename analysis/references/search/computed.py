"""Names that are put together while a program runs and may be a definition's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis.parsing.facts.codes import B, O, S
from analysis.parsing.facts.rows import Occurrence
from analysis.references.scopes.script_layout import is_script

if TYPE_CHECKING:
    from analysis.references.search.session import ResolutionSession
    from analysis.references.search.targets import Target

# What looks something up by a name that is no word of the program.
_LOOKING_UP = ("getattr", "globals", "vars", "methodcaller", "attrgetter", "__dict__")


def computed_uses(code: ResolutionSession, target: Target) -> Iterator[tuple[str, Occurrence]]:
    """Yield where a name is put together that begins and ends as that of a Python function does.

    Only in files that look things up by name; such a use is never certain.
    """
    symbol = target.symbol
    if is_script(symbol.path):
        return
    facts = code.unpacked(symbol.path)
    rows = [facts.bindings[i] for i in facts.bound_in(symbol.scope, facts.name_id(symbol.name))]
    is_reachable = facts.scopes[symbol.scope].kind in (S.MODULE, S.CLASS)
    if not is_reachable or not any(row.kind in (B.FUNCTION, B.CLASS) for row in rows):
        return
    for beginning in _beginnings(symbol.name):
        for path in code.files_with_identifier(beginning):
            if not is_script(path):
                yield from _put_together(code, path, beginning, symbol.name)


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
