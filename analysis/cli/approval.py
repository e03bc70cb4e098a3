"""Asks at the terminal before code leaves the machine or a tool runs."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis.cli.console import is_terminal, say
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.calls import ApprovalRequest, Approver, Decision
    from analysis.cli.progress import ProgressLine

_ANSWERS: dict[str, Decision] = {"o": "once", "s": "session", "a": "always", "d": "deny"}
_CHOICES = "[o]nce, this [s]ession, [a]lways for this code base, or [d]eny? "
_FILES_SHOWN = 8
# A run may be stopped while somebody thinks: this bounds how late that is seen.
_POLL_S = 0.1


def terminal_approver(progress: ProgressLine) -> Approver | None:
    """Return who asks the person at the terminal; None if there is nobody to ask.

    Args:
        progress: Set aside while a question is on the screen.
    """
    if not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        return None

    async def ask(request: ApprovalRequest) -> Decision:
        given_up = StopFlag()
        with progress.set_aside():
            try:
                return await asyncio.to_thread(_asked, request, given_up)
            finally:
                given_up.set()  # The thread may still wait for a line.

    return ask


def _asked(request: ApprovalRequest, given_up: StopFlag) -> Decision:
    """Show a question until it is answered; no answer at all is a no."""
    for line in question(request):
        say(line)
    _drop_typed_ahead()
    while True:
        sys.stderr.write(_CHOICES)
        sys.stderr.flush()
        typed = _line(given_up)
        if typed is None:
            return "deny"
        answer = typed.strip().lower()[:1] or "d"
        if answer in _ANSWERS:
            return _ANSWERS[answer]


def question(request: ApprovalRequest) -> Iterator[str]:
    """Yield the lines of a question: what, with how much of what, and where it goes."""
    if not request.model:
        yield f"May the model call the tool {request.tool!r}?"
        yield f"  sees    {', '.join(request.scopes) or 'nothing of yours'}"
        return
    yield "May this be sent to a model?"
    yield f"  model   {request.model} at {request.host}"
    yield f"  scopes  {', '.join(request.scopes)}"
    files = f"of {len(request.files)} files" if request.files else "no text of any file yet"
    yield f"  size    about {request.tokens:,} tokens, {files}"
    for path in request.files[:_FILES_SHOWN]:
        yield f"          {path}"
    if len(request.files) > _FILES_SHOWN:
        yield f"          and {len(request.files) - _FILES_SHOWN} more"


def _drop_typed_ahead() -> None:
    """Forget what was typed before the question was there: it is no answer to it."""
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def _line(given_up: StopFlag) -> str | None:
    """Return the next line that is typed; None at the end of the input or when given up."""
    return _typed_windows(given_up) if sys.platform == "win32" else _typed(given_up)


def _typed(given_up: StopFlag) -> str | None:
    """Wait for a line without holding up a run that is stopped meanwhile."""
    import select

    source = sys.stdin.fileno()
    while not given_up.is_set():
        if select.select([source], [], [], _POLL_S)[0]:
            read = os.read(source, 1024)  # A terminal gives whole lines.
            return read.decode(errors="replace") if read else None
    return None


def _typed_windows(given_up: StopFlag) -> str | None:
    """Wait for a key, as consoles there cannot be waited for."""
    if sys.platform == "win32":
        import msvcrt
        import time

        while not given_up.is_set():
            if msvcrt.kbhit():
                return msvcrt.getwche()
            time.sleep(_POLL_S)
    return None
