"""Approvals that hold for ever, in a file of the user's: by code base, tool and receiver."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analysis.calls.approval import ApprovalRequest, covers
from analysis.errors import OutputUnwritable
from analysis.plain_data import json_data
from analysis.workspace.atomic import write_atomically
from analysis.workspace.safe_open import read_named

_MAX_BYTES = 1_000_000


class LastingGrants:
    """The approvals of one code base; what cannot be read grants nothing."""

    def __init__(self, file: Path, code_base: str) -> None:
        """Use a file of approvals.

        Args:
            file: Made when the first approval is kept; delete it to take all of them back.
            code_base: The one name of the code base that approvals are given for.
        """
        self._file = file
        self._code_base = code_base
        self.trouble = ""
        """Why the last approval could not be kept."""

    def allows(self, request: ApprovalRequest) -> bool:
        """Return whether this, or more of the same tool and receiver, was agreed to."""
        return any(covers(granted, request) for granted in self._granted())

    def add(self, request: ApprovalRequest) -> None:
        """Keep that somebody agreed; a file that cannot be written stops nothing."""
        kept = dataclasses.asdict(request)
        entry = {name: kept[name] for name in ("tool", "scopes", "host", "model")}
        everything = self._everything()
        mine = everything.get(self._code_base)
        everything[self._code_base] = [*(mine if isinstance(mine, list) else []), entry]
        try:
            write_atomically(self._file, json.dumps(everything, ensure_ascii=False, indent=2))
        except OutputUnwritable as error:
            self.trouble = f"The approval could not be kept: {error}"

    def _granted(self) -> Iterator[ApprovalRequest]:
        mine = self._everything().get(self._code_base)
        for entry in mine if isinstance(mine, list) else []:
            try:
                yield ApprovalRequest(
                    str(entry["tool"]),
                    tuple(map(str, entry["scopes"])),
                    host=str(entry["host"]),
                    model=str(entry["model"]),
                )
            except (KeyError, TypeError):
                continue

    def _everything(self) -> dict[str, Any]:
        try:
            found = json_data(read_named(self._file, _MAX_BYTES))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
