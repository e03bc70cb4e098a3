"""A line per call of a model in ``.scope/audit.jsonl``: what left the machine, when and to whom."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

from analysis.errors import PathOutsideRoot
from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import Usage
from analysis.workspace.atomic import write_atomically
from analysis.workspace.paths import outside_root
from analysis.workspace.safe_open import append_inside, is_link

_NAME = "audit.jsonl"

_lock = threading.Lock()


class AuditLog:
    """Appends to a code base's log; a log that cannot be written is said, and stops nothing."""

    def __init__(self, root: Path) -> None:
        self._folder = root / ".scope"
        self.trouble = ""
        """Why the last line could not be written."""

    def note(
        self,
        facts: ModelFacts,
        purpose: str,
        usage: Usage | None,
        files: Collection[str],
        outcome: str,
    ) -> None:
        """Append one call; never what was said, never a key."""
        line = {
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "host": facts.host,
            "model": facts.name,
            "purpose": purpose,
            "tokens_in": usage.tokens_in if usage else 0,
            "tokens_out": usage.tokens_out if usage else 0,
            "files": sorted(files),
            "outcome": outcome,
        }
        try:
            self._append(json.dumps(line, ensure_ascii=False) + "\n")
        except PathOutsideRoot:
            self.trouble = "The audit log was not written: its place is a link to another one."
        except OSError as error:
            self.trouble = (
                f"The audit log {str(self._folder / _NAME)!r} could not be written: "
                f"{error.strerror or error}. Make its folder writable to keep one."
            )

    def _append(self, line: str) -> None:
        with _lock:
            self._folder.mkdir(exist_ok=True)
            if is_link(self._folder.lstat()):
                raise outside_root(self._folder.name)
            marker = self._folder / ".gitignore"
            if not marker.exists():
                write_atomically(marker, "*\n")
            root = os.path.realpath(self._folder.parent)
            append_inside(root, f"{self._folder.name}/{_NAME}", line.encode())
