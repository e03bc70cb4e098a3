"""The path of an answer: where it begins, who acts above, and what follows, by kind of question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from analysis.answer_path import PathEntry, PathRelation
from analysis.modes.offline.beginnings import Beginning
from analysis.modes.places import CallEdge, EdgeKind, Place
from analysis.retrieval.file_roles import is_aside
from analysis.retrieval.question_kind import QuestionKind

# How many places of each sort a path shows: who acts above, what is called, what else is likely.
_CALLERS: dict[QuestionKind, int] = {"how": 3, "flow": 4, "where": 3, "extend": 2, "topic": 3}
_CALLED: dict[QuestionKind, int] = {"how": 4, "flow": 5, "where": 3, "extend": 2, "topic": 4}
_USERS = 14
# Of those in tests and examples, where there are others.
_USERS_ASIDE = 3
_VARIANTS = 3
_USERS_OF_EACH = 3
# Where the way is shorter, what the start calls besides is shown too.
_LEAST_CALLED = 3
DOWN: frozenset[PathRelation] = frozenset({"calls", "creates", "raises", "uses"})
"""What a place of a path does with the one that follows it."""
_ABOVE: dict[EdgeKind, PathRelation] = {"calls": "called_by", "creates": "called_by"}


@dataclass(frozen=True, slots=True)
class Step:
    """A place of the path."""

    place: Place
    relation: PathRelation
    of: Place | None = None
    """The place that it has this relation to."""
    edge: CallEdge | None = None
    """Where the code says so."""

    @property
    def resolved(self) -> bool:
        """Whether the code says so, and not only a name."""
        return self.edge is None or self.edge.resolved

    def entry(self) -> PathEntry:
        """Return the step as data."""
        place, info = self.place, self.place.info
        return PathEntry(
            path=place.path,
            line_start=place.line_start,
            line_end=place.line_end,
            symbol=info.qualified_name if info else None,
            relation=self.relation,
            of=self.of.name if self.of else None,
            line=self.edge.line if self.edge else 0,
            resolved=self.resolved,
        )


def steps_of(
    kind: QuestionKind,
    way: Sequence[Place],
    edges: Sequence[CallEdge],
    above: Sequence[CallEdge],
    onward: Sequence[CallEdge],
    ranked: Sequence[Beginning],
    guesses: Sequence[Place] = (),
) -> list[Step]:
    """Return the path of a question that asks how something works, or where it is decided.

    The start comes first. Who acts above and what follows come in the order of what is likeliest
    among them, then callers that fit the question by nothing else, and where else it may begin.

    Args:
        kind: What kind of answer is asked for.
        way: The places that lead on to each other, the start first.
        edges: What leads from each of them to the next.
        above: Who acts on them from outside, best first.
        onward: What the start uses, on the way or beside it.
        ranked: Definitions with how likely they are, best first.
        guesses: Where else it may begin.
    """
    shares = {item.place: item.share for item in ranked}
    callers = [_caller(edge) for edge in above][: _CALLERS.get(kind, 3)]
    down = [Step(edge.target, edge.kind, edge.source, edge) for edge in edges]
    down += _beside(way, onward, shares)[: max(0, _LEAST_CALLED - len(down))]
    groups = [
        [step for step in callers if step.place in shares],
        down[: _CALLED.get(kind, 4)],
    ]
    groups.sort(key=lambda steps: -max((shares.get(s.place, 0.0) for s in steps), default=0.0))
    rest = [step for step in callers if step.place not in shares]
    path = [Step(way[0], "start"), *(step for steps in groups for step in steps), *rest]
    return _once([*path, *_related(guesses)])


def _beside(
    way: Sequence[Place], onward: Sequence[CallEdge], shares: Mapping[Place, float]
) -> list[Step]:
    """Return what the start calls beside the way, what fits the question first."""
    called = [
        edge
        for edge in onward
        if edge.resolved and edge.kind in ("calls", "creates") and edge.target not in way
    ]
    called.sort(key=lambda edge: (-shares.get(edge.target, 0.0), edge.line))
    return [Step(edge.target, edge.kind, edge.source, edge) for edge in called]


def steps_of_users(
    start: Place, users: Iterable[CallEdge], guesses: Sequence[Place] = ()
) -> list[Step]:
    """Return the path of a question that asks what depends on something."""
    found = list(users)
    main = [edge for edge in found if not is_aside(edge.source.path)][:_USERS]
    aside = [edge for edge in found if is_aside(edge.source.path)]
    kept = [*main, *aside[: _USERS_ASIDE if main else _USERS]]
    return _once([Step(start, "start"), *[_caller(edge) for edge in kept], *_related(guesses)])


def steps_of_variants(
    start: Place,
    variants: Sequence[Place],
    above: Iterable[CallEdge],
    guesses: Sequence[Place] = (),
    n_callers: int = 2,
) -> list[Step]:
    """Return the path of a question that asks how to add one more of a kind."""
    steps = [Step(start, "start")]
    steps += [Step(place, "extended_by", start) for place in variants[:_VARIANTS]]
    return _once([*steps, *[_caller(edge) for edge in above][:n_callers], *_related(guesses)])


def steps_of_changes(
    changed: Iterable[tuple[Place, Iterable[CallEdge]]],
) -> list[Step]:
    """Return the path of a question about changes: each that has changed, with who uses it."""
    steps: list[Step] = []
    for place, users in changed:
        steps.append(Step(place, "related" if steps else "start"))
        steps += [_caller(edge) for edge in list(users)[:_USERS_OF_EACH]]
    return _once(steps)


def _related(places: Iterable[Place]) -> list[Step]:
    return [Step(place, "related") for place in places]


def _caller(edge: CallEdge) -> Step:
    return Step(edge.source, _ABOVE.get(edge.kind, "used_by"), edge.target, edge)


def _once(steps: Iterable[Step]) -> list[Step]:
    found: dict[Place, Step] = {}
    for step in steps:
        found.setdefault(step.place, step)
    return list(found.values())
