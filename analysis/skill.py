"""The skill for coding agents: where it lies in the program, and how it gets to where agents look.

An installed copy ends with a comment that carries a hash of the text above it. So a copy of an
older version is renewed, and one that somebody has changed is not.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from analysis.errors import OutputUnwritable

NAME = "scope-codebase"
_FILE = "SKILL.md"
_SEAL = re.compile(r"\n<!-- Installed by scope: ([0-9a-f]{16}) -->\n\Z")

# Claude Code reads its own folder only. Codex, Gemini CLI, Cursor, GitHub Copilot, OpenCode and
# others share the second one, which is the convention of agentskills.io.
_FOLDERS = {"claude": ".claude/skills", "others": ".agents/skills"}

_LARGEST = 1_000_000  # bytes of a copy

State = Literal["installed", "unchanged", "updated", "replaced", "kept"]


@dataclass(frozen=True, slots=True)
class Installed:
    """What became of one copy of the skill."""

    path: str
    state: State
    """``kept``: changed by hand, not touched; ``replaced``: was changed by hand, is ours now."""


def skill_text() -> str:
    """Return the skill as this version of the program has it."""
    here = Path(__file__).resolve().parent
    # In a wheel the skills lie inside the package, in a checkout beside it.
    for skills in (here / "skills", here.parent / "skills"):
        path = skills / NAME / _FILE
        if path.is_file():
            return path.read_text("utf-8")
    raise OutputUnwritable("The skill is missing from this installation.", "Install Scope again.")


def default_folders(base: Path, agents: str) -> list[Path]:
    """Return the folders below ``base`` in which agents look for skills.

    Args:
        base: A project or the home folder.
        agents: ``claude``, ``others`` or ``all``.
    """
    return [base / folder for name, folder in _FOLDERS.items() if agents in (name, "all")]


def install_skill(folder: Path, *, force: bool = False) -> Installed:
    """Put the skill into a folder of skills.

    Args:
        folder: A folder of skills, or already that of this skill.
        force: Replace a copy that was changed by hand.

    Raises:
        OutputUnwritable: It cannot be written.
    """
    from analysis.workspace.atomic import write_atomically

    path = (folder if folder.name == NAME else folder / NAME) / _FILE
    text = _sealed(skill_text())
    state = _state(path, text, force=force)
    if state in ("installed", "updated", "replaced"):
        write_atomically(path, text)
    return Installed(str(path), state)


def _state(path: Path, text: str, *, force: bool) -> State:
    """Return what is to be done about a copy."""
    from analysis.workspace.safe_open import read_named

    if not path.exists() and not path.is_symlink():
        return "installed"
    try:
        present = read_named(path, _LARGEST).decode().replace("\r\n", "\n")
    except (OSError, ValueError):
        present = ""
    if present == text:
        return "unchanged"
    if _is_ours(present):
        return "updated"
    return "replaced" if force else "kept"


def _sealed(text: str) -> str:
    """Return the text with its hash."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return f"{text}\n<!-- Installed by scope: {digest} -->\n"


def _is_ours(present: str) -> bool:
    """Return whether a copy is as some version of the program wrote it."""
    match = _SEAL.search(present)
    return match is not None and _sealed(present[: match.start()]) == present
