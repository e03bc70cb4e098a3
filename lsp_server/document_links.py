"""The reference links of a context document: where they stand and which lines they cite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types

from analysis.errors import BadInput
from analysis.workspace.paths import path_from_uri
from lsp_server.from_lsp import column_from, split_lines
from lsp_server.server import ScopeServer

_LINK = re.compile(r"\[[^\]\n]*\]\((?P<target>[^()\s#]+)(?:#L(?P<start>\d+)(?:-L(?P<end>\d+))?)?\)")
_FRONT_MATTER = ("---", "\ufeff---")


@dataclass(frozen=True, slots=True)
class CitedLines:
    """A reference link in a document, and the file that it leads to."""

    line: int
    column_start: int
    column_end: int
    file: Path
    line_start: int
    line_end: int


def document_lines(server: ScopeServer, uri: str) -> list[str]:
    """Return a context document's lines; of any other document none."""
    from analysis.documents import is_document

    text = server.texts.get(uri, "")
    return split_lines(text) if text.startswith(_FRONT_MATTER) and is_document(text) else []


def links_in(uri: str, lines: list[str]) -> Iterator[CitedLines]:
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
            file = Path(folder, unquote(target)).resolve()
            end = int(match["end"] or start)
            yield CitedLines(number, match.start(), match.end(), file, start, end)


def link_at(server: ScopeServer, uri: str, position: types.Position) -> CitedLines | None:
    """Return the reference link under the cursor; None if there is none."""
    lines = document_lines(server, uri)
    if position.line >= len(lines):
        return None
    column = column_from(lines[position.line], position.character, server.codec)
    for ref in links_in(uri, lines):
        if ref.line == position.line + 1 and ref.column_start <= column <= ref.column_end:
            return ref
    return None
