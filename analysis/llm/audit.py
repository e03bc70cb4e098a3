"""A line per call of a model in ``.scope/audit.jsonl``: what left the machine, when and to whom."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import Usage
from analysis.workspace.atomic import write_atomically

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
            self._append(json.dumps(line, ensure_ascii=False))
        except OSError as error:
            self.trouble = (
                f"The audit log {str(self._folder / 'audit.jsonl')!r} could not be written: "
                f"{error.strerror or error}. Make its folder writable to keep one."
            )

    def _append(self, line: str) -> None:
        if self._folder.is_symlink() or (self._folder / "audit.jsonl").is_symlink():
            self.trouble = "The audit log was not written: its place is a link to another one."
            return
        with _lock:
            self._folder.mkdir(exist_ok=True)
            marker = self._folder / ".gitignore"
            if not marker.exists():
                write_atomically(marker, "*\n")
            with (self._folder / "audit.jsonl").open("a", encoding="utf-8") as stream:
                stream.write(line + "\n")
