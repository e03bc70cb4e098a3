"""The files of one code base: which ones there are, and what is in them. Never outside the root."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.errors import BadInput, NotFound, ScopeError
from analysis.file_tree import FileTree
from analysis.models import SourceText
from analysis.stopping import StopFlag
from analysis.workspace.buffers import OpenBuffers
from analysis.workspace.classify import SkipReason, classify, is_binary, is_gits_own
from analysis.workspace.decoding import (
    decode,
    normalize_newlines,
    split_lines,
    without_surrogates,
)
from analysis.workspace.notebooks import flatten_notebook, is_notebook
from analysis.workspace.paths import (
    is_file_uri,
    looks_absolute,
    near_matches,
    outside_root,
    path_from_uri,
    relative_path,
)
from analysis.workspace.root import real_folder
from analysis.workspace.safe_open import read_inside
from analysis.workspace.scan import (
    NOTEBOOK_LIMIT,
    FileRules,
    PlainRules,
    Scan,
    scan_root,
    search_limit,
)
from analysis.workspace.tree import is_below, tree_of

# A file that is read because somebody asked for it may be larger than what is searched.
_LARGEST_READ = 20_000_000
_TREE_ENTRIES = 2000
_MOST_JUDGED = 1000  # files; to read them takes a tenth of a second


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file's content for the index: its text, or why it has none."""

    path: str
    source: SourceText | None
    """The text; None if the file is left out."""
    skip: SkipReason | None
    """Why the file is left out; None if it is not."""
    size: int
    """Bytes on the disk of the very content that was read; of an open buffer its length."""
    mtime_ns: int
    """Of the very content that was read; 0 for an open buffer."""


class LocalFileBackend:
    """Reads the files below a root; nothing outside it can be reached through it.

    Two ways of reading share one contract. The index calls ``scan()``, which stats files and reads
    none, and ``load()`` for each file that is new or whose size or ``mtime_ns`` changed: ``load``
    judges the content (binary, generated, minified) and returns the reason instead of a text. So
    an unchanged code base is scanned without reading a file. ``read()`` is for a file that somebody
    named: it reads what ``load`` would leave out, but never what is not text.

    Args:
        root: Folder of the code base.
        settings: Which files belong to it.
        buffers: The open files of an editor, which win over the disk.

    Raises:
        NotFound: The root does not exist.
        BadInput: The root is not a folder.
    """

    def __init__(
        self,
        root: Path,
        settings: FileRules | None = None,
        buffers: OpenBuffers | None = None,
    ) -> None:
        self.root = real_folder(root)
        self.settings = settings or _usual_rules()
        self.buffers = buffers if buffers is not None else OpenBuffers()
        self._given_root = Path(os.path.abspath(root))  # noqa: PTH100 (as the user wrote it)
        self._last_scan: Scan | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy in another process reads the disk: an editor's buffers are here only.
        return type(self), (self.root, plain_rules(self.settings))

    @property
    def identity(self) -> str:
        """The code base's one name, by which its index is found."""
        return os.path.normcase(str(self.root))

    def folders(self) -> dict[str, Path]:
        """Return the root of each folder by its label; of a single folder the label is empty."""
        return {"": self.root}

    def on_disk(self) -> LocalFileBackend:
        """Return the same files as they are on the disk, without open buffers."""
        return LocalFileBackend(self.root, self.settings)

    def unsaved(self) -> frozenset[str]:
        """Return the open files whose text is not the one on the disk; reads each of them."""
        return frozenset(path for path in self.buffers.snapshot() if self.is_unsaved(path))

    def is_unsaved(self, path: str) -> bool:
        """Return whether a file is open with a text that is not the one on the disk; reads it."""
        buffer = self.buffers.get(path)
        if buffer is None:
            return False
        try:
            saved = self.on_disk().read(path)
        except ScopeError:
            return True
        return saved.text != self._buffer_source(path, buffer.text).text

    def use_settings(self, settings: FileRules) -> None:
        """Choose files by other settings from now on."""
        self.settings = settings

    def absolute(self, path: str) -> Path:
        """Return where the file of a clean relative path lies."""
        return self.root / path

    def scan(self, stop: StopFlag | None = None) -> Scan:
        """Return the files to be searched and what was left out; reads no file's content.

        Raises:
            Cancelled: The flag was set.
        """
        scan = scan_root(str(self.root), self.settings, stop)
        self._last_scan = scan
        return scan

    def scan_paths(self, paths: Sequence[str]) -> Scan:
        """Return those of the paths that are to be searched, and why the others are not.

        For files that are said to have changed: what is neither among the files nor among the
        left out is gone.

        Args:
            paths: Relative to the root.
        """
        inside = [path for path in paths if not {"", ".", ".."} & set(path.split("/"))]
        return scan_root(str(self.root), self.settings, only=inside)

    def resolve(self, path: str) -> str:
        """Return what a user or a model wrote as a clean path relative to the root.

        Absolute paths inside the root, ``file:`` URIs, backslashes, ``./`` and ``x/../`` are
        understood; a link is replaced by what it leads to. "" is the root.

        Raises:
            PathOutsideRoot: It leads outside, by name or through a link.
            NotFound: There is nothing; the hint names what is alike.
        """
        lexical = self._lexical(path)
        real = os.path.realpath(self.root / lexical)
        clean = relative_path(self.root, real)
        if is_gits_own(clean):
            raise BadInput(f"{path!r} belongs to git, not to the code base.")
        # Unlike ``Path.exists`` this takes a name that no system allows for one that is not there.
        if not os.path.exists(real) and self.buffers.get(clean) is None:  # noqa: PTH110
            raise NotFound(f"There is no {path!r} in the code base.", self._hint(lexical))
        return clean

    def load(self, path: str) -> Loaded:
        """Return the content of a scanned file for the index, or why it is left out.

        An open buffer wins. Never raises for what is wrong with a file: that is a reason.

        Args:
            path: As ``scan()`` returned it.
        """
        if is_gits_own(path):  # an editor opens such files to write a commit's message
            return Loaded(path, None, "ignored", 0, 0)
        buffer = self.buffers.get(path)
        if buffer is not None:
            data = without_surrogates(buffer.text).encode()
            source = self._buffer_source(path, buffer.text)
            return self._judged(path, data, source, len(data), 0)
        limit = search_limit(path, self.settings.max_file_kb * 1000)
        try:
            data, state = read_inside(str(self.root), path, limit + 1)
        except BadInput:
            return Loaded(path, None, "outside_root", 0, 0)
        except (OSError, ValueError):
            return Loaded(path, None, "unreadable", 0, 0)
        if len(data) > limit:
            return Loaded(path, None, "too_large", state.st_size, state.st_mtime_ns)
        return self._judged(path, data, None, state.st_size, state.st_mtime_ns)

    def read(self, path: str) -> SourceText:
        """Return the text of a file that somebody named; an open buffer wins.

        Raises:
            PathOutsideRoot: The path leads outside.
            NotFound: There is no such file.
            BadInput: It is a folder, not text, or cannot be read.
        """
        clean = self.resolve(path)
        buffer = self.buffers.get(clean)
        if buffer is not None:
            return self._buffer_source(clean, buffer.text)
        limit = NOTEBOOK_LIMIT if is_notebook(clean) else _LARGEST_READ
        data = self._bytes(clean, limit)
        if is_binary(clean, data):
            raise BadInput(f"{path!r} is a binary file.", "Only text can be read.")
        return source_of(clean, data)

    def read_file(self, path: str, max_chars: int | None = None) -> str:
        """Return a file's text, cut after ``max_chars`` characters with a line that says so."""
        text = self.read(path).text
        if max_chars is None or len(text) <= max_chars:
            return text
        return f"{text[:max_chars]}\n... (cut: {len(text) - max_chars} more characters)\n"

    def read_lines(self, path: str, start: int, end: int) -> str:
        """Return the lines ``start`` to ``end``, both inclusive and 1-based, as they stand.

        An end behind the last line means the last line.

        Raises:
            BadInput: The range is empty or starts behind the end of the file.
        """
        lines = split_lines(self.read(path).text)
        if start < 1 or end < start:
            raise BadInput(
                f"Lines {start}-{end} are not a range.", "Lines count from 1, first to last."
            )
        if start > len(lines):
            raise BadInput(
                f"Line {start} is behind the end of {path!r}, which has {len(lines)} lines."
            )
        return "".join(line + "\n" for line in lines[start - 1 : end])

    def get_tree(self, path: str = "", max_entries: int = _TREE_ENTRIES) -> FileTree:
        """Return the searchable files below a folder, or the one file that is named.

        Of few files the content is looked at too, as it is for the search; of more than a thousand
        only the names.

        Raises:
            PathOutsideRoot: The path leads outside.
            NotFound: There is nothing at the path.
        """
        folder, scan = self.resolve(path), self.scan()
        inside = [file.path for file in scan.files if is_below(file.path, folder)]
        if len(inside) <= _MOST_JUDGED:
            left_out = {path: skip for path in inside if (skip := self.load(path).skip)}
            scan = scan.without(left_out)
        return tree_of(scan, folder, max_entries)

    def _lexical(self, path: str) -> str:
        """Return the path relative to the root, cleaned by name alone."""
        if "\0" in path:
            raise BadInput("A path cannot hold a NUL character.")
        text = str(path_from_uri(path)) if is_file_uri(path) else path.strip()
        if "\\" in text and not os.path.lexists(self.root / text) and not looks_absolute(text):
            text = text.replace("\\", "/")
        if looks_absolute(text):
            if not Path(text).is_absolute():
                raise outside_root(path)
            try:
                return relative_path(self._given_root, text)
            except BadInput:
                return relative_path(self.root, os.path.realpath(text))
        return text

    def _hint(self, path: str) -> str:
        scan = self._last_scan or self.scan()
        near = near_matches(path, [file.path for file in scan.files])
        return f"Did you mean {' or '.join(repr(name) for name in near)}?" if near else ""

    def _bytes(self, path: str, limit: int) -> bytes:
        full = self.root / path
        if os.path.isdir(full):  # noqa: PTH112 (a buffer's name may be too long for the disk)
            raise BadInput(f"{path or '.'!r} is a folder, not a file.")
        try:
            data, state = read_inside(str(self.root), path, limit + 1)
        except OSError as error:
            raise BadInput(f"The file {path!r} cannot be read: {error.strerror}.") from error
        if len(data) > limit:
            raise BadInput(f"The file {path!r} is too large to be read: {state.st_size} bytes.")
        return data

    def _buffer_source(self, path: str, text: str) -> SourceText:
        text = normalize_newlines(without_surrogates(text))
        notebook = flatten_notebook(path, text) if is_notebook(path) else None
        return notebook or SourceText(path, text, "utf-8", ("Read from the open editor.",))

    def _judged(
        self, path: str, data: bytes, source: SourceText | None, size: int, mtime_ns: int
    ) -> Loaded:
        """Return the text of these bytes, unless their content keeps them out of the search."""
        if source is None and not is_notebook(path):
            skip = classify(path, data)
            return Loaded(path, None if skip else source_of(path, data), skip, size, mtime_ns)
        source = source or source_of(path, data)
        flat = source.text.encode() if source.cells else data
        skip = "unreadable" if is_notebook(path) and not source.text else classify(path, flat)
        if skip is None and len(flat) > self.settings.max_file_kb * 1000:
            skip = "too_large"
        return Loaded(path, None if skip else source, skip, size, mtime_ns)


def plain_rules(settings: FileRules) -> PlainRules:
    """Return settings as they go to another process."""
    return PlainRules(settings.max_file_kb, tuple(settings.include_ignored))


def _usual_rules() -> FileRules:
    from analysis.settings import WorkspaceSettings  # a worker gets its rules, and imports less

    return WorkspaceSettings()


def source_of(path: str, data: bytes) -> SourceText:
    """Return the text of a file's bytes; of a notebook the cells."""
    decoded = decode(path, data)
    if not is_notebook(path):
        return SourceText(path, decoded.text, decoded.encoding, decoded.notes)
    flat = flatten_notebook(path, decoded.text, decoded.encoding)
    broken = "The notebook is damaged: its cells cannot be read."
    return flat or SourceText(path, "", decoded.encoding, (*decoded.notes, broken))
