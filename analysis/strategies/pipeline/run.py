"""Answers with a model in two or three calls: discovery, exploration by outlines, synthesis."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from analysis.events import Event, StopFlag
from analysis.llm.calls import ModelCalls
from analysis.strategies.modes import RunOptions
from analysis.strategies.pipeline.steps import PipelineRun

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
    job = PipelineRun(request, access, index, calls, options, stop or StopFlag())
    async for event in job.events():
        yield event
