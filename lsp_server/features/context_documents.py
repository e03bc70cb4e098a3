"""Context documents in any editor: links, go-to definition and hover on every reference."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lsprotocol import types

from analysis.errors import BadInput, ScopeError
from analysis.models import RefState
from analysis.parsing.languages import language_of
from analysis.workspace.paths import path_from_uri, uri_from_path
from lsp_server.code_base import EditorCodeBase
from lsp_server.locations import column_from, range_of_lines, range_of_span, split_lines
from lsp_server.server import ScopeServer

if TYPE_CHECKING:
    from analysis.documents import Reanchored

_LINK = re.compile(r"\[[^\]\n]*\]\((?P<target>[^()\s#]+)(?:#L(?P<start>\d+)(?:-L(?P<end>\d+))?)?\)")
_FRONT_MATTER = ("---", "\ufeff---")
_HOVER_LINES = 40
"""How many cited lines a hover shows at most; more would not fit a screen."""


@dataclass(frozen=True, slots=True)
class CitedLines:
    """A reference link in a document, and the file that it leads to."""

    line: int
    column_start: int
    column_end: int
    file: Path
    line_start: int
    line_end: int


def register(server: ScopeServer) -> None:
    """Register the handlers of context documents."""
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)(on_document_link)
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(on_definition)
    server.feature(types.TEXT_DOCUMENT_HOVER)(on_hover)


async def on_document_link(
    server: ScopeServer, params: types.DocumentLinkParams
) -> list[types.DocumentLink]:
    """Return a link for every reference of a context document."""
    uri = params.text_document.uri
    lines = document_lines(server, uri)
    return [
        types.DocumentLink(
            range=range_of_span(
                lines[ref.line - 1], ref.line, ref.column_start, ref.column_end, server.codec
            ),
            target=_uri_at(ref),
        )
        for ref in links_in(uri, lines)
    ]


async def on_definition(
    server: ScopeServer, params: types.DefinitionParams
) -> types.Location | None:
    """Return the lines that the reference under the cursor cites."""
    ref = link_at(server, params.text_document.uri, params.position)
    if ref is None:
        return None
    text = await _cited_text(server, ref)
    if text is None:
        return None
    lines = split_lines(text)
    wanted = range_of_lines(lines, ref.line_start, ref.line_end, server.codec)
    return types.Location(uri=uri_from_path(ref.file), range=wanted)


async def on_hover(server: ScopeServer, params: types.HoverParams) -> types.Hover | None:
    """Show the cited lines, the symbol's signature, and whether they are still what was cited."""
    uri = params.text_document.uri
    ref = link_at(server, uri, params.position)
    if ref is None:
        return None
    text = await _cited_text(server, ref)
    if text is None:
        return _markdown(f"`{ref.file.name}` is not there any more.")
    codebase = server.codebase
    path = codebase.path_of(uri_from_path(ref.file)) if codebase is not None else None
    parts = []
    if codebase is not None and path is not None:
        parts.append(await asyncio.to_thread(_state_sentence, codebase, uri, path, ref))
        parts.append(await asyncio.to_thread(_signature, codebase, path, ref))
    parts.append(_excerpt(text, ref))
    return _markdown("\n\n".join(part for part in parts if part))


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
            try:
                file = Path(os.path.realpath(Path(folder, unquote(target))))
            except ValueError:  # A NUL in the name.
                continue
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


def _uri_at(ref: CitedLines) -> str:
    """Return the file's URI with the lines in the fragment form that editors know."""
    return f"{uri_from_path(ref.file)}#L{ref.line_start}-L{ref.line_end}"


async def _cited_text(server: ScopeServer, ref: CitedLines) -> str | None:
    """Return the cited file as the user sees it; None if it may not or cannot be read."""
    codebase = server.codebase
    path = codebase.path_of(uri_from_path(ref.file)) if codebase is not None else None
    if codebase is None or path is None:
        return None
    try:
        source = await asyncio.to_thread(codebase.engine.files.read, path)
    except ScopeError:
        return None
    return source.text


def _state_sentence(codebase: EditorCodeBase, uri: str, path: str, ref: CitedLines) -> str:
    """Say whether the code is still what the document cited."""
    try:
        checked = codebase.engine.verify(path_from_uri(uri))
    except ScopeError:
        return ""
    for item in checked:
        known = item.reference
        if known.path == path and known.line_start == ref.line_start:
            return f"{_STATES[known.state]}{_where_now(item)}"
    return ""


def _where_now(item: Reanchored) -> str:
    if item.new_line_start is None:
        return ""
    return f" Now: {item.new_path or item.reference.path}:{item.new_line_start}-{item.new_line_end}"


_STATES = {
    RefState.OK: "✓ The code is what was cited.",
    RefState.CORRECTED: "✓ The code is what was cited.",
    RefState.IN_RANGE: "The code is what was cited; what is named beside it was not found there.",
    RefState.MOVED: "→ The cited code has moved.",
    RefState.CHANGED: "⚠ The cited code has changed since.",
    RefState.AMBIGUOUS: "⚠ The cited code stands in several places now.",
    RefState.GONE: "✗ The cited code is gone.",
    RefState.UNVERIFIED: "⚠ This reference was not confirmed.",
    RefState.EDITED: "⚠ The document was edited: nobody has confirmed this link.",
}


def _signature(codebase: EditorCodeBase, path: str, ref: CitedLines) -> str:
    """Return the signature of the definition that is cited, as code."""
    from analysis.parsing.outline import symbol_at

    try:
        symbol = symbol_at(codebase.engine.outline(path), ref.line_start)
    except ScopeError:
        return ""
    if symbol is None:
        return ""
    return f"```{language_of(path)}\n{symbol.signature}\n```"


def _excerpt(text: str, ref: CitedLines) -> str:
    """Return the cited lines as a fenced block that nothing inside can close."""
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    cited = lines[ref.line_start - 1 : ref.line_end]
    shown = cited[:_HOVER_LINES]
    code = "\n".join(shown)
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    rest = f"\n\n… {len(cited) - len(shown)} more lines" if len(cited) > len(shown) else ""
    return f"{fence}{language_of(ref.file.name)}\n{code}\n{fence}{rest}"


def _markdown(text: str) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))
