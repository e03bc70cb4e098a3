"""Runs kept below ``.scope/runs``: a file per step, so that a killed run can go on and be watched.

A run is a folder. ``run.json`` holds what was asked; each step that ended adds a numbered file with
the whole state after it, written atomically; ``end.json`` says how the run ended. Whoever works on
a run holds its lock, which the system lets go of when he is killed. Secrets are struck out of all
that is written, as they are of what is sent.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import re
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.errors import BadInput, OutputUnwritable
from analysis.llm.redact import redacted
from analysis.models import AskRequest, Position
from analysis.workspace.atomic import write_atomically

if TYPE_CHECKING:
    from filelock import BaseFileLock

VERSION = 1
LAST = "last"
"""Stands for the newest run."""
_KEPT = 20
_NAME = re.compile(r"\d{8}-\d{6}-[0-9a-f]{4}")
_NUMBERED = re.compile(r"\d{4,}\.json")
_MAX_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Visit:
    """One step that ended."""

    number: int
    node: str
    next: str
    reason: str
    """Why ``next`` follows."""
    usage: dict[str, int]
    """``llm_calls``, ``tokens_in`` and ``tokens_out`` of the run so far."""
    state: dict[str, Any]
    at: str = ""
    """When it ended, UTC."""


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run as it lies on the disk."""

    name: str
    folder: Path

    @property
    def request(self) -> AskRequest:
        """The question, to go on with.

        Raises:
            BadInput: It cannot be read.
        """
        raw = self._read("run.json")
        asked = dict(raw.get("request", {}))
        if raw.get("version") != VERSION or not isinstance(asked.get("question"), str):
            raise _unreadable(self.name)
        if asked.get("location"):
            asked["location"] = Position(**asked["location"])
        try:
            return dataclasses.replace(AskRequest(**asked), resume=self.name)
        except TypeError as error:
            raise _unreadable(self.name) from error

    @property
    def stop_reason(self) -> str | None:
        """How the run ended; None if it did not."""
        if not (self.folder / "end.json").is_file():
            return None
        return str(self._read("end.json").get("stop_reason"))

    @property
    def is_running(self) -> bool:
        """Whether some process works on it now."""
        from filelock import Timeout

        try:
            with _lock(self.folder):
                return False
        except (Timeout, OSError):
            return True

    def visits(self, after: int = -1) -> Iterator[Visit]:
        """Yield the steps that ended, in order.

        Args:
            after: Only those with a greater number.
        """
        for number in self.numbers():
            if number > after:
                yield self.visit(number)

    def numbers(self) -> list[int]:
        """Return the numbers of the steps that ended, in order."""
        names = [entry.name for entry in _entries(self.folder)]
        return sorted(int(Path(name).stem) for name in names if _NUMBERED.fullmatch(name))

    def visit(self, number: int) -> Visit:
        """Return a step that ended.

        Raises:
            BadInput: It cannot be read.
        """
        raw = self._read(_file_name(number))
        try:
            return Visit(number, **raw)
        except TypeError as error:
            raise _unreadable(self.name) from error

    def _read(self, name: str) -> dict[str, Any]:
        path = self.folder / name
        try:
            if path.is_symlink() or path.stat().st_size > _MAX_BYTES:
                raise _unreadable(self.name)
            data = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise _unreadable(self.name) from error
        if not isinstance(data, dict):
            raise _unreadable(self.name)
        return data


class RunLog:
    """Writes a run down while it goes on; a disk that takes nothing is said, and stops nothing."""

    def __init__(self, run: SavedRun, lock: BaseFileLock) -> None:
        self.run = run
        self.trouble = ""
        """Why the last step could not be kept; empty if it was."""
        self._lock = lock
        self._clean: dict[str, str] = {}

    def note(self, visit: Visit) -> None:
        """Keep a step that ended."""
        data = {f.name: getattr(visit, f.name) for f in dataclasses.fields(visit)}
        del data["number"]
        self._write(_file_name(visit.number), data | {"at": _now().isoformat(timespec="seconds")})

    def end(self, stop_reason: str) -> None:
        """Keep how the run ended."""
        self._write("end.json", {"stop_reason": stop_reason})

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
    parent = _parent(root)
    name = f"{_now().strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
    run = SavedRun(name, parent / name)
    try:
        if parent.is_symlink() or parent.parent.is_symlink():
            raise OutputUnwritable("The run cannot be resumed: its place is a link to another one.")
        run.folder.mkdir(parents=True)
        marker = root / ".scope" / ".gitignore"
        if not marker.exists():
            write_atomically(marker, "*\n")
        lock = _lock(run.folder)
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
    if run.stop_reason == "done":
        raise BadInput(f"The run {run.name!r} went to its end.", "Ask the question again.")
    lock = _lock(run.folder)
    try:
        lock.acquire()
    except (Timeout, OSError) as error:
        raise BadInput(
            f"The run {run.name!r} is going on in another process.",
            f"Look at it with 'scope watch {run.name}'.",
        ) from error
    log = RunLog(run, lock)
    log.begin(run.request)
    return log


def saved_runs(root: Path) -> list[SavedRun]:
    """Return the runs that are kept for a code base, newest first."""
    names = [entry.name for entry in _entries(_parent(root)) if entry.is_dir()]
    names = sorted((name for name in names if _NAME.fullmatch(name)), reverse=True)
    return [SavedRun(name, _parent(root) / name) for name in names]


def saved_run(root: Path, name: str) -> SavedRun:
    """Return a run by its name, the beginning of it, or ``last``.

    Raises:
        BadInput: There is no such run, or several.
    """
    runs = saved_runs(root)
    found = runs[:1] if name == LAST else [run for run in runs if run.name.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(f"Several runs begin with {name!r}.", f"The newest is {found[0].name!r}.")
    known = f"There are: {', '.join(run.name for run in runs[:5])}." if runs else ""
    raise BadInput(
        f"There is no run {name!r} of {str(root)!r}.",
        known or "Runs of plan mode are kept; ask with '--mode plan'.",
    )


def _prune(root: Path) -> None:
    """Remove the oldest runs; not one that a process works on."""
    for run in saved_runs(root)[_KEPT:]:
        if not run.is_running:
            shutil.rmtree(run.folder, ignore_errors=True)


def _entries(folder: Path) -> list[Path]:
    if folder.is_symlink() or folder.parent.is_symlink():
        return []
    try:
        return [entry for entry in folder.iterdir() if not entry.is_symlink()]
    except OSError:
        return []


def _lock(folder: Path) -> BaseFileLock:
    from filelock import FileLock

    return FileLock(folder / "lock", timeout=0, thread_local=False)


def _parent(root: Path) -> Path:
    return root / ".scope" / "runs"


def _file_name(number: int) -> str:
    return f"{number:04}.json"


def _now() -> datetime:
    return datetime.now(UTC)


def _unreadable(name: str) -> BadInput:
    return BadInput(f"The run {name!r} cannot be read.", "Ask the question again.")
