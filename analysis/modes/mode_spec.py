"""What there is to know of a mode before it runs: its package says it, everybody reads it here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from analysis.modes.topology import END, Edge, Topology

if TYPE_CHECKING:
    from analysis.events import RunFinished
    from analysis.modes.job import Job

ENDING = (Edge("synthesis", "verification"), Edge("verification", END))
"""How every mode ends, as edges of its graph."""


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """A call of the model that a run would make."""

    name: str
    tokens_in: int
    tokens_out: int
    """At most."""
    is_exact: bool = False
    """False where the model's own answers decide what is sent; the numbers are upper limits."""


@dataclass(frozen=True, slots=True)
class ExpectedCalls:
    """What a run would send before the document is written."""

    calls: tuple[ExpectedCall, ...]
    """In order; empty if no model would be asked."""
    note: str = (
        "What is sent after that is chosen by the model; secrets and ignored files never are."
    )
    """What a reader should know of it."""


@dataclass(frozen=True, slots=True)
class ModeSpec:
    """A way to an answer. Its package has a module ``run`` that is imported when it is needed.

    That module defines ``run(job)``, a coroutine that answers, shows what happens through
    ``job.emit`` and returns the finished document; with a model also ``expected(job)``, what the
    run would send; and without ``phases`` also ``topology()``.
    """

    package: str
    """The package's full name; the last part of it is the mode's."""
    help: str
    """Who finds the code, in a line."""
    clause: str
    """What it does, to be read on behind its name: ``needs no model``."""
    default_tokens: int = 0
    """What a question may take, unless the settings say so; 0 if no model is asked."""
    phases: tuple[Edge, ...] = ()
    """The phases that its events name, and which ways lead from one to the next."""

    @property
    def name(self) -> str:
        """What the mode is called."""
        return self.package.rpartition(".")[2]

    @property
    def needs_model(self) -> bool:
        """Whether a model is asked."""
        return self.default_tokens > 0

    async def run(self, job: Job) -> RunFinished:
        """Answer a question; whatever happens on the way, there is a document in the end."""
        answer = cast("Callable[[Job], Awaitable[RunFinished]]", self._module().run)
        return await answer(job)

    def load(self) -> None:
        """Import what answering needs, which takes a tenth of a second; blocking."""
        self._module()

    def expected(self, job: Job) -> ExpectedCalls:
        """Return what answering would send, without sending anything; blocking."""
        return cast("ExpectedCalls", self._module().expected(job))

    def topology(self) -> Topology:
        """Return the mode's steps as a graph; no model, key or code base is needed."""
        if self.phases:
            return Topology(self.name, self.phases)
        return cast("Topology", self._module().topology())

    def _module(self) -> Any:
        return import_module(f"{self.package}.run")
