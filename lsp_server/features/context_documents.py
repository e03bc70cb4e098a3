"""Context documents in any editor: links, go-to definition and hover on every reference."""

from __future__ import annotations

import asyncio
import re

from lsprotocol import types

from analysis.errors import ScopeError
from analysis.parsing.languages import language_of
from analysis.workspace.paths import uri_from_path
from lsp_server.code_base import EditorCodeBase
from lsp_server.documents.cited import CitedLines, cited_lines, document_lines, link_at
from lsp_server.features.named_symbols import named_definitions
from lsp_server.locations import range_of_lines, range_of_span, split_lines
from lsp_server.server import ScopeServer

_HOVER_LINES = 40
"""How many cited lines a hover shows at most; more would not fit a screen."""


def register(server: ScopeServer) -> None:
    """Register the handlers of context documents."""
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)(on_document_link)
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(on_definition)
    server.feature(types.TEXT_DOCUMENT_HOVER)(on_hover)


async def on_document_link(
    server: ScopeServer, params: types.DocumentLinkParams
) -> list[types.DocumentLink]:
    """Return a link for every reference of a context document, to where its code is now."""
    uri = params.text_document.uri
    lines = document_lines(server, uri)
    if not lines:
        return []
    await server.documents.settle()
    return [
        types.DocumentLink(
            range=range_of_span(
                lines[ref.line - 1], ref.line, ref.column_start, ref.column_end, server.codec
            ),
            target=uri_from_path(ref.file) if ref.is_lost else _uri_at(ref),
            tooltip=ref.sentence or None,
        )
        for ref in cited_lines(server, uri)
        if not ref.is_lost or ref.file.is_file()
    ]


async def on_definition(
    server: ScopeServer, params: types.DefinitionParams
) -> types.Location | list[types.Location] | None:
    """Return the lines that the reference under the cursor cites, or what a name there means."""
    uri = params.text_document.uri
    if not document_lines(server, uri):
        return None
    await server.documents.settle()
    ref = link_at(server, uri, params.position)
    if ref is None:
        return await named_definitions(server, uri, params.position)
    text = None if ref.is_lost else await _cited_text(server, ref)
    if text is None:
        return None
    lines = split_lines(text)
    wanted = range_of_lines(lines, ref.line_start, ref.line_end, server.codec)
    return types.Location(uri=uri_from_path(ref.file), range=wanted)


async def on_hover(server: ScopeServer, params: types.HoverParams) -> types.Hover | None:
    """Show the cited lines, the symbol's signature, and whether they are still what was cited."""
    uri = params.text_document.uri
    if not document_lines(server, uri):
        return None
    await server.documents.settle()
    ref = link_at(server, uri, params.position)
    if ref is None:
        return None
    if ref.is_lost:
        return _markdown(ref.sentence)
    text = await _cited_text(server, ref)
    if text is None:
        return _markdown(f"`{ref.file.name}` is not there any more.")
    codebase = server.codebase
    path = codebase.path_of(uri_from_path(ref.file)) if codebase is not None else None
    parts = [ref.sentence]
    if codebase is not None and path is not None:
        parts.append(await asyncio.to_thread(_signature, codebase, path, ref))
    parts.append(_excerpt(text, ref))
    return _markdown("\n\n".join(part for part in parts if part))


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


def _signature(codebase: EditorCodeBase, path: str, ref: CitedLines) -> str:
    """Return the signature of the definition that is cited, as code."""
    from analysis.parsing.find_symbols import symbol_at

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
