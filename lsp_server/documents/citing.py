"""The other way round: which documents cite some code, by where their references stand now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lsprotocol import types
from pygls.workspace import PositionCodec

from analysis.models import Span, SymbolInfo
from lsp_server.documents.report import DocumentReport


@dataclass(frozen=True, slots=True)
class CitingLink:
    """A link of a document, and the lines of code to which it leads."""

    report: DocumentReport
    start: int
    """Offset of the link in the document."""
    end: int
    cited: Span

    def location(self, codec: PositionCodec) -> types.Location:
        """Return where in the document the link stands."""
        return types.Location(self.report.uri, self.report.lines.range(self.start, self.end, codec))


def citing_links(reports: Iterable[DocumentReport], path: str) -> Iterator[CitingLink]:
    """Yield every link to lines of a file of the code base, by where the code is now."""
    for report in reports:
        for link, item in report.check.places:
            place = report.link_place(link, item)
            if place is not None and place.path == path:
                yield CitingLink(report, link.start, link.end, place)


def by_definition(
    links: Iterable[CitingLink], definitions: Sequence[SymbolInfo]
) -> dict[SymbolInfo, list[CitingLink]]:
    """Return the links to each definition of a file.

    A link cites the innermost definition that holds its lines, and each that its lines hold as a
    whole, but not what is inside that.

    Args:
        links: Links to lines of the file.
        definitions: All of the file's, outer ones before those inside them.
    """
    found: dict[SymbolInfo, list[CitingLink]] = defaultdict(list)
    for link in links:
        first, last = link.cited.line_start, link.cited.line_end
        around = [d for d in definitions if d.decorated_line <= first and last <= d.line_end]
        if around:
            found[min(around, key=_length)].append(link)
            continue
        inside = [d for d in definitions if first <= d.line and d.line_end <= last]
        for definition in inside:
            if not any(other is not definition and _holds(other, definition) for other in inside):
                found[definition].append(link)
    return found


def one_per_document(links: Iterable[CitingLink]) -> list[CitingLink]:
    """Return the first link of each document."""
    return list({link.report.path: link for link in reversed(list(links))}.values())[::-1]


def _length(definition: SymbolInfo) -> int:
    return definition.line_end - definition.decorated_line


def _holds(outer: SymbolInfo, inner: SymbolInfo) -> bool:
    return outer.decorated_line <= inner.decorated_line and inner.line_end <= outer.line_end
