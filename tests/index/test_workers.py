"""How many processes read the files of a code base."""

from __future__ import annotations

import os

import pytest

from analysis.index.difference import ReadJob
from analysis.index.workers import choose_workers


@pytest.mark.parametrize(
    ("n_cpus", "megabytes", "n_workers"),
    [(1, 100, 0), (2, 1, 0), (2, 2, 2), (2, 100, 2), (16, 2, 2), (16, 7, 4), (16, 100, 8)],
)
def test_each_of_more_than_two_workers_has_enough_to_read(
    n_cpus: int, megabytes: int, n_workers: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(n_cpus)), raising=False)
    jobs = [ReadJob(f"{number}.py", 100_000, 0, b"") for number in range(10 * megabytes)]
    assert choose_workers(0, jobs) == n_workers
    assert choose_workers(3, jobs) == 3
