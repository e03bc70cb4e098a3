"""The workspace's folders: one engine each, and which of them a document belongs to."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from analysis.engine import Engine
from analysis.errors import BadInput, PathOutsideRoot
from analysis.events import StopFlag
from analysis.settings import Settings
from analysis.workspace.buffers import OpenBuffers
from analysis.workspace.paths import path_from_uri, relative_path


@dataclass(slots=True)
class Folder:
    """One workspace folder and its engine."""

    uri: str
    label: str
    """Name in the workspace; unique, and put before paths when there are several folders."""
    root: Path
    buffers: OpenBuffers
    engine: Engine
    stop: StopFlag = field(default_factory=StopFlag)
    """Set when the folder leaves the workspace or the server shuts down."""


class Folders:
    """The open workspace folders, in the order in which they were added."""

    def __init__(self) -> None:
        self._by_uri: dict[str, Folder] = {}

    def all(self) -> list[Folder]:
        """Return every folder."""
        return list(self._by_uri.values())

    def add(self, uri: str, name: str, settings: Settings) -> Folder | None:
        """Open a folder; None if it is not on this machine's disk or is there already."""
        if uri in self._by_uri:
            return None
        try:
            root = path_from_uri(uri)
        except BadInput:
            return None
        if not root.is_dir():
            return None
        buffers = OpenBuffers()
        folder = Folder(
            uri=uri,
            label=self._unique_label(name or root.name),
            root=root,
            buffers=buffers,
            engine=Engine.open(root, settings, buffers),
        )
        self._by_uri[uri] = folder
        return folder

    def remove(self, uri: str) -> Folder | None:
        """Close a folder; work on it is told to stop."""
        folder = self._by_uri.pop(uri, None)
        if folder is not None:
            folder.stop.set()
        return folder

    def find(self, uri: str) -> tuple[Folder, str] | None:
        """Return the innermost folder that holds a document, and the document's path in it."""
        try:
            path = path_from_uri(uri)
        except BadInput:
            return None
        best: tuple[Folder, str] | None = None
        for folder in self._by_uri.values():
            try:
                relative = relative_path(folder.root, str(path))
            except PathOutsideRoot:
                continue
            if best is None or len(relative) < len(best[1]):
                best = (folder, relative)
        return best

    def _unique_label(self, name: str) -> str:
        taken = {folder.label for folder in self._by_uri.values()}
        label, count = name, 2
        while label in taken:
            label, count = f"{name}-{count}", count + 1
        return label
