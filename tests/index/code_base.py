"""A small real code base on the disk, and its index."""

from __future__ import annotations

import os
from pathlib import Path

from analysis.index.code_index import CodeIndex
from analysis.settings import IndexSettings, WorkspaceSettings
from analysis.workspace.buffers import OpenBuffers
from analysis.workspace.files import LocalFileBackend

LONG_AGO_NS = 1_600_000_000_123_456_789
"""A time stamp that leaves no doubt whether the file was read before or after."""


class CodeBase:
    """A folder of files with an index whose file lies beside it."""

    def __init__(self, folder: Path, files: dict[str, str], **settings: object) -> None:
        self.root = folder / "project"
        self.root.mkdir(exist_ok=True)
        self.cache = folder / "cache"
        self.settings = IndexSettings.model_validate({"cache_dir": str(self.cache), **settings})
        self.buffers = OpenBuffers()
        for path, text in files.items():
            self.write(path, text)

    def write(self, path: str, text: str, age: int = 0) -> None:
        """Write a file as if it had been done long ago; a higher age is later."""
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text)
        time_ns = LONG_AGO_NS + age
        os.utime(full, ns=(time_ns, time_ns))

    def remove(self, path: str) -> None:
        (self.root / path).unlink()

    def open(self) -> CodeIndex:
        backend = LocalFileBackend(self.root, WorkspaceSettings(), self.buffers)
        return CodeIndex.open(backend, self.settings)

    def indexed(self) -> CodeIndex:
        index = self.open()
        index.refresh()
        return index


def found(index: CodeIndex, term: str) -> list[str]:
    """Return the paths of the files in whose chunks a term stands, in order."""
    with index.view() as view:
        files, chunks = view.file_table(), view.chunk_table()
        idx = view.postings(term).chunk_idx
        return sorted({files.paths[i] for i in chunks.file_idx[idx].tolist()})
