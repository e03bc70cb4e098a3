"""Calls in languages without facts that can mean one definition only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from analysis.models import CodeEdge, SymbolChoice
from analysis.references.grammars.kinds import use_kind
from analysis.references.grammars.source import family_of, rules_of
from analysis.references.search.guesses import choice_from
from analysis.references.search.tree_uses import CALLED, CALLING, TreeUses

if TYPE_CHECKING:
    from analysis.index.symbols import SymbolRow
    from analysis.references.grammars.source import SourceFile
    from analysis.references.search.session import ResolutionSession


class TreeEdges:
    """Finds the calls in definitions, and those of them, that leave no doubt."""

    def __init__(self, code: ResolutionSession, uses: TreeUses) -> None:
        self._code = code
        self._uses = uses

    def edges_from(self, path: str, sources: Sequence[SymbolChoice]) -> Iterator[CodeEdge]:
        """Yield the calls in definitions of a file that can mean one definition only."""
        rows = {(r.info.line, r.info.qualified_name): r for r in self._code.symbols_in(path)}
        for source in sources:
            row = rows.get((source.line, source.qualified_name))
            if row is None or row.info.kind not in CALLED:
                continue
            for file, node, meaning, kind in self._uses.called_in(row):
                if not meaning.is_known or len(meaning.rows) != 1:
                    continue
                target = choice_from(meaning.rows[0])
                if not self._is_linked_surely(file, meaning.rows[0]):
                    continue
                if target != source and meaning.rows[0].info.kind in (*CALLED, "class"):
                    line = file.place(node)[0]
                    yield CodeEdge(source, target, line, kind, resolved=True)

    def edges_to(self, path: str, wanted: SymbolChoice) -> Iterator[CodeEdge]:
        """Yield the calls in a file that can mean one definition only, which is wanted."""
        file = self._uses.files.get(path) if rules_of(path) is not None else None
        if file is None or family_of(path) != family_of(wanted.path):
            return
        for node in file.occurrences(wanted.qualified_name.rpartition(".")[2]):
            if file.is_head(node):
                continue
            if use_kind(file, node) not in CALLING and not file.rules.called_bare:
                continue
            meaning = self._uses.meanings.of(file, node)
            if not meaning.is_known or len(meaning.rows) != 1:
                continue
            row = meaning.rows[0]
            kind = use_kind(file, node, row)
            if kind not in CALLING:
                continue
            target = choice_from(row)
            caller = self._uses.caller_at(file, node)
            if not self._is_linked_surely(file, row):
                continue
            if target == wanted and caller is not None and choice_from(caller) != target:
                yield CodeEdge(choice_from(caller), target, file.place(node)[0], kind)

    def _is_linked_surely(self, file: SourceFile, row: SymbolRow) -> bool:
        """Return whether a function of C is what a file calls by its name.

        A library or a macro can have a function of the same name, so only those of the file alone
        are believed; and not one under a condition, which is not there for all who call it.
        """
        if not file.rules.links or row.info.kind != "function" or row.parent:
            return True
        own = self._uses.files.get(row.path)
        name = own.node_of(row) if own is not None else None
        is_own = row.path == file.path and not row.info.exported
        if name is None or not is_own or row.info.signature.startswith("#"):
            return False
        around = name.parent
        while around is not None:
            if around.type.startswith("preproc_"):
                return False
            around = around.parent
        return True
