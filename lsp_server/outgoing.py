"""What is sent to an editor, which may go away without a word."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from typing import BinaryIO

logger = logging.getLogger(__name__)


class WatchedOutput:
    """The output of the protocol, that tells when the editor no longer reads.

    After that nothing is sent, and nothing fails; pygls would take it for an error, of every
    message anew.
    """

    def __init__(self, stream: BinaryIO, on_gone: Callable[[], None]) -> None:
        self._stream = stream
        self._on_gone = on_gone
        self._is_gone = False

    def write(self, data: bytes) -> int:
        """Send a message; one to an editor that has gone is dropped."""
        if not self._is_gone:
            try:
                self._stream.write(data)
                self._stream.flush()
            except BrokenPipeError:
                self._is_gone = True
                logger.info("The editor no longer reads; ending.")
                self._on_gone()
        return len(data)

    def flush(self) -> None:
        """Do nothing: each message is sent at once."""

    def close(self) -> None:
        """Close what is written to."""
        with contextlib.suppress(BrokenPipeError):
            self._stream.close()
