"""Runs kept below ``.scope/runs``, as they are read: a file per step.

A run is a folder. ``run.json`` holds what was asked; each step that ended adds a numbered file with
the whole state after it, written atomically; ``end.json`` says how the run ended. Whoever works on
a run holds its lock, which the system lets go of when he is killed. Secrets are struck out of all
that is written, as they are of what is sent.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from analysis.errors import BadInput
from analysis.models import AskRequest
from analysis.workspace.safe_open import read_named

if TYPE_CHECKING:
    from filelock import BaseFileLock

VERSION = 1
LAST = "last"
"""Stands for the newest run."""
_NAME = re.compile(r"\d{8}-\d{6}-\d{6}")
_NUMBERED = re.compile(r"\d{4,}\.json")
_MAX_BYTES = 50_000_000
_MODE = "plan"
_Kind = TypeVar("_Kind")


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
    is_limit: bool = False
    """Whether a limit decided on ``next``."""
    at: str = ""
    """When it ended, UTC."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended."""

    stop_reason: str
    usage: dict[str, int]
    """As of a step, with the call for the document."""


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
        if raw.get("version") != VERSION:
            raise _unreadable(self.name)
        request = _made(AskRequest, raw.get("request"), self.name)
        return dataclasses.replace(request, mode=_MODE, resume=self.name)

    @property
    def ending(self) -> Ending | None:
        """How the run ended; None if it did not."""
        if not (self.folder / "end.json").is_file():
            return None
        return _made(Ending, self._read("end.json"), self.name)

    @property
    def stop_reason(self) -> str | None:
        """The word for how the run ended; None if it did not."""
        return self.ending.stop_reason if self.ending else None

    @property
    def is_running(self) -> bool:
        """Whether some process works on it now."""
        from filelock import Timeout

        try:
            with lock_of(self.folder):
                return False
        except Timeout:
            return True
        except OSError:
            return False  # Nobody can hold what is no lock.

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
        return _made(Visit, {**self._read(file_name(number)), "number": number}, self.name)

    def _read(self, name: str) -> dict[str, Any]:
        path = self.folder / name
        try:
            if path.is_symlink():
                raise _unreadable(self.name)
            data = json.loads(read_named(path, _MAX_BYTES))
        except (OSError, ValueError, RecursionError) as error:
            raise _unreadable(self.name) from error
        if not isinstance(data, dict):
            raise _unreadable(self.name)
        return data


def saved_runs(root: Path) -> list[SavedRun]:
    """Return the runs that are kept for a code base, newest first."""
    names = [entry.name for entry in _entries(runs_folder(root)) if entry.is_dir()]
    names = sorted((name for name in names if _NAME.fullmatch(name)), reverse=True)
    return [SavedRun(name, runs_folder(root) / name) for name in names]


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


def _entries(folder: Path) -> list[Path]:
    if folder.is_symlink() or folder.parent.is_symlink():
        return []
    try:
        return [entry for entry in folder.iterdir() if not entry.is_symlink()]
    except OSError:
        return []


def lock_of(folder: Path) -> BaseFileLock:
    """Return the lock of a run's folder; the system lets go of it when its holder dies."""
    from filelock import FileLock

    return FileLock(folder / "lock", timeout=0, thread_local=False)


def runs_folder(root: Path) -> Path:
    """Return where the runs of a code base are kept."""
    return root / ".scope" / "runs"


def file_name(number: int) -> str:
    """Return the name of a step's file."""
    return f"{number:04}.json"


def _made(kind: type[_Kind], data: Any, name: str) -> _Kind:
    """Return data of a file as what it should be: it may lie in a repository of strangers."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_python(data)
    except ValidationError as error:
        raise _unreadable(name) from error


def _unreadable(name: str) -> BadInput:
    return BadInput(f"The run {name!r} cannot be read.", "Ask the question again.")
