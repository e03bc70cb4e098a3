"""Bytes that an editor sends: framed as the protocol says, or nearly so, or not at all."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import BinaryIO

logger = logging.getLogger(__name__)

_LARGEST_MESSAGE = 1 << 28
"""Bytes; editors send whole files, and none of that size."""
_LONGEST_HEADER = 1 << 16
# After a body whose length was not told the next header stands on the same line.
_LENGTH = re.compile(rb"(?i)content-length[ \t]*:[ \t]*(\d{1,12})[ \t]*\r?\n?$")


class WatchedInput:
    """The input of the protocol, that tells when the editor has closed it.

    An editor that is killed sends no ``shutdown``; work in threads would otherwise go on to its
    end, and keep this process alive so long. Headers are handed on as pygls wants them, however
    they were written; what stands in the way of one is passed over.
    """

    def __init__(self, stream: BinaryIO, on_end: Callable[[], None]) -> None:
        self._stream = stream
        self._on_end = on_end

    def readline(self) -> bytes:
        """Return the next line of a header; nothing at the end."""
        line = self._watched(self._stream.readline(_LONGEST_HEADER))
        length = _LENGTH.search(line)
        if length is not None:
            return b"Content-Length: %d\r\n" % int(length[1])
        # Anything else is no length to pygls, also one of a thousand digits.
        return line if not line.strip() else b"Ignored: yes\r\n"

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes; fewer at the end, none of a message that is too large."""
        if size > _LARGEST_MESSAGE:
            logger.error("A message of %d bytes cannot be read; ending.", size)
            return self._watched(b"")
        return self._watched(self._stream.read(size))

    def _watched(self, data: bytes) -> bytes:
        if not data:
            self._on_end()
        return data
