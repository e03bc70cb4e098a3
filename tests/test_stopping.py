"""Work ends at its deadline or with the work around it, and what is awaited is cancelled then."""

from __future__ import annotations

import asyncio

import pytest

from analysis.errors import Cancelled
from analysis.stopping import Deadline, StopFlag, pause, until_stopped


async def forever(cancelled: list[bool]) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        cancelled.append(True)


@pytest.mark.parametrize("how", ["time", "stop"])
async def test_what_is_awaited_is_cancelled(how: str):
    around = StopFlag()
    deadline = Deadline(0.05 if how == "time" else None, around)
    if how == "stop":
        around.set()
    cancelled: list[bool] = []
    with pytest.raises(Cancelled):
        await until_stopped(forever(cancelled), deadline)
    assert cancelled == [True]
    assert deadline.is_over is (how == "time")


async def test_a_result_in_time_is_given():
    assert await until_stopped(asyncio.sleep(0, "done"), Deadline(60)) == "done"


async def test_a_pause_ends_with_the_work_around_it():
    await pause(0.01, StopFlag())
    stop = StopFlag()
    asyncio.get_running_loop().call_later(0.01, stop.set)
    with pytest.raises(Cancelled):
        await pause(3600, stop)
