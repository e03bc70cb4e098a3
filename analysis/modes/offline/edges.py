"""What the best definitions use and who uses them: the code base's own edges, around the path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from analysis.models import CodeEdge, SymbolChoice
from analysis.modes.offline.code_places import CodePlaces, choice_of_place
from analysis.modes.places import CallEdge, EdgeKind, Place
from analysis.retrieval.file_roles import is_aside
from analysis.stopping import Deadline, StopFlag

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess

# Definitions whose uses are followed at first, those that these lead to, and those whose users
# are looked for: together as many as are resolved in a fraction of a second.
_FIRST = 40
_SECOND = 20
_USED = 8
_FOLLOWED_FILES = 6
# An answer does not wait longer for how its parts are connected.
_TIME_S = 2.0
_RANK: Mapping[EdgeKind, int] = {"calls": 0, "creates": 1, "raises": 2, "uses": 3}


class EdgeFinder:
    """Finds edges among places, and adds the files that they lead to."""

    def __init__(self, access: SmartFileAccess, places: CodePlaces, stop: StopFlag) -> None:
        self._access = access
        self._places = places
        self._deadline = Deadline(_TIME_S, stop)
        self._found: list[CodeEdge] = []
        self._asked: set[Place] = set()
        self.is_cut = False
        """Whether the time was over before all was followed."""

    def follow(self, worth: Mapping[Place, float], first: Iterable[Place]) -> None:
        """Find what the best places use, and who uses the very best.

        Args:
            worth: How well places fit.
            first: Places that come before all others, best first.
        """
        ordered = list(dict.fromkeys([*first, *_best(worth)]))[:_FIRST]
        # If time is short, what the answer begins with is worth more than all others.
        self._ask(ordered[:1], ordered[:1])
        self._ask(ordered[1:], ordered[1:_USED])
        self._add_files()

    def follow_on(self, worth: Mapping[Place, float]) -> None:
        """Find what those use that were found to be used."""
        reached = [self._places.at(edge.target) for edge in self._found]
        new = {place: worth.get(place, 0.0) for place in reached if place is not None}
        self._ask(_best(new)[:_SECOND], ())

    def follow_up(
        self, targets: Sequence[Place], paths: Sequence[str], sources: Sequence[SymbolChoice]
    ) -> None:
        """Find who uses some places, and add the files of those.

        Args:
            targets: Definitions.
            paths: Files in which their users are looked for.
            sources: Definitions that may use them, where only names tell.
        """
        choices = [c for place in targets if (c := choice_of_place(place)) is not None]
        found = self._access.find_edges(
            sources, choices, paths, stop=self._deadline, time_limit_s=self._deadline.seconds_left()
        )
        self._note_time()
        wanted = {(choice.path, choice.qualified_name) for choice in choices}
        used = [e for e in found if (e.target.path, e.target.qualified_name) in wanted]
        for edge in used:
            self._places.add(edge.source.path)
        self._found += used

    def edges(self) -> list[CallEdge]:
        """Return what refers to what, one edge a pair: a call before a mere mention."""
        best: dict[tuple[Place, Place], CallEdge] = {}
        for found in self._found:
            edge = self._edge(found)
            if edge is None or edge.target == edge.source or _is_around(edge.target, edge.source):
                continue
            key = (edge.source, edge.target)
            known = best.get(key)
            if known is None or _order(edge) < _order(known):
                best[key] = edge
        return list(best.values())

    def _ask(self, sources: Sequence[Place], used: Sequence[Place]) -> None:
        new = [place for place in sources if place not in self._asked]
        self._asked.update(new)
        choices = [c for place in new if (c := choice_of_place(place)) is not None]
        targets = [c for place in used if (c := choice_of_place(place)) is not None]
        left_s = self._deadline.seconds_left()
        self._found += self._access.find_edges(
            choices, targets, sorted(self._places.paths), stop=self._deadline, time_limit_s=left_s
        )
        self._note_time()

    def _note_time(self) -> None:
        self._deadline.around.check()
        self.is_cut = self.is_cut or self._deadline.is_over

    def _add_files(self) -> None:
        """Add the files that define most of what is used and in no file so far."""
        known = self._places.paths
        wanted = Counter(
            edge.target.path
            for edge in self._found
            if edge.target.path not in known and not is_aside(edge.target.path)
        )
        for path, _ in wanted.most_common(_FOLLOWED_FILES):
            self._places.add(path)

    def _edge(self, found: CodeEdge) -> CallEdge | None:
        source, target = self._places.at(found.source), self._places.at(found.target)
        if source is None or target is None:
            return None
        kind = _kind(found)
        if kind in ("creates", "raises"):
            target = self._places.constructor_of(target)
        return CallEdge(source, target, found.line, kind, found.resolved)


def _best(worth: Mapping[Place, float]) -> list[Place]:
    return sorted(worth, key=lambda place: -worth[place])


def _order(edge: CallEdge) -> tuple[bool, int, int]:
    return not edge.resolved, _RANK[edge.kind], edge.line


def _kind(found: CodeEdge) -> EdgeKind:
    """Return the word for an edge: only what runs the target calls it."""
    if found.is_raised:
        return "raises"
    if found.kind == "construction":
        return "creates"
    return "calls" if found.kind == "call" else "uses"


def _is_around(target: Place, source: Place) -> bool:
    """Return whether a use is only the mention of the class or function around it."""
    is_inside = source.path == target.path and source.name.startswith(f"{target.name}.")
    names_a_type = target.is_class or target.name.rpartition(".")[2][:1].isupper()
    return is_inside and names_a_type
