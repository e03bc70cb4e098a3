"""Whether a folder may be read at all."""

from __future__ import annotations

from pathlib import Path

from analysis.errors import BadInput


def check_readable(root: Path) -> None:
    """Say so if the folder is there but may not be read.

    Raises:
        BadInput: The system refuses to list it.
    """
    try:
        next(root.iterdir(), None)
    except OSError as error:
        raise BadInput(
            f"The folder {str(root)!r} cannot be read: {error.strerror}.",
            "Give yourself the right to read it.",
        ) from error
