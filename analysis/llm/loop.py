"""One event loop in a thread of its own for all talk with models.

Model libraries keep clients that belong to the loop of their first call, and block it while they
import what they need: neither is to reach the loop of an editor's server.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")


async def in_model_loop(
    work: Callable[[Callable[[_Piece], Coroutine[Any, Any, None]]], Coroutine[Any, Any, _Result]],
    on_piece: Callable[[_Piece], Coroutine[Any, Any, None]],
) -> _Result:
    """Return what work comes to that runs in the models' loop; cancelling ends it there too.

    Args:
        work: Gets the way to hand on a piece while it runs.
        on_piece: Takes the pieces in the caller's loop.
    """
    here = asyncio.get_running_loop()
    failures: list[Exception] = []

    async def hand_over(piece: _Piece) -> None:
        try:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(on_piece(piece), here))
        except Exception as error:
            # It is no failure of the model, and no model library is to take it for one.
            failures.append(error)
            raise asyncio.CancelledError from error

    try:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(hand_over), _loop()))
    except asyncio.CancelledError:
        if failures:
            raise failures[0] from None
        raise


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the loop, started with the first call; it ends with the process."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="scope-models", daemon=True).start()
    return loop
