"""Where what is done to a program happens."""

from __future__ import annotations

from pathlib import Path


class Places:
    """A folder with a code base and a home of its own."""

    folder: Path

    @property
    def root(self) -> Path:
        return self.folder / "shop-root"

    @property
    def home(self) -> Path:
        return self.folder / "home"
