"""The ways to an answer that ask a model, by the name of the mode; imported when first needed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from analysis.documents import OutputTarget
from analysis.settings import Settings
from analysis.strategies.offline.steps import Unread

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.events import Event, StopFlag
    from analysis.index.code_index import CodeIndex
    from analysis.llm.calls import ModelCalls
    from analysis.models import AskRequest
    from analysis.tools.tool import ToolGate

_MODULES = {
    "pipeline": "analysis.strategies.pipeline.run",
    "agent": "analysis.strategies.agent.run",
    "plan": "analysis.strategies.plan.run",
    "iterative": "analysis.strategies.iterative.run",
}


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What a run needs to know beside the question and the code base."""

    settings: Settings = field(default_factory=Settings)
    output: OutputTarget | None = None
    """Where the document will be written, for its links; a strategy does not write it."""
    unread: Unread = field(default_factory=Unread)
    """What of the code base the answer cannot know of."""
    runs_root: Path | None = None
    """The folder below which runs that can go on later are kept; None keeps none."""
    approve: ToolGate | None = None
    """Who has to agree before a tool of the model runs; for ``ToolContext``."""


class Strategy(Protocol):
    """A way from a question to a document with the help of a model."""

    def __call__(
        self,
        request: AskRequest,
        access: SmartFileAccess,
        index: CodeIndex,
        calls: ModelCalls,
        options: RunOptions,
        stop: StopFlag | None = None,
    ) -> AsyncIterator[Event]:
        """Yield the events of one question; the last one is ``RunFinished`` with a document.

        Args:
            request: The question, and what the asker was looking at.
            access: The code base.
            index: Its index, up to date.
            calls: The way to the model, with the limits of this question.
            options: Settings, and where the document goes.
            stop: Ends the run early when set; the document then holds what was found by then.
        """
        ...


def strategy(mode: str) -> Strategy:
    """Return what answers in a mode that asks a model."""
    return cast("Strategy", import_module(_MODULES[mode]).run)
