"""Uses and calls of definitions in languages without facts, judged by their syntax trees.

What is stated is bound by declarations that stand there: a name that is seen, a receiver whose type
is written somewhere. All other places that spell the name may be uses. No list of these languages
calls itself complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.models import Reference, ReferenceList, SymbolChoice
from analysis.references.grammars.classes import CLASS_KINDS
from analysis.references.grammars.kinds import use_kind
from analysis.references.grammars.meaning import Meaning, Meanings
from analysis.references.grammars.source import (
    SourceFiles,
    family_of,
    is_constructor,
    is_one_entity,
    is_part,
    rules_of,
)
from analysis.references.search.guesses import choice_from
from analysis.references.search.order import in_order
from analysis.references.search.stopped import SearchStopped, check_search
from analysis.stopping import StopReason
from analysis.workspace.test_files import is_test_file

if TYPE_CHECKING:
    from tree_sitter import Node

    from analysis.index.symbols import SymbolRow
    from analysis.models import Position, UseKind
    from analysis.references.grammars.source import SourceFile
    from analysis.references.search.session import ResolutionSession

CALLING: frozenset[UseKind] = frozenset({"call", "construction", "decorator"})
CALLED = frozenset({"function", "method"})


@dataclass(frozen=True, slots=True)
class TreeTarget:
    """A definition whose uses are looked for: several rows if it is declared in several places."""

    rows: tuple[SymbolRow, ...]

    @property
    def name(self) -> str:
        """The plain name."""
        return self.rows[0].info.name

    @property
    def choice(self) -> SymbolChoice:
        """The definition as one to choose."""
        return choice_from(self.rows[0])


@dataclass(frozen=True, slots=True)
class TreeUse:
    """A place that is, or may be, a use."""

    file: SourceFile | None
    node: Node | None
    reference: Reference


class TreeUses:
    """Answers about definitions in languages with rules for uses; for one state of the code."""

    def __init__(self, code: ResolutionSession) -> None:
        self._code = code
        self.files = SourceFiles(code, self._check)
        self.meanings = Meanings(code, self.files)

    def use(self, code: ResolutionSession) -> None:
        """Ask another session of the same state from now on."""
        self._code = code
        self.files.use(code, self._check)
        self.meanings.code = code

    def targets_named(self, name: str, within: str | None = None) -> list[TreeTarget]:
        """Return the definitions that a plain or qualified name can mean."""
        plain = name.rsplit(".", 1)[-1]
        rows = [
            row
            for row in self._code.symbols_named(plain)
            if rules_of(row.path) is not None and self._is_called(row, name)
        ]
        found = self._grouped(rows)
        below = [
            target
            for target in found
            if within and any(f"{row.path}/".startswith(f"{within}/") for row in target.rows)
        ]
        return below or found

    def targets_at(self, at: Position, name: str = "") -> list[TreeTarget]:
        """Return the definitions that the identifier at a place can mean."""
        file = self.files.get(at.path) if rules_of(at.path) is not None else None
        if file is None:
            return []
        plain = name.rsplit(".", 1)[-1]
        if at.column == 0 and plain:
            nodes = [n for n in file.occurrences(plain) if file.place(n)[0] == at.line]
        else:
            node = file.named_at(at.line, at.column)
            nodes = [node] if node is not None else []
        rows = [row for node in nodes[:1] for row in self.meanings.of(file, node).rows]
        return self._grouped([other for row in rows for other in self._declared_with(row)])

    def uses_of(self, target: TreeTarget, within: str | None = None) -> ReferenceList:
        """Return the uses of a definition, and the places that may be."""
        sure: list[TreeUse] = []
        open_: list[TreeUse] = []
        stopped = self.search(target, within, sure, open_)
        verified = in_order(use.reference for use in sure)
        return ReferenceList(
            symbol=target.choice.qualified_name,
            definition=target.choice,
            references=verified,
            unverified=in_order(use.reference for use in open_),
            complete=False,
            at_least=len(verified),
            stopped_by=stopped,
            answered_by="ast",
        )

    def _check(self) -> None:
        check_search(self._code.resolver.deadline)

    def _is_called(self, row: SymbolRow, name: str) -> bool:
        full = self.meanings.visible.full_name(row)
        return f".{full}".endswith(f".{name}")

    def _declared_with(self, row: SymbolRow) -> list[SymbolRow]:
        """Return all places that declare what a definition of C or C++ is, itself first."""
        rules = rules_of(row.path)
        if rules is None or not rules.links:
            return [row]
        full = self.meanings.visible.full_name(row)
        return [row] + [
            other
            for other in self._code.symbols_named(row.info.name)
            if other != row
            and family_of(other.path) == family_of(row.path)
            and self.meanings.visible.full_name(other) == full
            and is_one_entity(row, other)
        ]

    def _grouped(self, rows: Iterable[SymbolRow]) -> list[TreeTarget]:
        """Return definitions, those that are declared in several places or ways as one."""
        groups: dict[object, list[SymbolRow]] = {}
        for row in rows:
            if is_part(row):
                continue
            groups.setdefault(self._identity(row), []).append(row)
        return [TreeTarget(tuple(group)) for group in groups.values()]

    def _identity(self, row: SymbolRow) -> object:
        """Return what all declarations of a definition have in common."""
        rules = rules_of(row.path)
        full = self.meanings.visible.full_name(row)
        family = family_of(row.path)
        if rules is not None and rules.links:
            return family, full, min(self._declared_with(row), key=lambda r: r.path).path
        if rules is not None and rules.class_modules:
            return family, full, row.path, row.info.kind == "type"
        if rules is not None and rules.is_open:
            return family, full, row.path if not row.info.exported else ""
        if rules is not None and rules.sees == "folder":
            return family, full, row.path.rpartition("/")[0]
        return family, full, row.path

    def search(
        self,
        target: TreeTarget,
        within: str | None,
        sure: list[TreeUse],
        open_: list[TreeUse],
    ) -> StopReason | None:
        """Add what uses a definition, and what may, to two lists; return what ended it early."""
        wanted = {(row.path, row.info.name_line, row.info.name_column) for row in target.rows}
        try:
            for path in self._paths(target, within):
                self._search_file(path, target, wanted, sure, open_)
        except SearchStopped as stopped:
            return stopped.reason
        return None

    def _paths(self, target: TreeTarget, within: str | None) -> list[str]:
        """Return the files that spell a name and can mean a definition, the nearest first."""
        family = family_of(target.rows[0].path)
        own = {row.path for row in target.rows}
        folders = {path.rpartition("/")[0] for path in own}
        paths = [
            path
            for path in self._code.files_with_identifier(target.name)
            if family_of(path) == family and (not within or f"{path}/".startswith(f"{within}/"))
        ]
        return sorted(paths, key=lambda p: (p not in own, p.rpartition("/")[0] not in folders, p))

    def _search_file(
        self,
        path: str,
        target: TreeTarget,
        wanted: set[tuple[str, int, int]],
        sure: list[TreeUse],
        open_: list[TreeUse],
    ) -> None:
        file = self.files.get(path)
        if file is None:
            for line, column in self._code.spelled(path, target.name):
                reference = Reference(
                    path, line, column, self._code.line(path, line), is_test=is_test_file(path)
                )
                open_.append(TreeUse(None, None, reference))
            return
        for line, column in file.unread(target.name):
            if (path, line, column) in wanted:
                continue
            reference = Reference(
                path, line, column, self._code.line(path, line), is_test=is_test_file(path)
            )
            open_.append(TreeUse(None, None, reference))
        for node in file.occurrences(target.name):
            line, column = file.place(node)
            if file.is_further_head(node) or self._is_head(file, node, wanted):
                continue
            meaning = self.meanings.of(file, node)
            verdict = self._verdict(meaning, target, wanted)
            if verdict is not None:
                use = TreeUse(file, node, self.reference(file, node, target))
                (sure if verdict else open_).append(use)

    def _is_head(self, file: SourceFile, node: Node, wanted: set[tuple[str, int, int]]) -> bool:
        row = file.row_at(node)
        place = file.place(node) if row is None else (row.info.name_line, row.info.name_column)
        return (file.path, *place) in wanted

    def _verdict(
        self, meaning: Meaning, target: TreeTarget, wanted: set[tuple[str, int, int]]
    ) -> bool | None:
        """Return whether a place uses a definition; None if it does not, False if it may."""
        if not meaning.is_known:
            return False
        places = {(r.path, r.info.name_line, r.info.name_column) for r in meaning.rows}
        if not places:
            return None
        if places <= wanted:
            return True
        if is_constructor(target.rows[0]) and not is_constructor(meaning.rows[0]):
            return False  # who makes an object names its class
        if places & wanted:
            return False
        return False if self._may_be_dispatched(meaning, target) else None

    def _may_be_dispatched(self, meaning: Meaning, target: TreeTarget) -> bool:
        """Return whether what is called by one name can be another's method at run time."""
        owner = self.meanings.owner_of(target.rows[0])
        if owner is None:
            return False
        for row in meaning.rows:
            other = self.meanings.owner_of(row)
            if other is None or row.info.qualified_name == target.rows[0].info.qualified_name:
                continue
            kinds = {
                r.info.kind
                for r in self._code.symbols_in(other.path)
                if r.info.qualified_name == other.qualified_name
            }
            if "interface" in kinds or self.meanings.classes.derives(owner, other):
                return True
        return False

    def reference(self, file: SourceFile, node: Node, target: TreeTarget) -> Reference:
        """Return a place as a use of a definition."""
        line, column = file.place(node)
        around = self.caller_at(file, node)
        return Reference(
            path=file.path,
            line=line,
            column=column,
            context=self._code.line(file.path, line),
            enclosing=around.info.qualified_name if around is not None else None,
            kind=use_kind(file, node, target.rows[0]),
            is_test=is_test_file(file.path),
        )

    def caller_at(self, file: SourceFile, node: Node) -> SymbolRow | None:
        """Return the function or class that a place is in."""
        kinds = (*CALLED, *CLASS_KINDS)
        return next((row for row in file.around(node) if row.info.kind in kinds), None)

    def called_in(self, row: SymbolRow) -> Iterator[tuple[SourceFile, Node, Meaning, UseKind]]:
        """Yield the names in a definition that are called or made, and what they mean."""
        file = self.files.get(row.path)
        name = file.node_of(row) if file is not None else None
        if file is None or name is None:
            return
        own: Node | None = name
        while own is not None and file.rule_at(own) is None:
            own = own.parent
        if own is None:
            return
        stack = [own]
        while stack:
            node = stack.pop()
            stack.extend(reversed(node.children))
            if node.child_count or node.type not in file.rules.names or node.id == name.id:
                continue
            if file.is_head(node):
                continue
            if use_kind(file, node) not in CALLING and not file.rules.called_bare:
                continue
            self._check()
            meaning = self.meanings.of(file, node)
            target = meaning.rows[0] if meaning.is_known and meaning.rows else None
            kind = use_kind(file, node, target)
            if kind in CALLING:
                yield file, node, meaning, kind
