"""The files of a commit as they may leave the machine: without secrets and files of secrets."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.llm.redact import redacted
from analysis.llm.secret_files import is_secret_file
from analysis.workspace.buffers import OpenBuffers
from analysis.workspace.files import Loaded, LocalFileBackend
from analysis.workspace.git import run_git

if TYPE_CHECKING:
    from analysis.settings import WorkspaceSettings
    from analysis.stopping import StopFlag
    from analysis.workspace.scan import FileRules, Scan


class ClearedFiles(LocalFileBackend):
    """Reads the files of a commit with every secret struck out, as prompts show them.

    What git does not track is not there, nor what it ignores, whatever the settings say. An index
    over these files holds nothing of a secret: no word of it was ever read into it. It is kept
    apart from the index that answers on this machine.
    """

    def __init__(
        self,
        root: Path,
        settings: FileRules | None = None,
        buffers: OpenBuffers | None = None,
    ) -> None:
        super().__init__(root, settings, buffers)
        self._struck_out: dict[str, tuple[str, ...]] = {}

    @property
    def identity(self) -> str:
        """The code base's name as that of what may leave: it has an index of its own."""
        return f"{super().identity}\ncleared"

    def on_disk(self) -> ClearedFiles:
        """Return the same files as they are on the disk."""
        return ClearedFiles(self.root, self.settings)

    def scan(self, stop: StopFlag | None = None) -> Scan:
        """Return the files that may leave; see ``LocalFileBackend.scan``."""
        return self._allowed(super().scan(stop))

    def scan_paths(self, paths: Sequence[str]) -> Scan:
        """Return those of the paths that may leave."""
        return self._allowed(super().scan_paths(paths))

    def load(self, path: str) -> Loaded:
        """Return a file's text without its secrets; every line stays where it was."""
        loaded = super().load(path)
        if loaded.source is None or is_secret_file(path):
            return replace(loaded, source=None)
        clean = redacted(loaded.source.text)
        self._struck_out[path] = clean.kinds
        return replace(loaded, source=replace(loaded.source, text=clean.text))

    def struck_out(self, path: str) -> tuple[str, ...]:
        """Return the kinds of secrets that a file's text has lost; reads it if that is new."""
        if path not in self._struck_out:
            self.load(path)
        return self._struck_out.get(path, ())

    def secret_files(self) -> tuple[str, ...]:
        """Return the tracked files that are left out for what such files hold."""
        tracked = self._tracked()
        return tuple(sorted(path for path in tracked if is_secret_file(path)))

    def _allowed(self, scan: Scan) -> Scan:
        tracked = self._tracked()
        files = (f for f in scan.files if f.path in tracked and not is_secret_file(f.path))
        return replace(scan, files=tuple(files))

    def _tracked(self) -> frozenset[str]:
        listed = run_git(["ls-files", "-z"], self.root).stdout
        return frozenset(os.fsdecode(path) for path in listed.split(b"\0"))


def cleared_files(root: Path, settings: WorkspaceSettings) -> ClearedFiles:
    """Return the files of a code base that may leave; what is ignored never does."""
    return ClearedFiles(root, settings.model_copy(update={"include_ignored": ()}))
