"""What is no ordinary file in the place of one: nothing hangs, crashes, or leads outside."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_what_is_no_file_in_the_place_of_any_file_that_is_opened():
    # A process of its own: this one has threads, and cannot be copied.
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.faults.odd_files", "--groups"],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    *troubles, last = done.stdout.splitlines()
    assert troubles == []
    assert int(last.split()[0]) > 150
