"""Writes files so that a reader sees the old text or the new, never a part."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from analysis.errors import OutputUnwritable

_MOST_TRIES = 10_000


def write_atomically(path: Path, text: str) -> None:
    r"""Write a text file with ``\n`` line ends, replacing what is there; makes its folder.

    Raises:
        OutputUnwritable: It could not be written; what was there before is untouched.
    """
    with _unwritable(path):
        temporary = _written_beside(path, text)
        try:
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)


def create_unique(
    folder: Path, stem: str, suffix: str, text: str, *, within: Path | None = None
) -> Path:
    """Write a new text file and return its path; never overwrites, a counter is added instead.

    Args:
        folder: Made if it is not there.
        stem: Name without suffix; a second file is called ``<stem>-2``.
        suffix: With its dot.
        text: What to write.
        within: The folder must really lie in this one: a repository may bring a link in its place.

    Raises:
        OutputUnwritable: It could not be written; nothing is left behind.
    """
    if within is not None and not Path(os.path.realpath(folder)).is_relative_to(
        os.path.realpath(within)
    ):
        raise OutputUnwritable(
            f"The folder {str(folder)!r} is a link that leads outside {str(within)!r}.",
            "Choose another folder.",
        )
    first = folder / f"{stem}{suffix}"
    with _unwritable(first):
        temporary = _written_beside(first, text)
        try:
            for number in range(1, _MOST_TRIES):
                path = first if number == 1 else folder / f"{stem}-{number}{suffix}"
                if _claimed(temporary, path):
                    _sync_folder(folder)
                    return path
        finally:
            temporary.unlink(missing_ok=True)
    raise OutputUnwritable(f"No free name is left for {str(first)!r}.", "Clean up the folder.")


def _claimed(temporary: Path, path: Path) -> bool:
    """Give the finished file its name; return False if somebody has that name."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    except OSError:
        # A file system without hard links: reserve the name, then put the file over it.
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except FileExistsError:
            return False
        try:
            temporary.replace(path)
        except OSError:
            path.unlink(missing_ok=True)
            raise
    return True


def _written_beside(path: Path, text: str) -> Path:
    """Return a finished temporary file in the folder of ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(".tmp", ".scope-", path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(text.encode("utf-8", "replace"))
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode_for(path))
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _mode_for(path: Path) -> int:
    """Return the permissions that the file has, or that a new file would get."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        # To ask for the umask means to set it, for all threads: 0o644 is what nearly all have.
        return 0o644


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power cut, where the system can do that for a folder."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def _unwritable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputUnwritable(
            f"The file {str(path)!r} cannot be written: {error.strerror or error}.",
            "Choose another folder, or free some space.",
        ) from error
