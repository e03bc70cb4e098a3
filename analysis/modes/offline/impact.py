"""What attached changes touch: who uses what has changed, and which tests do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.changes.changed_code import (
    ChangedCode,
    ChangedDefinition,
    candidates_of,
    changed_code,
)
from analysis.documents.code import word_pattern
from analysis.models import Candidate, CodeReference, Span
from analysis.modes.offline.users import TestOf, test_of, users_of
from analysis.modes.places import CallEdge, Place, place_of
from analysis.retrieval.file_roles import is_aside
from analysis.stopping import Deadline

if TYPE_CHECKING:
    from analysis.changes.change_set import ChangeSet
    from analysis.documents import CodeView
    from analysis.modes.job import Job

# For the users of so many definitions, and for so long, an answer is worth waiting for.
_MOST_LOOKED = 12
_TIME_S = 6.0
_MOST_SPELLED = 4
# What has changed, or uses what has changed, is likely part of an answer that fits it anyway.
_CHANGED, _USER = 0.35, 0.15


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """A definition that has changed, with what depends on it."""

    definition: ChangedDefinition
    place: Place
    is_looked_at: bool = False
    """Whether its users were looked for."""
    users: tuple[CallEdge, ...] = ()
    """Those in the code itself come first, and those that only may use it last."""
    all_users: bool = False
    test: TestOf | None = None


@dataclass(frozen=True, slots=True)
class GonePlace:
    """A definition that is gone."""

    path: str
    name: str
    """Qualified name."""
    spelled: tuple[Span, ...] = ()
    """Where its plain name still stands, some of the places."""


@dataclass(frozen=True, slots=True)
class Impact:
    """What the changes that are attached come to."""

    changes: ChangeSet
    code: ChangedCode
    places: tuple[ChangedPlace, ...] = ()
    """The code itself first, tests and the like last."""
    gone: tuple[GonePlace, ...] = ()

    def boosts(self) -> dict[tuple[str, str], float]:
        """Return what is added to the scores of definitions, by path and qualified name."""
        users = (edge.source for item in self.places for edge in item.users if edge.resolved)
        found = {(place.path, place.name): _USER for place in users}
        return found | {(i.place.path, i.place.name): _CHANGED for i in self.places}

    def with_changed(self, ranked: Sequence[Candidate]) -> list[Candidate]:
        """Return ranked definitions and behind them those that have changed, each once."""
        known = {(item.path, item.symbol) for item in ranked}
        changed = candidates_of(self.code)
        return [*ranked, *(item for item in changed if (item.path, item.symbol) not in known)]

    def references(self) -> list[CodeReference]:
        """Return the places that are told, as citations."""
        found: list[CodeReference] = []
        for item in self.places:
            what = "is new" if item.definition.kind == "new" else "has changed"
            found.append(item.place.reference(what))
            name = item.place.name
            found += [edge.source.reference(f"{edge.verb} {name}") for edge in item.users]
            if item.test is not None:
                line = item.test.line
                found.append(CodeReference(item.test.path, line, line, None, f"tests {name}"))
        spans = [*self.code.lines, *(span for item in self.gone for span in item.spelled)]
        return [*found, *(CodeReference(s.path, s.line_start, s.line_end) for s in spans)]


def impact_of(changes: ChangeSet, job: Job, view: CodeView) -> Impact:
    """Return what changes touch; blocking.

    Raises:
        Cancelled: The run was stopped.
    """
    code = changed_code(changes, view)
    deadline = Deadline(_TIME_S, job.stop)
    places: list[ChangedPlace] = []
    for item in sorted(code.definitions, key=lambda item: is_aside(item.path)):
        job.stop.check()
        place = place_of(item.path, item.info)
        if len(places) >= _MOST_LOOKED or deadline.is_over or is_aside(item.path):
            places.append(ChangedPlace(item, place))
            continue
        users, complete = users_of(place, job.access, view, deadline)
        test = test_of(place, (), job.index, job.access, view, deadline)
        users.sort(key=lambda edge: (not edge.resolved, is_aside(edge.source.path)))
        places.append(ChangedPlace(item, place, True, tuple(users), complete, test))
    gone = [
        GonePlace(item.path, item.info.qualified_name, _spelled(item.info.name, job, view))
        for item in code.gone
    ]
    return Impact(changes, code, tuple(places), tuple(gone))


def _spelled(name: str, job: Job, view: CodeView) -> tuple[Span, ...]:
    """Return some places where a name stands in the code, comments aside."""
    pattern = word_pattern(name)
    found: list[Span] = []
    for path in _code_first(job.index.files_with_identifier(name)):
        for number, line in enumerate(view.bare_lines(path), 1):
            if pattern.search(line):
                found.append(Span(path, number, number))
                break
        if len(found) == _MOST_SPELLED:
            break
    return tuple(found)


def _code_first(paths: Iterable[str]) -> list[str]:
    return sorted(paths, key=lambda path: (is_aside(path), path))
