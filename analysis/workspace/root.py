"""The folder that is opened as a code base: it is there, it is a folder, and it may be read."""

from __future__ import annotations

import os
from pathlib import Path

from analysis.errors import BadInput, NotFound, ScopeError


def real_folder(root: Path) -> Path:
    """Return the folder with all links resolved.

    Raises:
        NotFound: There is nothing.
        BadInput: It is a file.
        ScopeError: The system cannot look at it.
    """
    try:
        real = Path(os.path.realpath(root))
        if real.is_dir():
            return real
        exists = real.exists()
    except (OSError, ValueError) as error:
        raise ScopeError(f"The folder {str(root)!r} cannot be opened: {error}.") from error
    if exists:
        raise BadInput(f"{str(root)!r} is a file, not a folder.", "Give the code base's folder.")
    raise NotFound(f"There is no folder {str(root)!r}.", "Check the spelling of the path.")


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
