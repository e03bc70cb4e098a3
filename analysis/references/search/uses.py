"""The uses of a definition: each candidate is judged, and what was not judged is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from posixpath import dirname

from analysis.models import Reference, ReferenceList, UseKind
from analysis.parsing.facts.codes import STAND_IN, B, E, O, S, U
from analysis.parsing.facts.rows import Occurrence, column_of, line_of, position
from analysis.parsing.facts.tables import Facts
from analysis.references.scopes.script_layout import is_script
from analysis.references.scopes.values import EXTERNAL, ClassValue, Container, SymbolRef, Value
from analysis.references.search.aliases import Alias, aliases_at, getters_at, names_of
from analysis.references.search.computed import computed_uses, named_in_strings
from analysis.references.search.definition_resolver import Resolution
from analysis.references.search.mentions import mentions_of
from analysis.references.search.order import in_order
from analysis.references.search.session import ResolutionSession
from analysis.references.search.stopped import SearchStopped
from analysis.references.search.stubs import counterparts
from analysis.references.search.targets import Target, is_below, is_called, space_of
from analysis.references.search.use_kinds import UseKinds
from analysis.stopping import StopReason
from analysis.workspace.test_files import is_test_file

_NAMING = (U.ALIAS, U.EXPORT, U.VALUE)
# Something with more names than this is handed through a program by machinery of its own.
_MAX_NAMES = 60


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a definition is used, or may be."""

    reference: Reference
    use: int
    """See ``U``."""
    scope: int
    """The scope in which it stands, 0 where that is not known."""


@dataclass(slots=True)
class Uses:
    """What a search found."""

    verified: list[Use] = field(default_factory=list)
    unverified: list[Use] = field(default_factory=list)
    stopped_by: StopReason | None = None

    def as_list(self, target: Target, answered_by: str) -> ReferenceList:
        """Return the uses, in order of path and place, with a word on their completeness."""
        verified = in_order(use.reference for use in self.verified)
        return ReferenceList(
            symbol=target.choice.qualified_name,
            definition=target.choice,
            references=verified,
            unverified=in_order(use.reference for use in self.unverified),
            complete=not self.unverified and self.stopped_by is None,
            at_least=len(verified),
            stopped_by=self.stopped_by,
            answered_by=answered_by,
        )


def uses_of(code: ResolutionSession, target: Target, within: str | None = None) -> Uses:
    """Return the uses of a definition, in the files below ``within`` or everywhere.

    The files near the definition are searched first, so that a search that is stopped has the
    most telling ones. What was found is remembered while the code is as it is: the call graph
    asks about the same functions again. Do not change it.
    """
    known = code.answers.get((target, within))
    if known is not None:
        return known
    search = _Search(code, target, within)
    try:
        search.run()
    except SearchStopped as stopped:
        search.uses.stopped_by = stopped.reason
    else:
        code.remember(target, within, search.uses)
    return search.uses


class _Search:
    """One search; its names grow while it runs."""

    def __init__(self, code: ResolutionSession, target: Target, within: str | None) -> None:
        self.uses = Uses()
        self._code = code
        self._target = target
        self._within = within
        self._kinds = UseKinds(code, target)
        self._symbols: set[SymbolRef] = {target.symbol}
        self._assigned: set[SymbolRef] = set()
        """Names that it got by assignment."""
        self._possible: set[SymbolRef] = set()
        """Names that it has at times: they are also bound to something else."""
        self._overridden = code.resolver.relations.overridden(target.symbol)
        self._extends_outside = _extends_outside(code, target.symbol)
        self._seen: set[tuple[str, int, int]] = set(target.places)
        self._naming: set[tuple[str, int, int]] = set()
        """Where it gets its other names; they stand there for themselves."""
        self._waiting: list[Alias] = []
        self._known: set[Alias] = set()

    def run(self) -> None:
        """Judge every place that spells a name of the definition."""
        self._symbols.update(counterparts(self._code, self._target.symbol))
        self._add(names_of(self._code, self._target.symbol))
        done = 0
        while self._waiting:
            alias = self._waiting.pop(0)
            done += 1
            if done > _MAX_NAMES:
                raise SearchStopped("size")
            self._search(alias)
        for path, row in computed_uses(self._code, self._target):
            self._take(path, row, verified=False)
        for reference in named_in_strings(self._code, self._target):
            self._note(reference, U.VALUE, 0, verified=False)
        paths = self._code.files_with_identifier(self._target.name)
        for reference in mentions_of(self._code, self._target, paths):
            self._note(reference, U.VALUE, 0, verified=False)

    def _add(self, aliases: Iterable[Alias]) -> None:
        """Take in names, each once."""
        for alias in aliases:
            if alias not in self._known:
                self._known.add(alias)
                self._waiting.append(alias)
            if alias.symbol is not None:
                (self._symbols if alias.is_sure else self._possible).add(alias.symbol)
                if alias.is_assigned:
                    self._assigned.add(alias.symbol)
                if alias.name is not None:
                    self._naming.update(self._places_of(alias.symbol))

    def _places_of(self, symbol: SymbolRef) -> Iterator[tuple[str, int, int]]:
        """Yield where a name gets its values: those places say what it is and are no uses."""
        facts = self._code.unpacked(symbol.path)
        for index in facts.bound_in(symbol.scope, facts.name_id(symbol.name)):
            place = facts.bindings[index].place
            yield symbol.path, line_of(place), column_of(place)

    def _search(self, alias: Alias) -> None:
        """Judge the places that spell a name, or load what has none."""
        if alias.name is None:
            for path in self._code.resolver.importers.candidates(alias.path):
                self._add(self._loaded_in(path))
            return
        if alias.is_local:
            self._search_file(alias.path, alias.name)
            return
        for path in self._candidate_files(alias.name):
            self._search_file(path, alias.name)

    def _loaded_in(self, path: str) -> Iterable[Alias]:
        """Yield the names that a file gives to what a module exports without one."""
        facts = self._code.unpacked(path)
        names = self._code.resolver.names
        definitions = self._code.definitions
        for kind in (B.FROM, B.IMPORT):
            for index in facts.bindings_of_kind(kind):
                binding = facts.bindings[index]
                found = names.definitions(path, (index,))
                if any(definitions.symbol_of(item) in self._symbols for item in found):
                    yield from aliases_at(path, facts, binding)

    def _search_file(self, path: str, name: str) -> None:
        facts = self._code.unpacked(path)
        for occurrence in facts.occurrences_of(facts.name_id(name)):
            if (path, occurrence.line, occurrence.column) not in self._seen:
                self._judge(path, facts, occurrence)
        if len(facts.lost) and name == self._target.name:
            lost = [(row.start, row.end) for row in facts.lost]
            for line, column in self._code.spelled(path, name):
                if any(start <= line <= end for start, end in lost):
                    reference = Reference(path, line, column, self._code.line(path, line))
                    self._note(reference, U.VALUE, 0, verified=False)

    def _judge(self, path: str, facts: Facts, occurrence: Occurrence) -> None:
        """Tell whether an identifier means the definition, and follow the names it gets there."""
        target = self._target
        if target.space is not None and space_of(path, occurrence) not in (None, target.space):
            return
        is_naming = (path, occurrence.line, occurrence.column) in self._naming
        if is_naming and occurrence.use in (U.DEFINITION, U.WRITE, U.KEY):
            return
        if occurrence.kind in (O.TEXT, O.PATH):
            self._judge_text(path, facts, occurrence)
            return
        meaning = self._code.definitions.of(path, occurrence)
        is_meant = not meaning.symbols.isdisjoint(self._symbols)
        is_own = target.symbol in meaning.symbols or self._code.resolver.relations.is_meant(
            target.symbol, meaning.symbols
        )
        if is_meant or is_own:
            if not is_meant or occurrence.use != U.DEFINITION or occurrence.kind == O.FROM_AS:
                given = meaning.symbols & self._assigned if not is_own else frozenset()
                alias = next((symbol.name for symbol in given), None)
                self._take(path, occurrence, verified=True, alias=alias)
            self._add(self._follow(path, facts, occurrence))
        elif not meaning.symbols.isdisjoint(self._possible):
            self._take(path, occurrence, verified=False)
        elif not self._is_certain(path, facts, occurrence, meaning):
            allows = self._code.resolver.possibility.allows
            if any(allows(path, occurrence, s) for s in self._named(facts.names[occurrence.name])):
                self._take(path, occurrence, verified=False, is_other=meaning.certain)
        elif self._is_dispatched(path, facts, occurrence, meaning):
            self._take(path, occurrence, verified=False)

    def _named(self, name: str) -> Iterator[SymbolRef]:
        """Yield what an undecided identifier can mean: the definition, objects' members it is."""
        yield self._target.symbol
        for symbol in [symbol for symbol in self._symbols if symbol.name == name]:
            if self._code.unpacked(symbol.path).scopes[symbol.scope].kind == S.CLASS:
                yield symbol

    def _is_certain(
        self, path: str, facts: Facts, occurrence: Occurrence, meaning: Resolution
    ) -> bool:
        """Return whether an identifier can mean nothing else than what was found out."""
        if not meaning.certain or occurrence.kind not in (O.ATTRIBUTE, O.KEYWORD):
            return meaning.certain
        certainty = self._code.resolver.certainty
        place = position(occurrence.line, occurrence.column)
        where = (path, occurrence.scope, place)
        return certainty.of_member(where, occurrence.reference, facts.names[occurrence.name])

    def _is_dispatched(
        self, path: str, facts: Facts, occurrence: Occurrence, meaning: Resolution
    ) -> bool:
        """Return whether a use of what the definition overrides may be its own at run time.

        It is not where the class itself is named: ``Base.run``, ``Base().run`` and ``super().run``.
        """
        if meaning.symbols.isdisjoint(self._overridden):
            return self._may_override(path, occurrence, meaning)
        if occurrence.kind != O.ATTRIBUTE or occurrence.use == U.DEFINITION:
            return False
        receiver = occurrence.reference
        row = facts.expressions[receiver]
        named = row.a if row.kind == E.CALL else receiver
        name = facts.dotted(named)
        if name in ("cls", "super"):
            return name == "cls"
        where = (path, occurrence.scope, named, position(occurrence.line, occurrence.column))
        values = self._code.resolver.infer(*where)
        return not values or not all(isinstance(value, ClassValue) for value in values)

    def _may_override(self, path: str, occurrence: Occurrence, meaning: Resolution) -> bool:
        """Return whether the definition can override what a script uses of the outside.

        What such a class inherits is not read, so any object of the outside can be one of it.
        """
        if not self._extends_outside or meaning.symbols or occurrence.kind != O.ATTRIBUTE:
            return False
        place = position(occurrence.line, occurrence.column)
        receiver = (path, occurrence.scope, occurrence.reference, place)
        values = self._code.resolver.infer(*receiver)
        return any(_is_outside(value) for value in values)

    def _judge_text(self, path: str, facts: Facts, occurrence: Occurrence) -> None:
        """Take in a string that names the definition, by its full path or as an attribute."""
        if occurrence.kind == O.PATH:
            choice = self._target.choice
            wanted = facts.names[occurrence.reference]
            if is_called(choice.path, choice.qualified_name, wanted):
                self._take(path, occurrence, verified=False)
            return
        meaning = self._code.definitions.of(path, occurrence)
        is_meant = not meaning.symbols.isdisjoint(self._symbols)
        allows = self._code.resolver.possibility.allows
        if is_meant or (not meaning.certain and allows(path, occurrence, self._target.symbol)):
            self._take(path, occurrence, verified=False)

    def _follow(self, path: str, facts: Facts, occurrence: Occurrence) -> Iterable[Alias]:
        """Yield the names that the definition gets where it is used."""
        if occurrence.kind in (O.FROM, O.FROM_AS):
            for index in facts.bindings_of(B.FROM, occurrence.reference):
                yield from aliases_at(path, facts, facts.bindings[index])
        # Only what is handed on can get another name.
        if occurrence.kind not in (O.NAME, O.ATTRIBUTE) or occurrence.use not in _NAMING:
            return
        if occurrence.kind == O.NAME:
            row = facts.name_row(occurrence.name)
        else:
            row = facts.attribute_row(occurrence.reference, occurrence.name)
        is_named = occurrence.use in (U.ALIAS, U.EXPORT) and self._kinds.is_callable
        for kind in (B.ASSIGN, B.ANNOTATED, B.EXPORT) if is_named else (B.EXPORT,):
            for index in facts.bindings_of(kind, row):
                binding = facts.bindings[index]
                if binding.eval_scope == occurrence.scope:
                    yield from aliases_at(path, facts, binding)
        yield from getters_at(path, facts, occurrence.scope, row)

    def _take(
        self,
        path: str,
        occurrence: Occurrence,
        *,
        verified: bool,
        alias: str | None = None,
        is_other: bool = False,
    ) -> None:
        use = self._use(path, occurrence, alias)
        if not verified:
            likelihood = self._code.resolver.likelihood
            if is_other or likelihood.speaks_against(path, occurrence, self._target.symbol):
                reference = replace(use.reference, unlikely=True)
                self._note(reference, use.use, use.scope, verified=False)
                return
        self._note(use.reference, use.use, use.scope, verified=verified)

    def _use(self, path: str, occurrence: Occurrence, alias: str | None = None) -> Use:
        is_text = occurrence.kind in (O.TEXT, O.PATH)
        kind: UseKind = "mention" if is_text else self._kinds.name(occurrence.use)
        reference = reference_at(self._code, path, occurrence, kind)
        if alias is not None:
            reference = replace(reference, alias=alias)
        return Use(reference, occurrence.use, occurrence.scope)

    def _note(self, reference: Reference, use: int, scope: int, *, verified: bool) -> None:
        place = (reference.path, reference.line, reference.column)
        if place in self._seen or not is_below(reference.path, self._within):
            return
        self._seen.add(place)
        found = self.uses.verified if verified else self.uses.unverified
        found.append(Use(reference, use, scope))

    def _candidate_files(self, name: str) -> list[str]:
        """Return the files to search, those near the definition first."""
        home = self._target.symbol.path
        language = is_script(home)
        paths = [p for p in self._code.files_with_identifier(name) if is_script(p) is language]
        return sorted(paths, key=lambda path: (path != home, dirname(path) != dirname(home)))


def _extends_outside(code: ResolutionSession, symbol: SymbolRef) -> bool:
    """Return whether a script's member belongs to a type with a base or form that is not read."""
    cls = code.resolver.relations.class_of(symbol)
    if cls is None:
        return False
    facts = code.unpacked(cls.path)
    row = facts.classes[cls.index]
    if row.is_interface == STAND_IN:
        return False
    if not facts.names[row.name]:
        expected = code.resolver.contexts.of_object(cls.path, cls.index)
        return not expected.is_known or any(_is_outside(value) for value in expected.values)
    ancestry = code.resolver.classes.ancestry(cls)
    return bool(row.bases) and (ancestry.external or not ancestry.complete)


def _is_outside(value: Value) -> bool:
    return value == EXTERNAL or isinstance(value, Container)


def reference_at(
    code: ResolutionSession, path: str, occurrence: Occurrence, kind: UseKind
) -> Reference:
    """Return an identifier as a use, with its line and what is around it."""
    return Reference(
        path=path,
        line=occurrence.line,
        column=occurrence.column,
        context=code.line(path, occurrence.line),
        enclosing=code.enclosing(path, occurrence.scope),
        kind=kind,
        is_test=is_test_file(path),
    )
