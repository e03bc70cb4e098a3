"""The reference links of a document, with the lines to which they lead now."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lsprotocol import types

from analysis.errors import BadInput
from analysis.models import Span
from analysis.workspace.paths import path_from_uri
from lsp_server.documents.report import DocumentReport
from lsp_server.locations import column_from, split_lines

if TYPE_CHECKING:
    from analysis.documents.body_links import BodyLink
    from lsp_server.code_base import EditorCodeBase
    from lsp_server.server import ScopeServer

_LINK = re.compile(r"\[[^\]\n]*\]\((?P<target>[^()\s#]+)(?:#L(?P<start>\d+)(?:-L(?P<end>\d+))?)?\)")
_FRONT_MATTER = ("---", "\ufeff---")


@dataclass(frozen=True, slots=True)
class CitedLines:
    """A reference link in a document, and where what it cites is now."""

    line: int
    column_start: int
    column_end: int
    file: Path
    line_start: int
    line_end: int
    sentence: str = ""
    """What became of what it cites; empty if nothing is known of it."""
    is_lost: bool = False
    """Whether nobody knows where what it cites is now."""


def document_lines(server: ScopeServer, uri: str) -> list[str]:
    """Return a context document's lines; of any other document none."""
    from analysis.documents import is_document

    text = server.texts.get(uri, "")
    return split_lines(text) if text.startswith(_FRONT_MATTER) and is_document(text) else []


def cited_lines(server: ScopeServer, uri: str) -> list[CitedLines]:
    """Return every link of a document into the code, with what was found for it last.

    Of a document about other code than what is open nothing is known but the links themselves.
    """
    report = server.documents.known(uri)
    codebase = server.codebase
    if report is None or codebase is None:
        return list(_plain_links(uri, document_lines(server, uri)))
    return [_cited(codebase, report, link) for link in report.links]


def _cited(codebase: EditorCodeBase, report: DocumentReport, link: BodyLink) -> CitedLines:
    item = report.items.get(link)
    line, column = report.lines.position(link.start)
    where = (line, column, column + link.end - link.start)
    old = Span(report.prefix + link.path, link.line_start or 1, link.line_end or 1)
    place = report.link_place(link, item) if item is not None else old
    sentence = report.sentence(item) if item is not None else ""
    shown = place or old
    file = path_from_uri(codebase.uri_of(shown.path))
    lost = place is None
    return CitedLines(*where, file, shown.line_start, shown.line_end, sentence, is_lost=lost)


def _plain_links(uri: str, lines: list[str]) -> Iterator[CitedLines]:
    """Yield every link of a document that leads to a file on this disk, fences left out."""
    try:
        folder = path_from_uri(uri).parent
    except BadInput:
        return
    fence = ""
    for number, line in enumerate(lines, 1):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        if fence:
            continue
        for match in _LINK.finditer(line):
            target = match["target"]
            if re.match(r"[A-Za-z][\w+.-]+:", target):
                continue
            start = int(match["start"] or 1)
            try:
                file = Path(os.path.realpath(Path(folder, unquote(target))))
            except ValueError:  # A NUL in the name.
                continue
            end = int(match["end"] or start)
            yield CitedLines(number, match.start(), match.end(), file, start, end)


def link_at(server: ScopeServer, uri: str, position: types.Position) -> CitedLines | None:
    """Return the reference link under the cursor, as it was found last; None if there is none."""
    lines = document_lines(server, uri)
    if position.line >= len(lines):
        return None
    column = column_from(lines[position.line], position.character, server.codec)
    for ref in cited_lines(server, uri):
        if ref.line == position.line + 1 and ref.column_start <= column <= ref.column_end:
            return ref
    return None
