"""What a prompt may show of a code base: no ignored file, none outside, none of secrets, no secret.

Files are cleared of secrets as a whole before any part is taken, so that a part never holds what
only the whole shows to be secret. Line numbers are those of the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.errors import ScopeError
from analysis.llm.redact import redacted
from analysis.llm.secret_files import is_secret_file
from analysis.models import FileOutline
from analysis.tools.outline_lines import selected
from analysis.workspace.decoding import split_lines
from analysis.workspace.unsaved import is_unsaved

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess

_MAX_DOCSTRING = 120
_MAX_IMPORTS = 200
_CUT = "… (cut)"


@dataclass(slots=True)
class ShownFile:
    """What of one file has been put into prompts."""

    ranges: list[tuple[int, int]] = field(default_factory=list)
    is_outlined: bool = False
    kinds: set[str] = field(default_factory=set)
    """Secrets that were struck out of it."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Numbered lines of a file; none if ``line_end`` lies before ``line_start``."""

    text: str
    line_start: int
    line_end: int


class PromptCode:
    """Reads code for prompts, and remembers what was shown."""

    def __init__(
        self,
        access: SmartFileAccess,
        paths: Iterable[str],
        scopes: Collection[str] | None = None,
    ) -> None:
        """Read the code of one run.

        Args:
            access: The code base.
            paths: All of its files.
            scopes: The kinds of context that may be shown: nothing without ``workspace``, and no
                file as it stands unsaved in the editor without ``open_files``; None for all.
        """
        self._access = access
        self._known = frozenset(paths)
        self._allowed: dict[str, bool] = {}
        self._scopes = scopes
        self._lines: dict[str, Sequence[str]] = {}
        self._read: dict[str, Sequence[str]] = {}
        self.shown: dict[str, ShownFile] = {}

    @property
    def paths(self) -> frozenset[str]:
        """All files of the code base; not each of them may be shown."""
        return self._known

    def allow(self, paths: Iterable[str]) -> list[str]:
        """Return those of the paths that may be shown, in order."""
        wanted = list(dict.fromkeys(paths))
        unknown = [p for p in wanted if p in self._known and p not in self._allowed]
        if unknown and (self._scopes is None or "workspace" in self._scopes):
            # The disk's own word counts: an open buffer makes no ignored file a part of the code.
            scanned = {file.path for file in self._access.files.scan_paths(unknown).files}
            for path in unknown:
                self._allowed[path] = path in scanned and not is_secret_file(path)
        return [path for path in wanted if self._allowed.get(path) and not self._is_withheld(path)]

    def inside(self, path: str) -> str:
        """Return what somebody wrote as a clean path relative to the root.

        Raises:
            PathOutsideRoot: It leads outside, by name or through a link.
            NotFound: There is no such file.
        """
        return self._access.files.resolve(path)

    def lines(self, path: str) -> Sequence[str]:
        """Return a file's lines without secrets; none if it may not be shown or read."""
        if path not in self._lines:
            # Stored when it is whole: tools that run at once share what was read.
            self._lines[path] = self._clean_lines(path)
        return self._lines[path]

    def lines_read(self, path: str) -> Sequence[str] | None:
        """Return a file's lines as they were when it was first read, secrets and all.

        They are for comparing alone, and never shown. None if the file was not read.
        """
        return self._read.get(path)

    def was_shown(self, path: str, lines: tuple[int, int]) -> bool:
        """Return whether all of these lines were shown."""
        shown = self.shown.get(path)
        ranges = merged(shown.ranges) if shown is not None else []
        return any(start <= lines[0] and lines[1] <= end for start, end in ranges)

    def outline(self, path: str) -> FileOutline | None:
        """Return a file's outline; None if it may not be shown or read."""
        if not self.allow([path]):
            return None
        try:
            outline = self._access.get_outline(path)
        except ScopeError:
            return None
        return None if self._is_withheld(path) else outline

    def numbered(self, path: str, start: int, end: int, max_chars: int) -> str:
        """Return lines with their numbers, as many as fit, and take note of them."""
        excerpt = self.excerpt(path, start, end, max_chars)
        is_cut = excerpt.text and excerpt.line_end < min(end, len(self.lines(path)))
        return f"{excerpt.text}\n{_CUT}" if is_cut else excerpt.text

    def excerpt(
        self, path: str, start: int, end: int, max_chars: int, max_line: int | None = None
    ) -> Excerpt:
        """Return lines with their numbers and where they end, and take note of them.

        Args:
            path: A file.
            start: First line.
            end: Last line; the last of the file if that comes before.
            max_chars: For all lines; the first line is there in any case, cut if it must be.
            max_line: The most characters of one line; minified code has lines of a megabyte.
        """
        lines = self.lines(path)
        first = number = max(start, 1)
        text: list[str] = []
        size = 0
        while number <= min(end, len(lines)):
            line = _numbered_line(number, lines[number - 1], min(max_line or max_chars, max_chars))
            size += len(line) + 1
            if size > max_chars and text:
                break
            text.append(line)
            number += 1
        if text:
            self._noted(path).ranges.append((first, number - 1))
        return Excerpt("\n".join(text), first, number - 1)

    def outline_text(self, path: str, max_chars: int, terms: frozenset[str] = frozenset()) -> str:
        """Return a file's shape: what it imports and defines, with lines, no bodies.

        Where it is too long, definitions that speak of the terms go before others.
        """
        outline = self.outline(path)
        if outline is None:
            return ""
        self.note_outline(path)
        head = f"{outline.language}, {outline.line_count} lines"
        if outline.docstring:
            head += f'; "{outline.docstring[:_MAX_DOCSTRING]}"'
        if outline.imports:
            modules = dict.fromkeys(item.module for item in outline.imports)
            head += f"; imports {', '.join(modules)}"[:_MAX_IMPORTS]
        return "\n".join([head, *selected(outline.symbols, max_chars - len(head), terms)])

    def sent_files(self) -> list[str]:
        """Return the files of which anything was shown."""
        return sorted(p for p, shown in self.shown.items() if shown.ranges or shown.is_outlined)

    def note_outline(self, path: str) -> None:
        """Take note that a file's outline was shown."""
        self._noted(path).is_outlined = True
        self.lines(path)  # What its line numbers are of.

    def _clean_lines(self, path: str) -> Sequence[str]:
        if not self.allow([path]):
            return ()
        try:
            text = self._access.files.read(path).text
        except ScopeError:
            return ()
        clean = redacted(text)
        if self._is_withheld(path):
            return ()  # It was edited since it was allowed.
        self._read[path] = split_lines(text)
        if clean.kinds:
            self._noted(path).kinds.update(clean.kinds)
        return split_lines(clean.text)

    def _is_withheld(self, path: str) -> bool:
        """Return whether a file stands unsaved in the editor, and may not be shown so."""
        if self._scopes is None or "open_files" in self._scopes:
            return False
        return is_unsaved(self._access.files, path)

    def _noted(self, path: str) -> ShownFile:
        return self.shown.setdefault(path, ShownFile())


def _numbered_line(number: int, line: str, max_chars: int) -> str:
    """Return a line with its number, at most so long."""
    text = f"{number}| {line}" if line else f"{number}|"
    if len(text) <= max_chars:
        return text
    note = f"… (line cut: {len(line)} characters)"
    return text[: max_chars - len(note)] + note if max_chars > 2 * len(note) else text[:max_chars]


def merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges of lines in order, with those that touch put together."""
    result: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if result and start <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return result
