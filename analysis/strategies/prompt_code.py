"""What a prompt may show of a code base: no ignored file, none outside, none of secrets, no secret.

Files are cleared of secrets as a whole before any part is taken, so that a part never holds what
only the whole shows to be secret. Line numbers are those of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.documents.code import split_lines
from analysis.errors import ScopeError
from analysis.llm.redact import redacted
from analysis.llm.secret_files import is_secret_file
from analysis.models import FileOutline
from analysis.strategies.outline_lines import selected

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess

_MAX_DOCSTRING = 120
_MAX_IMPORTS = 200
_CUT = "… (cut)"


@dataclass(slots=True)
class Shown:
    """What of one file has been put into prompts."""

    ranges: list[tuple[int, int]] = field(default_factory=list)
    is_outlined: bool = False
    kinds: set[str] = field(default_factory=set)
    """Secrets that were struck out of it."""


class PromptCode:
    """Reads code for prompts, and remembers what was shown."""

    def __init__(self, access: SmartFileAccess, paths: Iterable[str]) -> None:
        self._access = access
        self._known = frozenset(paths)
        self._allowed: dict[str, bool] = {}
        self._lines: dict[str, Sequence[str]] = {}
        self.shown: dict[str, Shown] = {}

    @property
    def paths(self) -> frozenset[str]:
        """All files of the code base; not each of them may be shown."""
        return self._known

    def allow(self, paths: Iterable[str]) -> list[str]:
        """Return those of the paths that may be shown, in order."""
        wanted = list(dict.fromkeys(paths))
        unknown = [p for p in wanted if p in self._known and p not in self._allowed]
        if unknown:
            # The disk's own word counts: an open buffer makes no ignored file a part of the code.
            scanned = {file.path for file in self._access.files.scan_paths(unknown).files}
            for path in unknown:
                self._allowed[path] = path in scanned and not is_secret_file(path)
        return [path for path in wanted if self._allowed.get(path)]

    def lines(self, path: str) -> Sequence[str]:
        """Return a file's lines without secrets; none if it may not be shown or read."""
        if path not in self._lines:
            self._lines[path] = ()
            if self.allow([path]):
                try:
                    clean = redacted(self._access.files.read(path).text)
                except ScopeError:
                    return ()
                self._lines[path] = split_lines(clean.text)
                if clean.kinds:
                    self._noted(path).kinds.update(clean.kinds)
        return self._lines[path]

    def outline(self, path: str) -> FileOutline | None:
        """Return a file's outline; None if it may not be shown or read."""
        if not self.allow([path]):
            return None
        try:
            return self._access.get_outline(path)
        except ScopeError:
            return None

    def numbered(self, path: str, start: int, end: int, max_chars: int) -> str:
        """Return lines with their numbers, as many as fit, and take note of them."""
        lines = self.lines(path)
        text: list[str] = []
        size = 0
        number = max(start, 1)
        while number <= min(end, len(lines)):
            line = f"{number}| {lines[number - 1]}"
            size += len(line) + 1
            if size > max_chars and text:
                text.append(_CUT)
                break
            text.append(line[:max_chars])
            number += 1
        if number > max(start, 1):
            self._noted(path).ranges.append((max(start, 1), number - 1))
        return "\n".join(text)

    def outline_text(self, path: str, max_chars: int, terms: frozenset[str] = frozenset()) -> str:
        """Return a file's shape: what it imports and defines, with lines, no bodies.

        Where it is too long, definitions that speak of the terms go before others.
        """
        outline = self.outline(path)
        if outline is None:
            return ""
        self._noted(path).is_outlined = True
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

    def _noted(self, path: str) -> Shown:
        return self.shown.setdefault(path, Shown())


def merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges of lines in order, with those that touch put together."""
    result: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if result and start <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return result
