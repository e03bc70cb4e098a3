"""What is made once for a state of the index, and kept as long as somebody holds that state."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class PerGeneration(Generic[T]):
    """Values by the state of an index; those of a state that is gone are gone too.

    An engine holds one state, and a running question the one that it reads; whoever asks several
    repositories in turn holds one of each, and finds all their values again.
    """

    def __init__(self) -> None:
        self._kept: WeakKeyDictionary[object, dict[Hashable, T]] = WeakKeyDictionary()

    def get(self, generation: object, make: Callable[[], T], key: Hashable = None) -> T:
        """Return the value of a state, made if it is not there; two threads may both make it.

        Args:
            generation: ``IndexView.generation``, or anything else that can be held weakly.
            make: Makes the value.
            key: Tells several values of one state apart.
        """
        kept = self._kept.setdefault(generation, {})
        if key not in kept:
            kept[key] = make()
        return kept[key]
