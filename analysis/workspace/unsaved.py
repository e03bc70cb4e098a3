"""Which open files hold something that was not saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.errors import ScopeError

if TYPE_CHECKING:
    from analysis.workspace.files import LocalFileBackend


def unsaved_files(files: LocalFileBackend) -> frozenset[str]:
    """Return the open files whose text is not the one on the disk; reads each of them."""
    return frozenset(path for path in files.buffers.snapshot() if is_unsaved(files, path))


def is_unsaved(files: LocalFileBackend, path: str) -> bool:
    """Return whether a file is open with a text that is not the one on the disk; reads it."""
    buffer = files.buffers.get(path)
    if buffer is None:
        return False
    try:
        saved = files.on_disk().read(path).text
    except ScopeError:
        return True
    return _plain(saved) != _plain(buffer.text)


def _plain(text: str) -> str:
    """Return a text without the line ends that an editor and a file may differ in."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
