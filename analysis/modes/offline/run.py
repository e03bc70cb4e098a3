"""Answers with no model: ranking, the call graph, and sentences taken from the code."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from analysis.documents import OutputTarget
from analysis.events import Event
from analysis.modes.offline.steps import OfflineRun, Unread
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex
    from analysis.models import AskRequest


async def run(
    request: AskRequest,
    access: SmartFileAccess,
    index: CodeIndex,
    *,
    output: OutputTarget | None = None,
    stop: StopFlag | None = None,
    skipped: Mapping[str, int] | None = None,
    gaps: Sequence[str] = (),
) -> AsyncIterator[Event]:
    """Yield the events of one question; the last one is ``RunFinished`` with a document.

    The pieces of text, put together, are the document's body.

    Args:
        request: The question, and what the asker was looking at.
        access: The code base.
        index: Its index, up to date.
        output: Where the document will be written, for its links; it is not written here.
        stop: Ends the run early when set; the document then holds what was found by then.
        skipped: How many files are left out of the search, by reason.
        gaps: What the index does not hold yet, in whole sentences; none if it is complete.
    """
    target = output or OutputTarget(access.files.root)
    unread = Unread(skipped or {}, tuple(gaps))
    job = OfflineRun(request, access, index, target, stop or StopFlag(), unread)
    events = job.events()
    while (event := await asyncio.to_thread(_next, events)) is not None:
        yield event


def _next(events: Iterator[Event]) -> Event | None:
    return next(events, None)
