"""Runs the calls of agents over one code base: in threads, once its files were read."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analysis.errors import BadInput, Cancelled, IndexUnavailable, NotFound, ToolError
from analysis.events import IndexProgress, PhaseStarted
from analysis.mcp.documents import ServedDocument, ServedDocuments
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.engine import Engine
    from analysis.events import Event
    from analysis.models import Answer
    from analysis.org.session import OrganisationSession
    from analysis.tools.tool import Announcement, Tool, ToolContext

logger = logging.getLogger(__name__)

OnProgress = Callable[[int, int, str], Awaitable[None]]
"""Told how many files were read, of how many, and what is being done."""

# Some clients give up on a call after a minute; they get an answer before.
_PATIENCE_S = 45.0
_PROGRESS_S = 1.0
_READING = "Reading files"


class ToolCalls:
    """Answers calls of agents; the files are read in full once, on the first use.

    Args:
        engine: The code base.
        organisation: What else may be asked; None if no connection is configured.
    """

    def __init__(self, engine: Engine, organisation: OrganisationSession | None = None) -> None:
        self._engine = engine
        self._organisation = organisation
        self._documents = ServedDocuments(engine)
        self._stop = StopFlag()
        self._reading: asyncio.Task[object] | None = None
        self._read = (0, 0)
        self._doing = _READING

    async def call(
        self, name: str, arguments: Mapping[str, Any], on_progress: OnProgress
    ) -> dict[str, Any]:
        """Return what a tool found, as plain data without secrets.

        A cancelled call stops its work.

        Raises:
            ScopeError: The tool cannot answer; the agent can do something about it.
        """
        tools = self._tools()
        tool = tools.get(name)
        if tool is None:
            raise NotFound(f"There is no tool {name!r}.", f"There are: {', '.join(tools)}.")
        stop = StopFlag()
        try:
            wanted = tool.checked(arguments, for_agent=True)
            if tool.needs_index:
                await self._indexed(on_progress)
            return await asyncio.to_thread(self._served, tool, wanted, stop)
        except ToolError as error:
            raise BadInput(str(error)) from error
        finally:
            stop.set()

    def announcements(self) -> tuple[Announcement, ...]:
        """Return the tools as agents see them."""
        return tuple(tool.announcement for tool in self._tools().values())

    def _tools(self) -> dict[str, Tool]:
        from analysis.tools.registry import served

        return served(organisation=self._organisation is not None)

    async def documents(self) -> list[ServedDocument]:
        """Return the saved answers about the code base, the latest first."""
        return await asyncio.to_thread(self._documents.listed)

    async def document(self, uri: str, on_progress: OnProgress) -> str:
        """Return a saved answer as it is true now; see ``ServedDocuments.text``.

        Raises:
            ScopeError: There is none such, or it cannot be checked yet.
        """
        await self._indexed(on_progress)
        return await asyncio.to_thread(self._documents.text, uri)

    def close(self) -> None:
        """Stop what still runs, and close the index."""
        self._stop.set()
        if self._organisation is not None:
            self._organisation.close()
        self._engine.close()

    def _served(self, tool: Tool, wanted: Mapping[str, Any], stop: StopFlag) -> dict[str, Any]:
        report = self._engine.prepare(stop=stop) if tool.needs_index else None
        return tool.serve(replace(self._context(stop), report=report), wanted)

    def _context(self, stop: StopFlag) -> ToolContext:
        """Return what a tool works on: the whole code base, as long as it takes."""
        from analysis.tools.prompt_code import PromptCode
        from analysis.tools.tool import ToolContext

        def answer(question: str, top_k: int) -> Answer:
            return asyncio.run(_answered(self._engine, question, top_k, stop))

        access = self._engine.access
        return ToolContext(
            access,
            self._engine.index,
            PromptCode(access),
            stop=stop,
            time_limit_s=None,
            offered=frozenset(self._tools()),
            answer=answer,
            search_organisation=self._organisation.search if self._organisation else None,
        )

    async def _indexed(self, on_progress: OnProgress) -> None:
        """Wait for the first reading of the files, which goes on whoever stops waiting for it.

        Raises:
            IndexUnavailable: It takes longer than a client may wait.
        """
        if self._reading is None or _failed(self._reading):
            self._reading = asyncio.create_task(asyncio.to_thread(self._prepare))
        waited = 0.0
        while not self._reading.done():
            if waited >= _PATIENCE_S:
                done, total = self._read
                at_once = [name for name, tool in self._tools().items() if not tool.needs_index]
                raise IndexUnavailable(
                    f"The code base is still being read: {done} of {total} files.",
                    "Call again in a minute; reading goes on. "
                    f"These work meanwhile: {', '.join(at_once)}.",
                )
            await asyncio.wait([self._reading], timeout=_PROGRESS_S)
            waited += _PROGRESS_S
            if not self._reading.done():
                await on_progress(*self._read, self._doing)
        self._reading.result()

    def _prepare(self) -> object:
        """Read all files once; later calls read only what has changed."""

        def emit(event: Event) -> None:
            if isinstance(event, IndexProgress):
                self._read = (event.done, event.total)
            elif isinstance(event, PhaseStarted):
                self._doing = f"{_READING}: {event.detail}"

        try:
            return self._engine.prepare(emit, self._stop)
        except Cancelled:
            logger.info("Reading was stopped at %d of %d files", *self._read)
            return None


async def _answered(engine: Engine, question: str, top_k: int, stop: StopFlag) -> Answer:
    """Run the question to its end, offline; nothing is written."""
    from contextlib import aclosing

    from analysis.documents.block import without_block
    from analysis.events import RunFinished
    from analysis.models import AskRequest

    request = AskRequest(question, mode="offline", top_k=top_k)
    async with aclosing(engine.ask(request, stop=stop)) as events:
        async for event in events:
            if isinstance(event, RunFinished):
                # The hashes at the end are for checking a document on the disk.
                markdown = without_block(event.answer.markdown).rstrip() + "\n"
                return replace(event.answer, markdown=markdown)
    raise AssertionError("a run ends with RunFinished")


def _failed(task: asyncio.Task[object]) -> bool:
    """Return whether a finished reading is to be tried again: an empty folder may have filled."""
    return task.done() and (task.cancelled() or task.exception() is not None)
