"""Attached changes as a part of a prompt: removed lines, and the numbered lines of now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.llm.redact import redacted
from analysis.llm.secret_files import is_secret_file, is_secret_text
from analysis.modes.scoped_request import may_see
from analysis.workspace.decoding import split_lines

if TYPE_CHECKING:
    from analysis.changes.change_set import ChangedFile, ChangeSet
    from analysis.changes.line_diff import Hunk
    from analysis.modes.job import Job
    from analysis.tools.fences import Fences
    from analysis.tools.prompt_code import PromptCode

# Characters: some twentieth of what a run with a model may read.
_MOST_CHARS = 16_000
_AROUND = 2
_LONGEST_LINE = 300
_LEAST = 300  # characters: less tells nothing of a change
_CUT = "… (cut)"


def shown_changes(changes: ChangeSet, job: Job, fences: Fences) -> list[str]:
    """Return what has changed, as far as it may be shown and fits, and a word on what is left.

    Lines that are gone are cleared of secrets with the whole text in which they stood.
    """
    code = job.code
    parts: list[str] = []
    left = _MOST_CHARS
    not_shown: list[str] = []
    for file in changes.files:
        if not _may_be_shown(file, job):
            continue
        if left < _LEAST:
            not_shown.append(file.path)
            continue
        text = _told(file, code, left)
        left -= len(text)
        parts.append(fences.quoted(f"change of {file.path}{_how(file)}", text))
    if not parts and not not_shown:
        return ["No change that may be shown is attached."]
    since = f" {changes.since}" if changes.since else ""
    said = f"The question is about changes{since}. Lines behind `was|` are gone."
    if not_shown:
        said += f" {len(not_shown)} more changed files did not fit."
    return [said, *parts]


def _may_be_shown(file: ChangedFile, job: Job) -> bool:
    """Return whether a file may be shown under each of its names, as it is and as it was."""
    old_path = file.change.old_path
    if is_secret_file(file.path) or (old_path and is_secret_file(old_path)):
        return False
    if file.old_text and is_secret_text(old_path or file.path, file.old_text):
        return False
    if file.change.kind == "deleted":
        return may_see(job.request, "workspace")
    code = job.code
    return bool(code.allow([file.path])) and (not file.hunks or bool(code.lines(file.path)))


def _how(file: ChangedFile) -> str:
    return {"deleted": ", which is deleted", "new": ", which is new"}.get(file.change.kind, "")


def _told(file: ChangedFile, code: PromptCode, room: int) -> str:
    """Return a file's changes as far as there is room, a word on it if there are no lines."""
    if file.change.kind == "deleted":
        n_lines = len(split_lines(file.old_text or ""))
        return f"{file.path} is deleted; it had {n_lines} lines."
    if not file.hunks:
        return f"{file.path}: {file.change.kind}"
    before = split_lines(redacted(file.old_text or "").text)
    parts: list[str] = []
    for number, hunk in enumerate(file.hunks):
        text, is_whole = _hunk(hunk, before, file.path, code, room)
        parts.append(text)
        room -= len(text) + 1
        if not is_whole or room < _LEAST:
            rest = len(file.hunks) - number - is_whole
            parts += [f"{_CUT}: {rest} of its changes are not shown as a whole"] if rest else []
            break
    return "\n".join(parts)


def _hunk(
    hunk: Hunk, before: list[str], path: str, code: PromptCode, room: int
) -> tuple[str, bool]:
    """Return lines that are gone and those of now, and whether these are all."""
    gone: list[str] = []
    first = hunk.old_start - 1
    for line in before[first : first + len(hunk.old_lines)]:
        # Half of the room is for what there is now.
        if sum(map(len, gone)) + len(line) > room // 2:
            break
        gone.append(f"was| {line[:_LONGEST_LINE]}")
    left = max(room - sum(len(line) + 1 for line in gone), _LEAST)
    start, end = max(hunk.new_start - _AROUND, 1), hunk.new_end + _AROUND
    shown = code.excerpt(path, start, end, left, _LONGEST_LINE)
    is_whole = len(gone) == len(hunk.old_lines) and shown.line_end >= hunk.new_end
    return "\n".join([*gone, *([shown.text] if shown.text else [])]), is_whole
