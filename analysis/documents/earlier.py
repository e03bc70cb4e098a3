"""The document that a question follows up on: what it asked, where it is, the link to it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from analysis.documents.markdown import link

if TYPE_CHECKING:
    from analysis.documents.parts import OutputTarget


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier document."""

    question: str
    path: Path
    """Absolute."""

    def target(self, output: OutputTarget) -> str:
        """Return the link to it from a document that goes there: relative where it can be."""
        folder = os.path.realpath(output.folder or output.root)
        try:
            relative = os.path.relpath(os.path.realpath(self.path), folder)
        except ValueError:  # On another drive.
            return self.path.as_uri()
        return quote(Path(relative).as_posix())

    def line(self, output: OutputTarget) -> str:
        """Return the line below the title that leads back to it."""
        named = self.question or self.path.name
        end = "" if named.endswith(("?", ".", "!")) else "."
        return f"Follows up on {link(named, self.target(output))}{end}\n\n"
