"""The links to code in a document's text: where they stand, what they cite, and their hashes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.documents.links import Links
from analysis.documents.mark import digest
from analysis.documents.spans import Zone, regions, zones

# A link is known again by so many characters of a hash; what is told apart is few links of a page.
_CHARS = 4
_FRAGMENT = re.compile(
    r"#(?:L|lines-)(?P<start>\d{1,9})(?:[C\d]*)(?:[-:]L?(?P<end>\d{1,9})(?:C\d+)?)?\Z"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_LABEL = re.compile(r"(?P<path>.+):(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?(?: \(cell \d+\))?\Z")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class BodyLink:
    """A link to a file of the code base, or to lines of it."""

    start: int
    """Offset of its first character in the text."""
    end: int
    label: str
    """Markdown."""
    target: str
    path: str
    line_start: int
    """0 for a link to the file as a whole."""
    line_end: int
    line: int
    """The line of the text that it begins on, 1-based."""
    agrees: bool = True
    """Whether a label that names a path and lines names those that the link leads to."""

    @property
    def hash(self) -> str:
        """Short hash of label and target."""
        return digest([self.label, self.target], _CHARS)


def body_links(markdown: str, links: Links, start: int = 0) -> tuple[BodyLink, ...]:
    """Return the links of a text that lead into the code base, in order; code blocks left out.

    Args:
        markdown: The text of a document.
        links: Where links of that document point to.
        start: Offset at which to begin, behind the front matter.
    """
    found = []
    line, at = 1, 0
    for zone in _links_of(markdown[start:]):
        line += markdown.count("\n", at, zone.start + start)
        at = zone.start + start
        link = _code_link(zone, links, start, line)
        if link is not None:
            found.append(link)
    return tuple(found)


def _links_of(text: str) -> Iterator[Zone]:
    for region in regions(text):
        if not region.is_code:
            for zone in zones(text, region):
                if zone.kind == "link":
                    yield zone


def _code_link(zone: Zone, links: Links, offset: int, line: int) -> BodyLink | None:
    """Return the link to code that a link of the text is, if it is one."""
    fragment = _FRAGMENT.search(zone.target)
    file = zone.target.partition("#")[0]
    label = _LABEL.fullmatch(_ESCAPED.sub(r"\1", zone.content))
    path = links.path_of(file) if file else None
    if path is not None and _SCHEME.match(file) and links.target(path) != file:
        path = None  # Another address, not one below the root.
    if path is None:
        if label is None or fragment is None or _SCHEME.match(file):
            return None
        path = label["path"]  # The document lies elsewhere now: its links lead nowhere.
    lines = _lines(fragment)
    agrees = label is None or (label["path"], *_lines(label)) == (path, *lines)
    start, end = zone.start + offset, zone.end + offset
    return BodyLink(start, end, zone.content, zone.target, path, *lines, line, agrees)


def _lines(match: re.Match[str] | None) -> tuple[int, int]:
    if match is None:
        return 0, 0
    first = int(match["start"])
    return first, int(match["end"] or first)
