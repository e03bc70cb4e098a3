"""Who does what a call asks for: registered functions, delegates, or a model."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from analysis.calls.call import Call
from analysis.calls.messages import Context, ScopedContext

ActivityFunction = Callable[[dict[str, Any], ScopedContext], Any]
"""Sync or async; gets the parameters and what is scoped, both its own copies."""


@dataclass(frozen=True, slots=True)
class Activity:
    """A registered function."""

    name: str
    function: ActivityFunction
    host: str = ""
    """Where it sends what it sees, for the approval; empty if nowhere."""


class Activities:
    """Registered functions by name; a tool of that name is done by it."""

    def __init__(self) -> None:
        self._known: dict[str, Activity] = {}

    def register(
        self, name: str, *, host: str = ""
    ) -> Callable[[ActivityFunction], ActivityFunction]:
        """Return the decorator that registers a function ``(params, context)`` under a name.

        Args:
            name: The tool, or what calls name as their ``_activity``.
            host: Where it sends what it sees, for the approval.

        Raises:
            ValueError: The name is taken.
        """

        def registered(function: ActivityFunction) -> ActivityFunction:
            if name in self._known:
                raise ValueError(f"an activity {name!r} is registered already")
            self._known[name] = Activity(name, function, host)
            return function

        return registered

    def find(self, name: str) -> Activity | None:
        """Return the activity of a name; None if there is none."""
        return self._known.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order of registration."""
        return tuple(self._known)


@dataclass(frozen=True, slots=True)
class SubRequest:
    """What a delegate gets: what is asked of it, and all the context it has."""

    tool: str
    params: dict[str, Any]
    """The call's parameters, the delegate's own copy."""
    context: Context
    """The delegate's own messages, then exactly what was scoped."""


@dataclass(frozen=True, slots=True)
class Delegate:
    """Somebody who works in isolation, from a context of his own and what is scoped to him."""

    name: str
    run: Callable[[SubRequest], Any]
    """Sync or async."""
    context: Context = field(default=())
    """His own messages, the same in every sub-request."""
    host: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class LatentRequest:
    """What a model gets that does a call by itself."""

    call: Call
    focus: Context
    """The messages to attend to."""
    background: Context
    """The rest: out of focus, a help to the model at best. Nothing of another instance."""


@dataclass(frozen=True, slots=True)
class LatentModel:
    """A model that does what no function and no delegate does."""

    run: Callable[[LatentRequest], Any]
    """Sync or async."""
    host: str = ""
    name: str = ""


async def result_of(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a sync or async function returns; sync ones run in a thread."""
    if inspect.iscoroutinefunction(function):
        return await function(*arguments)
    value = await asyncio.to_thread(function, *arguments)
    return await value if isinstance(value, Awaitable) else value
