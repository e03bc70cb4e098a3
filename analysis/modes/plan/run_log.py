"""Writes runs below ``.scope/runs`` while they go on, so that they can go on after a kill.

Secrets are struck out of all that is written, as they are of what is sent.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.errors import BadInput, OutputUnwritable
from analysis.llm.redact import redacted
from analysis.modes.plan.saved_runs import (
    VERSION,
    Ending,
    SavedRun,
    Visit,
    file_name,
    lock_of,
    runs_folder,
    saved_run,
    saved_runs,
)
from analysis.workspace.atomic import write_atomically

if TYPE_CHECKING:
    from filelock import BaseFileLock

    from analysis.models import AskRequest

_KEPT = 20


class RunLog:
    """Writes a run down while it goes on; a disk that takes nothing is said, and stops nothing."""

    def __init__(self, run: SavedRun, lock: BaseFileLock, ended: Ending | None = None) -> None:
        self.run = run
        self.ended = ended
        """How the run had ended before it was taken up again; None if it had not."""
        self.trouble = ""
        """Why the last step could not be kept; empty if it was."""
        self._lock = lock
        self._clean: dict[str, str] = {}

    def note(self, visit: Visit) -> None:
        """Keep a step that ended."""
        data = {f.name: getattr(visit, f.name) for f in dataclasses.fields(visit)}
        del data["number"]
        self._write(file_name(visit.number), data | {"at": _now().isoformat(timespec="seconds")})

    def end(self, ending: Ending) -> None:
        """Keep how the run ended."""
        self._write("end.json", dataclasses.asdict(ending))

    def close(self) -> None:
        """Let others work on the run."""
        self._lock.release()

    def begin(self, request: AskRequest) -> None:
        """Keep what was asked; a run that goes on has no end any more."""
        with contextlib.suppress(OSError):
            (self.run.folder / "end.json").unlink(missing_ok=True)
        if not (self.run.folder / "run.json").is_file():
            asked = dataclasses.asdict(dataclasses.replace(request, resume=None))
            self._write("run.json", {"version": VERSION, "request": asked})

    def _write(self, name: str, data: Any) -> None:
        text = json.dumps(self._cleared(data), ensure_ascii=False, indent=1)
        try:
            write_atomically(self.run.folder / name, text + "\n")
        except OutputUnwritable as error:
            self.trouble = f"The run cannot be resumed: {error.message}"

    def _cleared(self, data: Any) -> Any:
        """Return data without secrets; most of a state stays the same from step to step."""
        if isinstance(data, str):
            if data not in self._clean:
                self._clean[data] = redacted(data).text
            return self._clean[data]
        if isinstance(data, dict):
            return {self._cleared(key): self._cleared(value) for key, value in data.items()}
        if isinstance(data, list | tuple):
            return [self._cleared(item) for item in data]
        return data


def new_log(root: Path, request: AskRequest) -> RunLog:
    """Begin to keep a run; the oldest ones beyond twenty are removed.

    Raises:
        OutputUnwritable: Nothing can be kept there.
    """
    parent = runs_folder(root)
    name = _now().strftime("%Y%m%d-%H%M%S-%f")
    run = SavedRun(name, parent / name)
    try:
        if parent.is_symlink() or parent.parent.is_symlink():
            raise OutputUnwritable("The run cannot be resumed: its place is a link to another one.")
        run.folder.mkdir(parents=True)
        marker = root / ".scope" / ".gitignore"
        if not marker.exists():
            write_atomically(marker, "*\n")
        lock = lock_of(run.folder)
        lock.acquire()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise OutputUnwritable(f"The run cannot be resumed, it is not kept: {reason}.") from error
    _prune(root)
    log = RunLog(run, lock)
    log.begin(request)
    return log


def reopened(root: Path, name: str) -> RunLog:
    """Go on with a run.

    Raises:
        BadInput: There is no such run, it went to its end, or another process works on it.
    """
    from filelock import Timeout

    run = saved_run(root, name)
    ended = run.ending
    if ended is not None and ended.stop_reason == "done":
        raise BadInput(f"The run {run.name!r} went to its end.", _others(root))
    lock = lock_of(run.folder)
    try:
        lock.acquire()
    except (Timeout, OSError) as error:
        raise BadInput(
            f"The run {run.name!r} is going on in another process.",
            f"Look at it with 'scope watch {run.name}'.",
        ) from error
    log = RunLog(run, lock, ended)
    log.begin(run.request)
    return log


def _others(root: Path) -> str:
    """Return which runs could go on instead."""
    names = [run.name for run in saved_runs(root) if run.stop_reason != "done"]
    return f"Runs that can go on: {', '.join(names[:5])}." if names else "Ask the question again."


def _prune(root: Path) -> None:
    """Remove the oldest runs; not one that a process works on."""
    for run in saved_runs(root)[_KEPT:]:
        if not run.is_running:
            shutil.rmtree(run.folder, ignore_errors=True)


def _now() -> datetime:
    return datetime.now(UTC)
