"""Standard streams that are there: whoever starts a program may have closed them."""

from __future__ import annotations

import os
import sys

from analysis.errors import OutputUnwritable


def open_missing_streams() -> None:
    """Put something in the place of each standard stream that was closed.

    Else the next file that is opened gets its number, and what is printed is written into it.
    There is nothing to read; to write a result is an error, and what is said goes nowhere.
    """
    for number, flags in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # Gets the lowest number that is free, which is this one.
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def require_output() -> None:
    """Refuse to serve somebody who cannot be answered.

    Raises:
        OutputUnwritable: Standard output is closed.
    """
    try:
        os.write(1, b"")
    except OSError as error:
        raise OutputUnwritable(
            f"Standard output cannot be written: {error.strerror}.", "It carries the answers."
        ) from error
