"""Opens files below a root so that no link, swapped in at any moment, leads outside."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from analysis.workspace.paths import outside_root

_FOLDER_FLAGS = (
    getattr(os, "O_PATH", os.O_RDONLY)
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
# Not blocking: to open a pipe would wait for a writer for ever.
_FILE_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_CAN_WALK = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_REPARSE_POINT = 0x400  # FILE_ATTRIBUTE_REPARSE_POINT
_MOUNT_POINT = 0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT: a junction


def read_inside(root: str, path: str, limit: int) -> tuple[bytes, os.stat_result]:
    """Return at most ``limit`` bytes of a regular file below the root, and its state.

    The state is that of the very file that was read. No part of the path may be a link.

    Args:
        root: Real path of the root.
        path: Relative to it, with ``/``.
        limit: Most bytes to read.

    Raises:
        PathOutsideRoot: A part of the path is a link or ``..``.
        OSError: The file is not there, not regular, or must not be read.
    """
    descriptor = _open_parts(root, path)
    with os.fdopen(descriptor, "rb") as stream:
        state = os.fstat(stream.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        return stream.read(limit), state


def is_link(state: os.stat_result) -> bool:
    """Return whether an ``lstat`` result is that of a symbolic link or a junction."""
    if stat.S_ISLNK(state.st_mode):
        return True
    attributes = getattr(state, "st_file_attributes", 0)
    return bool(attributes & _REPARSE_POINT) and (
        getattr(state, "st_reparse_tag", 0) == _MOUNT_POINT
    )


def _open_parts(root: str, path: str) -> int:
    """Open a file step by step, refusing a link at each step."""
    *folders, name = path.split("/")
    if ".." in folders or name in ("", ".", ".."):
        raise outside_root(path)
    if not _CAN_WALK:
        return _open_checked(root, path)
    here = os.open(root, _FOLDER_FLAGS & ~getattr(os, "O_NOFOLLOW", 0))
    try:
        for folder in folders:
            below = os.open(folder, _FOLDER_FLAGS, dir_fd=here)
            os.close(here)
            here = below
        return os.open(name, _FILE_FLAGS, dir_fd=here)
    except OSError as error:
        if error.errno == errno.ELOOP or _is_link_at(error, root, path):
            raise outside_root(path) from error
        raise
    finally:
        os.close(here)


def _is_link_at(error: OSError, root: str, path: str) -> bool:
    """Return whether "not a directory" was said about a link, as Linux does."""
    if error.errno != errno.ENOTDIR:
        return False
    return os.path.realpath(Path(root, path)) != os.path.normpath(Path(root, path))


def _open_checked(root: str, path: str) -> int:
    """Open a file by its name where the system cannot walk, and check it before and after."""
    full = Path(root, path)
    expected = os.path.normcase(os.path.realpath(root))
    descriptor = os.open(full, _FILE_FLAGS)
    real = os.path.normcase(os.path.realpath(full))
    if Path(real).is_relative_to(expected) and os.path.samestat(
        os.fstat(descriptor), Path(real).stat()
    ):
        return descriptor
    os.close(descriptor)
    raise outside_root(path)
