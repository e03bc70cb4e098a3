"""Our ``dataclass`` makes what the standard library's makes."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from analysis.dataclass import dataclass

WAYS: dict[str, dict[str, Any]] = {
    "frozen": {"frozen": True},
    "frozen with slots": {"frozen": True, "slots": True},
    "slots": {"slots": True},
    "plain": {},
    "by identity": {"frozen": True, "slots": True, "eq": False},
    "with weak references": {"frozen": True, "slots": True, "weakref_slot": True},
}


def shapes(decorate: Callable[[type], type]) -> list[type]:
    """The same classes, made by one of the two."""

    class Empty:
        """Nothing."""

    class One:
        """One value."""

        only: float

    class Some:
        """Some values."""

        name: str
        _size: int = 3
        parts: list[int] = dataclasses.field(default_factory=list)
        note: str = dataclasses.field(default="", compare=False, repr=False)

        def size(self) -> int:
            return self._size

    class Counted:
        """Tells its own hash, its own words, and does something when it is made."""

        name: str

        def __post_init__(self) -> None:
            object.__setattr__(self, "name", self.name.upper())

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    class Compared:
        """Compares in its own way."""

        name: str

        def __eq__(self, other: object) -> bool:
            return True

    parents = [decorate(kind) for kind in (Empty, One, Some, Counted, Compared)]
    some = parents[2]

    class Below(some):  # type: ignore[misc, valid-type]
        """More values than the class above it."""

        more: tuple[int, ...] = ()

    return [*parents, decorate(Below)]


def outcome(action: Callable[[], Any]) -> Any:
    """What an action returns, or the error that it raises."""
    try:
        return action()
    except (AttributeError, TypeError) as error:
        return type(error), str(error).replace("shapes.<locals>.", "")


GIVEN: list[tuple[Any, ...]] = [(), ("a",), (float("nan"),), ("a", 4, [1]), ("a", 4, [1], "x")]
ACTIONS: dict[str, Callable[[Any], Any]] = {
    "repr": repr,
    "hash": lambda made: isinstance(hash(made), int),
    "same as itself": lambda made: made == made,
    "same as its copy": lambda made: made == copy.copy(made),
    "same as another": lambda made: made == 1,
    "its data": dataclasses.asdict,
    "its fields": lambda made: [(f.name, f.type, f.repr) for f in dataclasses.fields(made)],
    "set": lambda made: setattr(made, "name", "b"),
    "set something new": lambda made: setattr(made, "other", "b"),
    "delete": lambda made: delattr(made, "name"),
    "replace": lambda made: repr(dataclasses.replace(made, name="c")),
    "match": lambda made: made.__match_args__,
    "slots": lambda made: getattr(made, "__slots__", None),
    "state": lambda made: repr(copy.deepcopy(made)),
    "weak": lambda made: weakref.ref(made)() is made,
    "words about it": lambda made: type(made).__doc__,
}


@pytest.mark.parametrize("way", WAYS)
def test_makes_what_the_standard_library_makes(way: str) -> None:
    pairs = zip(
        shapes(dataclass(**WAYS[way])), shapes(dataclasses.dataclass(**WAYS[way])), strict=True
    )
    for ours, theirs in pairs:
        assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
        for given in GIVEN:
            made = [outcome(partial(kind, *given)) for kind in (ours, theirs)]
            if isinstance(made[1], tuple):
                assert made[0] == made[1]
                continue
            for name, act in ACTIONS.items():
                found = [outcome(partial(act, one)) for one in made]
                # With slots the standard library calls this an error of ``super`` before 3.12.
                if "super(type, obj)" in str(found[1]):
                    assert found[0][0] is dataclasses.FrozenInstanceError
                else:
                    assert found[0] == found[1], (ours.__name__, given, name)
            if WAYS[way].get("eq", True):
                assert outcome(partial(hash, made[0])) == outcome(partial(hash, made[1]))


@dataclass(frozen=True, slots=True)
class Sent:
    """Goes to another process."""

    name: str
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Around:
    """Can hold itself."""

    parts: list[Any]


def test_goes_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(Sent("a", (1, 2)))) == Sent("a", (1, 2))


def test_shows_what_holds_itself() -> None:
    around = Around([])
    around.parts.append(around)
    assert repr(around) == "Around(parts=[...])"


def test_refuses_what_it_does_not_do() -> None:
    class Odd:
        name: str = dataclasses.field(default="", init=False)

    with pytest.raises(TypeError, match="Odd"):
        dataclass(Odd)
