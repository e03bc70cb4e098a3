"""Answers with a model in rounds that end when it is confident, within limits by complexity."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

from analysis.events import Event, StopFlag
from analysis.llm.calls import ModelCalls
from analysis.strategies.iterative.steps import IterativeRun
from analysis.strategies.modes import RunOptions

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex
    from analysis.models import AskRequest


async def run(
    request: AskRequest,
    access: SmartFileAccess,
    index: CodeIndex,
    calls: ModelCalls,
    options: RunOptions,
    stop: StopFlag | None = None,
) -> AsyncGenerator[Event]:
    """Yield the events of one question, as ``modes.Strategy`` says."""
    job = IterativeRun(request, access, index, calls, options, stop or StopFlag())
    async with aclosing(job.events()) as events:
        async for event in events:
            yield event
