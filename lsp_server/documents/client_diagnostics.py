"""Which diagnostics the client has, so that it is told each thing once."""

from __future__ import annotations

import asyncio


class ClientDiagnostics:
    """Which diagnostics were pushed, and whether the client asks for them itself."""

    def __init__(self) -> None:
        self.pushed: set[str] = set()
        """Documents, by URI, with diagnostics that were pushed."""
        self.pulls_all = False
        """Whether the client asks for the diagnostics of the whole workspace."""
        self.changed = asyncio.Event()
        """Set at the next change; then another one takes its place."""

    def change(self) -> None:
        """Wake whoever waits for a change."""
        self.changed.set()
        self.changed = asyncio.Event()
