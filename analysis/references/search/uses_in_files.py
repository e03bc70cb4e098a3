"""Where some files use a definition: its name alone is looked at, and only what is proven told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis.models import Reference
from analysis.parsing.facts.codes import U
from analysis.references.search.session import ResolutionSession
from analysis.references.search.stopped import SearchStopped
from analysis.references.search.targets import Target
from analysis.references.search.tree_uses import TreeTarget
from analysis.references.search.use_kinds import UseKinds
from analysis.references.search.uses import reference_at

# Bringing it in or giving it away, nothing is done with it yet.
_PASSING = frozenset({U.IMPORT, U.EXPORT, U.DEFINITION, U.DOCUMENTED})
_PASSING_KINDS = frozenset({"import", "export", "definition", "documentation", "mention"})


def uses_in_files(
    code: ResolutionSession, target: Target | TreeTarget, paths: Iterable[str]
) -> Iterator[Reference]:
    """Yield the proven uses of a definition under its own name, file by file.

    A search that is stopped ends there.

    Args:
        code: The code base; its resolver's deadline holds.
        target: The definition.
        paths: Files, in the order in which they are looked at.
    """
    try:
        for path in paths:
            if isinstance(target, TreeTarget):
                found = code.trees.uses_of(target, path).references
                yield from (use for use in found if use.kind not in _PASSING_KINDS)
            else:
                yield from _with_facts(code, target, path)
    except SearchStopped:
        return


def _with_facts(code: ResolutionSession, target: Target, path: str) -> Iterator[Reference]:
    facts = code.unpacked(path)
    kinds = UseKinds(code, target)
    for row in facts.occurrences_of(facts.name_id(target.name)):
        if row.use in _PASSING:
            continue
        found = code.definitions.of(path, row)
        if found.certain and found.symbols == {target.symbol}:
            yield reference_at(code, path, row, kinds.name(row.use))
