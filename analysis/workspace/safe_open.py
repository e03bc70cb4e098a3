"""Opens files that are not ours: regular, of limited size, inside the root, never waiting.

A file below a root is reached without a link, swapped in at any moment, leading outside. A file
that somebody named may lie behind a link. Pipes, devices and endless files are errors at once.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Literal

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
_APPEND_FLAGS = (_FILE_FLAGS & ~os.O_RDONLY) | os.O_WRONLY | os.O_APPEND | os.O_CREAT
_CAN_WALK = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_PIECE_BYTES = 1_000_000
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
    with _stream(_open_parts(root, path, _FILE_FLAGS), path, "rb") as stream:
        return _content(stream, limit), os.fstat(stream.fileno())


def read_named(path: Path, limit: int) -> bytes:
    """Return the content of a regular file that somebody named; links are followed.

    Args:
        path: Anywhere on this machine.
        limit: Most bytes that it may have.

    Raises:
        OSError: It is not there, not a regular file, too large, or must not be read.
    """
    try:
        # Looked at before it is opened: to open some devices does something.
        if not stat.S_ISREG(path.stat().st_mode):
            raise _not_regular(str(path))
        descriptor = os.open(path, _FILE_FLAGS & ~getattr(os, "O_NOFOLLOW", 0))
    except ValueError as error:  # A NUL in the name.
        raise OSError(errno.EINVAL, str(error), str(path)) from error
    with _stream(descriptor, str(path), "rb") as stream:
        data = _content(stream, limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit:,} bytes", str(path))
    return data


def append_inside(root: str, path: str, data: bytes) -> None:
    """Append to a regular file below the root, which is made if it is not there.

    Args:
        root: Real path of the root.
        path: Relative to it, with ``/``; its folder is there.
        data: Written in one piece.

    Raises:
        PathOutsideRoot: A part of the path is a link or ``..``.
        OSError: It cannot be written, or is not a regular file.
    """
    with _stream(_open_parts(root, path, _APPEND_FLAGS), path, "ab") as stream:
        stream.write(data)


def read_unlinked(path: str, limit: int) -> bytes:
    """Return at most ``limit`` bytes of a regular file that is itself no link.

    Raises:
        OSError: It is not there, is a link or not regular, or must not be read.
        ValueError: No file can have that name.
    """
    with _stream(os.open(path, _FILE_FLAGS), path, "rb") as stream:
        return _content(stream, limit)


def _content(stream: BinaryIO, limit: int) -> bytes:
    """Return at most so many bytes; takes no more memory than there are."""
    # What the system makes up may have nothing to give yet, which is None.
    data = stream.read(min(limit, os.fstat(stream.fileno()).st_size + 1)) or b""
    # It grows meanwhile, or the system tells no size of it.
    while len(data) < limit and (more := stream.read(min(limit - len(data), _PIECE_BYTES))):
        data += more
    return data


def _stream(descriptor: int, path: str, mode: Literal["rb", "ab"]) -> BinaryIO:
    """Return a stream on what was opened; it is closed if it is no regular file."""
    try:
        # Python's own check for a folder would leave it open.
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _not_regular(path)
        return os.fdopen(descriptor, mode, buffering=0 if mode == "ab" else -1)
    except BaseException:
        os.close(descriptor)
        raise


def _not_regular(path: str) -> OSError:
    return OSError(errno.EINVAL, "it is not a regular file", path)


def is_link(state: os.stat_result) -> bool:
    """Return whether an ``lstat`` result is that of a symbolic link or a junction."""
    if stat.S_ISLNK(state.st_mode):
        return True
    if os.name != "nt":
        return False
    attributes = getattr(state, "st_file_attributes", 0)
    return bool(attributes & _REPARSE_POINT) and (
        getattr(state, "st_reparse_tag", 0) == _MOUNT_POINT
    )


def first_link(base: Path, folder: Path) -> Path | None:
    """Return the first part of a folder's path below a base that is a link; None without one."""
    here = base
    for part in folder.relative_to(base).parts:
        here /= part
        try:
            if is_link(here.lstat()):
                return here
        except OSError:
            return None  # Not there yet: what is made is no link.
    return None


def _open_parts(root: str, path: str, file_flags: int) -> int:
    """Open a file step by step, refusing a link at each step."""
    *folders, name = path.split("/")
    if ".." in folders or name in ("", ".", ".."):
        raise outside_root(path)
    if not _CAN_WALK:
        return _open_checked(root, path, file_flags)
    here = os.open(root, _FOLDER_FLAGS & ~getattr(os, "O_NOFOLLOW", 0))
    try:
        for folder in folders:
            below = os.open(folder, _FOLDER_FLAGS, dir_fd=here)
            os.close(here)
            here = below
        return os.open(name, file_flags, 0o644, dir_fd=here)
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


def _open_checked(root: str, path: str, file_flags: int) -> int:
    """Open a file by its name where the system cannot walk, and check it before and after."""
    full = Path(root, path)
    expected = os.path.normcase(os.path.realpath(root))
    descriptor = os.open(full, file_flags, 0o644)
    real = os.path.normcase(os.path.realpath(full))
    if Path(real).is_relative_to(expected) and os.path.samestat(
        os.fstat(descriptor), Path(real).stat()
    ):
        return descriptor
    os.close(descriptor)
    raise outside_root(path)
