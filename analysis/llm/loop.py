"""One event loop in a thread of its own for all talk with models.

Model libraries keep clients that belong to the loop of their first call, and block it while they
import what they need: neither is to reach the loop of an editor's server.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeVar

_Item = TypeVar("_Item")


async def from_model_loop(items: AsyncGenerator[_Item]) -> AsyncGenerator[_Item]:
    """Yield what a generator yields that runs in the models' loop; leaving ends it there too."""
    here = asyncio.get_running_loop()
    queue: asyncio.Queue[_Item | BaseException | None] = asyncio.Queue()

    def hand_over(item: _Item | BaseException | None) -> None:
        if not here.is_closed():
            here.call_soon_threadsafe(queue.put_nowait, item)

    async def pump() -> None:
        try:
            async with aclosing(items):
                async for item in items:
                    hand_over(item)
        except Exception as error:
            hand_over(error)
        finally:
            hand_over(None)

    work = asyncio.run_coroutine_threadsafe(pump(), _loop())
    try:
        while (item := await queue.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        work.cancel()


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the loop, started with the first call; it ends with the process."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="scope-models", daemon=True).start()
    return loop
