"""What may leave of a code base: no ignored file, none outside, none of secrets, no secret.

Files are cleared of secrets as a whole before any part is taken, so that a part never holds what
only the whole shows to be secret. Line numbers are those of the file. What else was made of a file
(a signature, a comment) is held to what was struck out of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from analysis.errors import BadInput, ScopeError
from analysis.llm.redact import redacted
from analysis.llm.secret_files import is_secret_file, is_secret_text
from analysis.models import FileOutline, Span, SymbolInfo
from analysis.tools.fitting import cut_line
from analysis.tools.outline_writer import outline_of
from analysis.workspace.decoding import split_lines

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess

_CUT = "… (cut)"
_STRUCK = "[redacted]"
_OF_A_SECRET_FILE = "[redacted: file of secrets]"
# Fields of a result that hold text of the file that ``path`` names.
_TEXTS = frozenset({"code", "body", "context", "signature"})
# A piece of a struck line: what is shorter says nothing, and stands elsewhere for other reasons.
_PIECE = re.compile(r"""[^\s"'`,;]{8,}""")


@dataclass(slots=True)
class ShownFile:
    """What of one file has been put into prompts."""

    ranges: list[tuple[int, int]] = field(default_factory=list)
    is_outlined: bool = False
    kinds: set[str] = field(default_factory=set)
    """Secrets that were struck out of it."""


@dataclass(frozen=True, slots=True)
class Excerpt(Span):
    """Numbered lines of a file; none if ``line_end`` lies before ``line_start``."""

    text: str


class PromptCode:
    """Reads code for prompts, and remembers what was shown."""

    def __init__(
        self,
        access: SmartFileAccess,
        paths: Iterable[str] | None = None,
        scopes: Collection[str] | None = None,
    ) -> None:
        """Read the code of one run.

        Args:
            access: The code base.
            paths: All of its files; if None, any file that is not ignored may be shown.
            scopes: The kinds of context that may be shown: nothing without ``workspace``, and no
                file as it stands unsaved in the editor without ``open_files``; None for all.
        """
        self._access = access
        self._known = None if paths is None else frozenset(paths)
        self._allowed: dict[str, bool] = {}
        self._scopes = scopes
        self._lines: dict[str, Sequence[str]] = {}
        self._struck: dict[str, frozenset[str]] = {}
        self._read: dict[str, Sequence[str]] = {}
        self.shown: dict[str, ShownFile] = {}

    @property
    def paths(self) -> frozenset[str]:
        """All files of the code base, if they are known; not each of them may be shown."""
        return self._known or frozenset()

    def allow(self, paths: Iterable[str]) -> list[str]:
        """Return those of the paths that may be shown, in order."""
        wanted = list(dict.fromkeys(paths))
        unknown = [
            path
            for path in wanted
            if path not in self._allowed and (self._known is None or path in self._known)
        ]
        if unknown and (self._scopes is None or "workspace" in self._scopes):
            ignored = self._ignored(unknown)
            for path in unknown:
                self._allowed[path] = path not in ignored and not is_secret_file(path)
        return [path for path in wanted if self._allowed.get(path) and not self._is_withheld(path)]

    def readable(self, path: str) -> str:
        """Return what somebody wrote as the path of a file that may be shown.

        Raises:
            PathOutsideRoot: It leads outside, by name or through a link.
            NotFound: There is no such file.
            BadInput: The file is ignored, holds secrets by its purpose, or is no text.
        """
        clean = self.inside(path)
        if is_secret_file(clean) or is_secret_text(clean, self._access.files.read(clean).text):
            why = f"{path!r} holds secrets, so it is kept back."
            raise BadInput(why, "Ask the user if you need it.")
        if not self.allow([clean]):
            why = f"{path!r} is ignored, so it is not part of the code base."
            raise BadInput(why, "Ask the user if you need it.")
        return clean

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

    def line(self, path: str, number: int) -> str:
        """Return one line without secrets and indentation; a word on why if none may be shown."""
        if is_secret_file(path):
            return _OF_A_SECRET_FILE
        lines = self.lines(path)
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def cleared(self, path: str, text: str) -> str:
        """Return text that was made of a file (a signature, a quotation) without its secrets."""
        self.lines(path)
        if not self._allowed.get(path, True):
            return _OF_A_SECRET_FILE
        struck = self._struck.get(path)
        if struck:
            text = _PIECE.sub(lambda match: _STRUCK if match[0] in struck else match[0], text)
        return redacted(text).text

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
        """Return a file's outline without secrets; None if it may not be shown or read."""
        if not self.allow([path]):
            return None
        try:
            outline = self._access.get_outline(path)
        except ScopeError:
            return None
        self.lines(path)
        if not self._allowed[path]:
            return None
        if self._struck.get(path):
            symbols = tuple(self._without_struck(path, info) for info in outline.symbols)
            outline = replace(outline, symbols=symbols)
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
            mark = f"{number}| " if lines[number - 1] else f"{number}|"
            most = min(max_line or max_chars, max_chars) - len(mark)
            line = mark + cut_line(lines[number - 1], most)
            size += len(line) + 1
            if size > max_chars and text:
                break
            text.append(line)
            number += 1
        if text:
            self._noted(path).ranges.append((first, number - 1))
        return Excerpt(path, first, number - 1, "\n".join(text))

    def outline_text(self, path: str, max_chars: int, terms: frozenset[str] = frozenset()) -> str:
        """Return a file's shape: what it imports and defines, with lines, no bodies.

        Where it is too long, definitions that speak of the terms go before others.
        """
        outline = self.outline(path)
        if outline is None:
            return ""
        self.note_outline(path)
        return outline_of(outline, max_chars, terms)

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
        if is_secret_text(path, text):
            self._allowed[path] = False
        if self._is_withheld(path) or not self._allowed[path]:
            return ()  # It was edited since it was allowed, or is one of secrets.
        clean = redacted(text)
        self._read[path] = split_lines(text)
        lines = split_lines(clean.text)
        if clean.kinds:
            self._noted(path).kinds.update(clean.kinds)
            self._struck[path] = _pieces(self._read[path], lines)
        return lines

    def _ignored(self, paths: list[str]) -> frozenset[str]:
        """Return those of the paths that are no part of the code base.

        The disk's own word counts: an open buffer makes no ignored file a part of the code.
        """
        scan = self._access.files.scan_paths(paths)
        found = {file.path for file in scan.files}
        if self._known is not None:
            return frozenset(paths) - found
        for reason, left_out in scan.skipped.items():
            found.update(left_out if reason != "ignored" else ())
        on_disk = (path for path in paths if self._access.files.absolute(path).is_file())
        return frozenset(on_disk) - found

    def _without_struck(self, path: str, info: SymbolInfo) -> SymbolInfo:
        return replace(
            info,
            signature=self.cleared(path, info.signature),
            docstring=info.docstring and self.cleared(path, info.docstring),
            decorators=tuple(self.cleared(path, text) for text in info.decorators),
            children=tuple(self._without_struck(path, child) for child in info.children),
        )

    def _is_withheld(self, path: str) -> bool:
        """Return whether a file stands unsaved in the editor, and may not be shown so."""
        if self._scopes is None or "open_files" in self._scopes:
            return False
        return self._access.files.is_unsaved(path)

    def _noted(self, path: str) -> ShownFile:
        return self.shown.setdefault(path, ShownFile())


def cleared(value: Any) -> Any:
    """Return plain data without secrets, as it may leave; of a file of secrets no text is left."""
    if isinstance(value, str):
        return redacted(value).text
    if isinstance(value, list):
        return [cleared(item) for item in value]
    if isinstance(value, dict):
        path = value.get("path")
        is_secret = isinstance(path, str) and is_secret_file(path)
        return {
            key: _OF_A_SECRET_FILE if is_secret and key in _TEXTS else cleared(item)
            for key, item in value.items()
        }
    return value


def _pieces(lines: Sequence[str], clean_lines: Sequence[str]) -> frozenset[str]:
    """Return the words of a file that were struck out of it."""
    found: set[str] = set()
    for line, clean in zip(lines, clean_lines, strict=False):
        if line != clean:
            found.update(set(_PIECE.findall(line)) - set(_PIECE.findall(clean)))
    return frozenset(found)


def merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges of lines in order, with those that touch put together."""
    result: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if result and start <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return result
