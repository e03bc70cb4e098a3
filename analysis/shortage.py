"""Running out of what the machine gives a program: memory, threads, processes, files, room.

Whoever starts a program limits it, and none of that is a bug of ours: it becomes a sentence.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

from analysis.errors import OutOfResources

_MB = 1_000_000
_LEAST_MEMORY = 180 * _MB
"""Libraries of ours end the program in words of their own where they get less address space."""
_LEAST_OF_A_SERVER = 240 * _MB
"""The same for a program that goes on to serve, with its threads."""
_FILES_OF_A_SERVER = 16
_USUAL_MEMORY = 2_000 * _MB
"""Whoever may have so much lacks no memory: what asks for more is wrong about what it needs."""

_M_ARENA_MAX = -8  # of malloc.h

_NO_MEMORY = ("failed to map segment", "cannot allocate memory")
_TOO_MANY_FILES = (errno.EMFILE, errno.ENFILE)
_NO_FILES = "too many open files"
_NO_THREAD = "can't start new thread"
_NO_TEMPORARY = "no usable temporary directory"


def begin_sparingly(*, serving: bool = False) -> None:
    """Have libraries reserve no memory and look for no plug-ins that nothing of ours uses.

    Args:
        serving: The program goes on to serve, with threads and more open files.

    Raises:
        OutOfResources: The program may not have what it needs in any case.
    """
    if serving and _file_limit() < _FILES_OF_A_SERVER:
        raise _of_files()
    # Each thread of numpy's would reserve 40 MB, and pydantic would read what every installed
    # package says of itself.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    if (most := memory_limit()) is None:
        return
    if most < (_LEAST_OF_A_SERVER if serving else _LEAST_MEMORY):
        raise _of_memory()
    if most < _USUAL_MEMORY:
        _share_arenas()


def _share_arenas() -> None:
    """Let all threads allocate from one place: glibc would reserve 64 MB for each of them."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def memory_limit() -> int | None:
    """Return the bytes of memory that this process may have; None if nobody has limited it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        limits = [
            resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)
        ]
        return min((limit for limit in limits if limit != resource.RLIM_INFINITY), default=None)
    return None


def is_limited() -> bool:
    """Return whether somebody gave this process less memory than is usual."""
    most = memory_limit()
    return most is not None and most < _USUAL_MEMORY


def lacks_memory(error: BaseException) -> bool:
    """Return whether an error comes of a limit that somebody set, and not of what was read."""
    return isinstance(error, MemoryError) and is_limited()


def shortage_of(error: BaseException) -> OutOfResources | None:
    """Return what the machine lacked if that is why an error was raised, else None."""
    for cause in _chain(error):
        if (found := _shortage(cause)) is not None:
            return found
    return None


def _shortage(error: BaseException) -> OutOfResources | None:
    """Return what one error says is lacking."""
    code, said = getattr(error, "errno", None), str(error).lower()
    if isinstance(error, OutOfResources):
        return error
    if isinstance(error, MemoryError) or code == errno.ENOMEM:
        return _of_memory()
    if isinstance(error, ImportError) and any(words in said for words in _NO_MEMORY):
        return _of_memory()
    if code in _TOO_MANY_FILES or (isinstance(error, ImportError) and _NO_FILES in said):
        return _of_files()
    if _NO_THREAD in said or (isinstance(error, BlockingIOError) and code == errno.EAGAIN):
        return OutOfResources(
            "No further thread or process can be started.",
            "Raise the limits of processes and of memory ('ulimit -u', 'ulimit -v'), "
            "or end other programs.",
        )
    if isinstance(error, FileNotFoundError) and _NO_TEMPORARY in said:
        return OutOfResources(
            "There is no folder for temporary files that can be written.",
            "Set TMPDIR to one that can.",
        )
    if isinstance(error, FileNotFoundError) and not _has_current_folder():
        return OutOfResources(
            "The current folder does not exist any more.", "Change into one that is there."
        )
    if isinstance(error, OSError) and code in (errno.ENOSPC, getattr(errno, "EDQUOT", None)):
        where = f" for {error.filename!r}" if error.filename else ""
        return OutOfResources(f"No room is left on the disk{where}.", "Free some space.")
    return None


def _has_current_folder() -> bool:
    try:
        return bool(os.getcwd())  # noqa: PTH109
    except OSError:
        return False


def _of_files() -> OutOfResources:
    return OutOfResources(
        f"Too many files are open: {_file_limit()} are allowed.",
        "Raise the limit, as with 'ulimit -n 256'.",
    )


def _file_limit() -> int:
    """Return how many files this process may have open at once."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _FILES_OF_A_SERVER


def _of_memory() -> OutOfResources:
    most = memory_limit()
    limited = "" if most is None else f": it is limited to {most // _MB:,} MB"
    return OutOfResources(
        f"There is not enough memory{limited}.",
        "Raise the limit, as with 'ulimit -v 1000000'."
        if most is not None
        else "End other programs, or ask about a part of the code base.",
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error with what it came of, groups taken apart."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        current = waiting.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        waiting += [current.__context__, current.__cause__]
        if isinstance(current, BaseExceptionGroup):
            waiting += current.exceptions
