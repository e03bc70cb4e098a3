"""Turns a model's stream into checked markdown, block by block, and a text into sections."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.documents import AsRead, CodeView, Links, Section, check_citations

_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"^##\s+(.+?)\s*#*\s*$")
_TITLE = re.compile(r"^#\s+(.+?)\s*#*\s*$")
# Until it is clear that the answer has begun, reasoning without a tag may still be taken back.
_HELD_BACK = 600
# What the document adds by itself.
_OWN_SECTIONS = frozenset(
    {"code references", "references", "what was not looked at", "how this was answered"}
)


class CheckedStream:
    """Takes pieces of an answer and gives out whole blocks with their citations checked."""

    def __init__(self, code: CodeView, links: Links, as_read: AsRead | None = None) -> None:
        """Check against the code.

        Args:
            code: The code base.
            links: Where links must point to.
            as_read: What the model was shown.
        """
        self._code = code
        self._links = links
        self._as_read = as_read
        self._pending = ""
        self._begun = False
        self.text = ""
        """All of the answer so far, as the model wrote it."""

    def feed(self, piece: str) -> list[str]:
        """Return the blocks that a piece completes; blocking, for a thread."""
        self.text += piece
        self._pending += piece
        if not self._begun:
            self._begun = self._pending.startswith("#") or len(self._pending) > _HELD_BACK
            self._begun = self._begun or "\n#" in self._pending
        if not self._begun:
            return []
        *blocks, self._pending = _blocks(self._pending)
        return [self._checked(block) for block in blocks]

    def take_back(self) -> None:
        """Forget what came so far: it was no answer."""
        self.text = self._pending = ""
        self._begun = False

    def cut_to_blocks(self) -> str:
        """Forget the last block, which was cut, and return the blocks before it as they came.

        Empty, and nothing is forgotten, if there is no whole block.
        """
        whole = self.text[: len(self.text) - len(self._pending)] if self._pending else self.text
        if not whole.strip():
            return ""
        self.text, self._pending = whole, ""
        return whole

    def finish(self) -> list[str]:
        """Return the last block."""
        rest, self._pending = self._pending, ""
        return [self._checked(rest)] if rest.strip() else []

    def _checked(self, block: str) -> str:
        return (
            check_citations(block, self._code, self._links, self._as_read).markdown.strip("\n")
            + "\n\n"
        )


def sections_of(markdown: str) -> tuple[Section, ...]:
    """Return a text as sections by its headings of the second level; what is before is a summary.

    Lists of references are left out: the document has one of its own, which was checked.
    """
    found: list[tuple[str, list[str]]] = [("Summary", [])]
    for line, is_code in _lines(markdown):
        heading = None if is_code else _HEADING.match(line)
        if heading is not None:
            found.append((heading[1], []))
        elif is_code or not _TITLE.match(line):
            found[-1][1].append(line)
    sections = []
    for title, lines in found:
        body = "\n".join(lines).strip()
        if body and title.casefold() not in _OWN_SECTIONS:
            sections.append(Section(title, body))
    return _once(sections)


def _once(sections: list[Section]) -> tuple[Section, ...]:
    """Return the sections with a text before the first heading joined to the model's summary."""
    if len(sections) > 1 and sections[0].title == sections[1].title == "Summary":
        joined = Section("Summary", f"{sections[0].body}\n\n{sections[1].body}")
        return (joined, *sections[2:])
    return tuple(sections)


def _blocks(text: str) -> list[str]:
    """Return a text cut after each empty line outside of code, the rest last."""
    blocks = [""]
    *whole, (unfinished, _) = _lines(text)
    for line, is_code in whole:
        if not line.strip() and not is_code and blocks[-1].strip():
            blocks.append("")
        else:
            blocks[-1] += line + "\n"
    blocks[-1] += unfinished
    return blocks


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it belongs to a fenced block of code."""
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        inside = bool(fence)
        if mark is not None and not fence:
            fence = mark[1]
        elif mark is not None and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = ""
        yield line, inside or mark is not None
