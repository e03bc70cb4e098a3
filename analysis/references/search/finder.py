"""Find references: from what a user names to a list that says how complete it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from analysis.errors import AmbiguousSymbol
from analysis.indirection import Indirection, SettingRead
from analysis.models import (
    CallList,
    CodeEdge,
    Position,
    Reference,
    ReferenceList,
    Span,
    SymbolChoice,
)
from analysis.references.search.call_graph import Direction, calls_of
from analysis.references.search.edges import edges_around
from analysis.references.search.indirections import indirections_of
from analysis.references.search.overrides import overriding
from analysis.references.search.session import (
    CodeTexts,
    Index,
    ResolutionCache,
    ResolutionSession,
)
from analysis.references.search.settings_read import settings_read
from analysis.references.search.targets import Target, at_name, targets_at, targets_named
from analysis.references.search.tree_calls import TreeCalls
from analysis.references.search.tree_uses import TreeTarget
from analysis.references.search.uses import uses_of
from analysis.references.search.uses_in_files import uses_in_files
from analysis.stopping import Deadline


class ReferenceFinder:
    """Answers "who uses this?" for languages with facts in the index; safe in several threads."""

    def __init__(self, files: CodeTexts, index: Callable[[], Index]) -> None:
        self._code = ResolutionCache(files, index)

    def find(
        self,
        name: str,
        within: str | None = None,
        at: Position | None = None,
        deadline: Deadline | None = None,
    ) -> ReferenceList | None:
        """Return the uses of a symbol; None if no definition with facts is called that.

        Args:
            name: Plain or qualified name.
            within: Only uses below this path; of several definitions one below it is meant.
            at: A definition or use of the symbol that is meant.
            deadline: What ends the search early.

        Raises:
            AmbiguousSymbol: Several definitions can be meant; they are attached.
        """
        with self._code.open() as code:
            target = chosen(code, name, within, at)
            code.resolver.deadline = deadline or Deadline(None)
            if target is None:
                return None
            if isinstance(target, TreeTarget):
                return code.trees.uses_of(target, within)
            uses = uses_of(code, target, within)
            found = uses.as_list(target, "ast")
            handed = [use.reference for use in uses.verified if use.reference.kind == "value"]
            ways = indirections_of(code, target, handed)
            is_complete = found.complete and not any(way.kind == "string" for way in ways)
            return replace(found, complete=is_complete, indirections=ways)

    def calls(
        self,
        name: str,
        direction: Direction,
        depth: int = 1,
        within: str | None = None,
        at: Position | None = None,
        deadline: Deadline | None = None,
    ) -> CallList | None:
        """Return who calls a symbol, or whom it calls; None if no such definition has facts.

        Args:
            name: Plain or qualified name.
            direction: ``callers`` or ``callees``.
            depth: How many steps are followed.
            within: Of several definitions one below this path is meant.
            at: A definition or use of the symbol that is meant.
            deadline: What ends the search early.

        Raises:
            AmbiguousSymbol: Several definitions can be meant; they are attached.
        """
        with self._code.open() as code:
            target = chosen(code, name, within, at)
            code.resolver.deadline = deadline or Deadline(None)
            if target is None:
                return None
            if isinstance(target, TreeTarget):
                return TreeCalls(code.trees).calls_of(target, direction, depth)
            found = calls_of(code, target, direction, depth)
            if direction == "callees":
                return found
            ways = indirections_of(code, target, found.values)
            # A program runs its file, which then calls what is in it.
            leading = [way for way in ways if way.kind != "entry point" or way.path[-5:] != ".json"]
            return replace(found, complete=found.complete and not leading, indirections=ways)

    def indirections(
        self, at: Position, name: str, deadline: Deadline | None = None
    ) -> tuple[Indirection, ...]:
        """Return how a definition is reached without being called by its name.

        Args:
            at: Where its name stands.
            name: Its plain name.
            deadline: Ends the search early; what was found by then is returned.
        """
        with self._code.open() as code:
            targets = targets_at(code, at, name)
            code.resolver.deadline = deadline or Deadline(None)
            return indirections_of(code, targets[0]) if len(targets) == 1 else ()

    def first_use(
        self, at: Position, name: str, paths: Iterable[str], deadline: Deadline | None = None
    ) -> Reference | None:
        """Return the first proven use of a definition in some files; see ``uses_in_files``.

        One that only annotates comes last: it does nothing with it.
        """
        with self._code.open() as code:
            targets = _targets(code, name, None, at)
            if len(targets) != 1:
                return None
            code.resolver.deadline = deadline or Deadline(None)
            annotation = None
            for use in uses_in_files(code, targets[0], paths):
                if use.kind != "type":
                    return use
                annotation = annotation or use
            return annotation

    def overrides(
        self, name: str, at: Position, deadline: Deadline | None = None
    ) -> list[SymbolChoice]:
        """Return the methods that are proven to override one; see ``overriding``.

        Args:
            name: Its plain name.
            at: Where that stands in its definition; with column 0 its first place on the line.
            deadline: Ends the search early; what was found by then is returned.
        """
        with self._code.open() as code:
            targets = [t for t in targets_at(code, at, name) if t.name == name]
            code.resolver.deadline = deadline or Deadline(None)
            return overriding(code, targets[0]) if len(targets) == 1 else []

    def edges(
        self,
        sources: Iterable[SymbolChoice],
        targets: Iterable[SymbolChoice] = (),
        paths: Iterable[str] = (),
        deadline: Deadline | None = None,
    ) -> list[CodeEdge]:
        """Return what definitions use, and what in some files uses others; never fails.

        Args:
            sources: What they use is followed, wherever it is defined.
            targets: Who uses them is looked for in ``paths`` alone.
            paths: Files.
            deadline: Ends the search early; what was found by then is returned.
        """
        with self._code.open() as code:
            code.resolver.deadline = deadline or Deadline(None)
            return edges_around(code, sources, targets, paths)

    def settings(
        self, spans: list[Span], deadline: Deadline | None = None
    ) -> tuple[SettingRead, ...]:
        """Return the settings that lines read; what was found until the deadline."""
        with self._code.open() as code:
            code.resolver.deadline = deadline or Deadline(None)
            return settings_read(code, spans)

    def choices(self, name: str, at: Position | None = None) -> tuple[SymbolChoice, ...]:
        """Return the definitions that a name, or the identifier at a place, can mean."""
        with self._code.open() as code:
            return tuple(target.choice for target in _targets(code, name, None, at))


def chosen(
    code: ResolutionSession, name: str, within: str | None, at: Position | None
) -> Target | TreeTarget | None:
    """Return the one definition that is meant, None if there is none.

    Raises:
        AmbiguousSymbol: Several definitions can be meant; they are attached.
    """
    targets = _targets(code, name, within, at)
    if len(targets) > 1:
        choices = tuple(target.choice for target in targets)
        raise AmbiguousSymbol(
            f"{len(choices)} definitions are called {name!r}.",
            choices,
            _how_to_choose(choices, name),
        )
    return targets[0] if targets else None


def _targets(
    code: ResolutionSession, name: str, within: str | None, at: Position | None
) -> list[Target | TreeTarget]:
    """Return what can be meant, in languages with facts and in those without."""
    if at is not None:
        at = at_name(code, at, name)
        return [*targets_at(code, at, name), *code.trees.targets_at(at, name)]
    return [*targets_named(code, name, within), *code.trees.targets_named(name, within)]


def _how_to_choose(choices: Sequence[SymbolChoice], name: str) -> str:
    """Return what to write instead of an ambiguous name."""
    names = Counter(choice.qualified_name for choice in choices)
    # Writing the same name again would lead back here.
    telling = [n for n, count in names.items() if count == 1 and n != name]
    by_place = f"by its place, as in --at {choices[0].path}:{choices[0].line}"
    if not telling:
        return f"Choose one {by_place}."
    by_name = f"by its qualified name, as in {telling[0]!r}"
    return f"Choose one {by_name}{'' if len(telling) == len(choices) else f', or {by_place}'}."
