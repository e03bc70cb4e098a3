"""A time limit for whoever waits in front of an editor."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from analysis.errors import Cancelled, ScopeError
from analysis.stopping import StopFlag

logger = logging.getLogger(__name__)

_DEADLINE_S = 10.0
"""Seconds after which whoever waits in front of an editor gets what was found so far."""

_Result = TypeVar("_Result")


async def in_time(work: Callable[[StopFlag], _Result]) -> _Result:
    """Return what blocking work returns, told to stop at the deadline or with the request.

    Raises:
        Cancelled: The deadline came before there was anything to return.
    """
    stop = StopFlag()
    timer = asyncio.get_running_loop().call_later(_DEADLINE_S, stop.set)
    try:
        return await asyncio.to_thread(work, stop)
    except asyncio.CancelledError:
        stop.set()
        raise
    finally:
        timer.cancel()


async def or_nothing(work: Callable[[StopFlag], _Result]) -> _Result | None:
    """Return what blocking work returns; None if the deadline came first or it cannot be had.

    For the protocol's own requests, which editors send unasked: none of them deserves a message.
    """
    try:
        return await in_time(work)
    except Cancelled:
        logger.info("The deadline came before the index was ready.")
    except ScopeError as error:
        logger.info("Nothing to show: %s", error)
    return None
