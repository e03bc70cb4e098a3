"""Several folders as one code base: each under its label, as the first part of every path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.errors import BadInput, NotFound, PathOutsideRoot
from analysis.models import SourceText
from analysis.stopping import StopFlag
from analysis.workspace.buffers import OpenBuffers
from analysis.workspace.classify import SkipReason
from analysis.workspace.files import Loaded, LocalFileBackend, plain_rules
from analysis.workspace.paths import is_file_uri, looks_absolute, near_matches
from analysis.workspace.scan import FileRules, Scan, ScannedFile


class SeveralFolders(LocalFileBackend):
    """Reads the files of several folders; ``back/app.py`` is ``app.py`` in the folder ``back``.

    Each folder keeps its own ignore rules, and nothing outside the folders can be reached. A file
    that lies in two of them, because one folder is inside the other, belongs to the inner one.

    Args:
        folders: The folder for each label; labels are single path parts.
        settings: Which files belong to them.
        buffers: The open files of an editor by labelled path.
    """

    def __init__(
        self,
        folders: Mapping[str, Path],
        settings: FileRules | None = None,
        buffers: OpenBuffers | None = None,
    ) -> None:
        super().__init__(next(iter(folders.values())), settings, buffers)
        self._members = {
            label: LocalFileBackend(root, self.settings) for label, root in folders.items()
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return SeveralFolders, (self._roots(), plain_rules(self.settings))

    @property
    def identity(self) -> str:
        """Every label and folder: other folders have another index."""
        return "\n".join(f"{label}={root}" for label, root in sorted(self._roots().items()))

    def folders(self) -> dict[str, Path]:
        """Return the root of each folder by its label."""
        return self._roots()

    def on_disk(self) -> SeveralFolders:
        """Return the same files as they are on the disk."""
        return SeveralFolders(self._roots(), self.settings)

    def use_settings(self, settings: FileRules) -> None:
        """Choose files by other settings from now on."""
        super().use_settings(settings)
        for member in self._members.values():
            member.use_settings(settings)

    def absolute(self, path: str) -> Path:
        """Return where the file of a labelled path lies."""
        label, _, rest = path.partition("/")
        member = self._members.get(label)
        return member.absolute(rest) if member else self.root / path

    def scan(self, stop: StopFlag | None = None) -> Scan:
        """Return the files of all folders, see ``LocalFileBackend.scan``."""
        scans = {label: member.scan(stop) for label, member in self._members.items()}
        self._last_scan = self._merged(scans)
        return self._last_scan

    def scan_paths(self, paths: Sequence[str]) -> Scan:
        """Return those of the paths that are to be searched."""
        inside: dict[str, list[str]] = {}
        for path in paths:
            label, _, rest = path.partition("/")
            if label in self._members and rest:
                inside.setdefault(label, []).append(rest)
        return self._merged(
            {label: self._members[label].scan_paths(rest) for label, rest in inside.items()}
        )

    def resolve(self, path: str) -> str:
        """Return what somebody wrote as a clean labelled path, see ``LocalFileBackend.resolve``."""
        if looks_absolute(path) or is_file_uri(path):
            return self._resolve_absolute(path)
        label, _, rest = path.strip().replace("\\", "/").removeprefix("./").partition("/")
        if label in ("", "."):
            return ""
        if label == "..":
            raise PathOutsideRoot(f"The path {path!r} leads outside the code base.")
        member = self._members.get(label)
        if member is None:
            return self._resolve_without_label(path)
        return label if not rest else f"{label}/{member.resolve(rest)}".rstrip("/")

    def load(self, path: str) -> Loaded:
        """Return the content of a scanned file for the index, or why it is left out."""
        if self.buffers.get(path) is not None:
            return super().load(path)
        label, _, rest = path.partition("/")
        return replace(self._members[label].load(rest), path=path)

    def read(self, path: str) -> SourceText:
        """Return the text of a file that somebody named; an open buffer wins."""
        clean = self.resolve(path)
        label, _, rest = clean.partition("/")
        if not rest:
            raise BadInput(f"{path or '.'!r} is a folder, not a file.")
        buffer = self.buffers.get(clean)
        if buffer is not None:
            return self._buffer_source(clean, buffer.text)
        return replace(self._members[label].read(rest), path=clean)

    def _roots(self) -> dict[str, Path]:
        return {label: member.root for label, member in self._members.items()}

    def _merged(self, scans: Mapping[str, Scan]) -> Scan:
        """Return several scans as one, every path under its folder's label."""
        files: list[ScannedFile] = []
        skipped: dict[SkipReason, list[str]] = {}
        notes: list[str] = []
        for label, scan in scans.items():
            inner = self._folders_inside(label)
            files += [
                file._replace(path=f"{label}/{file.path}")
                for file in scan.files
                if not file.path.startswith(inner)
            ]
            for reason, paths in scan.skipped.items():
                skipped.setdefault(reason, []).extend(f"{label}/{path}" for path in paths)
            notes += [f"{label}: {note}" for note in scan.notes]
        files.sort(key=lambda file: file.path)
        kept = {reason: tuple(paths) for reason, paths in skipped.items()}
        return Scan(tuple(files), kept, tuple(notes))

    def _folders_inside(self, label: str) -> tuple[str, ...]:
        """Return the paths, in one folder, of the other folders that lie inside it."""
        outer = self._members[label].root
        return tuple(
            other.root.relative_to(outer).as_posix() + "/"
            for name, other in self._members.items()
            if name != label and other.root != outer and other.root.is_relative_to(outer)
        )

    def _resolve_absolute(self, path: str) -> str:
        """Return the labelled path of a file in the innermost folder that holds it."""
        found: list[tuple[int, str]] = []
        error: BadInput | None = None
        for label, member in self._members.items():
            try:
                inside = member.resolve(path)
            except BadInput as problem:
                if not isinstance(problem, PathOutsideRoot) or error is None:
                    error = problem
                continue
            found.append((len(inside), f"{label}/{inside}".rstrip("/")))
        if not found:
            assert error is not None
            raise error
        return min(found)[1]

    def _resolve_without_label(self, path: str) -> str:
        """Return the only file that a path without a label can mean."""
        found = []
        for label, member in self._members.items():
            try:
                found.append(f"{label}/{member.resolve(path)}")
            except NotFound:
                continue
        if len(found) == 1:
            return found[0]
        if found:
            names = " or ".join(repr(name) for name in sorted(found))
            raise BadInput(f"The path {path!r} is in several folders.", f"Write {names}.")
        scan = self._last_scan or self.scan()
        near = near_matches(path, [file.path for file in scan.files])
        hint = f"Did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
        raise NotFound(f"There is no {path!r} in the code base.", hint)
