"""A few kills of each kind; `python -m tests.faults.killing` does hundreds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.faults.killing import KINDS, play

ROUNDS = int(os.environ.get("SCOPE_FAULT_ROUNDS", "2"))


@pytest.mark.timeout(300 + 60 * ROUNDS)
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_nothing_is_lost_by_a_kill(tmp_path: Path, kind: str):
    ground = play(kind, ROUNDS, tmp_path, seed=7)
    assert ground.broken == []
