"""Go-to-definition on a name between backticks in a context document."""

from __future__ import annotations

import re

from lsprotocol import types

from analysis.errors import ScopeError
from analysis.models import SymbolChoice
from analysis.stopping import StopFlag
from lsp_server.code_base import EditorCodeBase
from lsp_server.documents.report import DocumentReport
from lsp_server.documents.watch import cited_paths
from lsp_server.features.symbols.in_time import or_nothing
from lsp_server.features.symbols.places import SymbolPlaces
from lsp_server.locations import column_from, split_lines
from lsp_server.server import ScopeServer

_NAME = re.compile(r"([^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*)(?:\(.*\))?")
_MOST = 20
"""Definitions of one name that are offered; nobody looks through more."""


async def named_definitions(
    server: ScopeServer, uri: str, position: types.Position
) -> list[types.Location] | None:
    """Return the definitions that a name between backticks can mean; None if none stands there.

    Of several, those in files that the document cites are meant.
    """
    codebase, report = server.codebase, server.documents.known(uri)
    name = None if report is None else name_at(server, report, position)
    if codebase is None or report is None or name is None:
        return None

    def find(stop: StopFlag) -> list[types.Location]:
        codebase.engine.prepare(stop=stop)
        choices = _choices(codebase, name)
        cited = cited_paths(report)
        meant = [choice for choice in choices if choice.path in cited] or choices
        places = SymbolPlaces(codebase, server.codec)
        found = [places.definition(choice) for choice in meant[:_MOST]]
        return [place for place in found if place is not None]

    return await or_nothing(find) or None


def name_at(server: ScopeServer, report: DocumentReport, position: types.Position) -> str | None:
    """Return the name between backticks under the cursor, without arguments."""
    from analysis.documents.spans import regions, zones

    lines = split_lines(report.text)
    if position.line >= len(lines):
        return None
    column = column_from(lines[position.line], position.character, server.codec)
    offset = report.lines.offset(position.line + 1, column)
    for region in regions(report.text):
        if region.start <= offset < region.end and not region.is_code:
            for zone in zones(report.text, region):
                if zone.kind == "code" and zone.start <= offset <= zone.end:
                    name = _NAME.fullmatch(zone.content.strip())
                    return name[1] if name else None
    return None


def _choices(codebase: EditorCodeBase, name: str) -> list[SymbolChoice]:
    """Return the definitions of a name; it may have its module in front."""
    try:
        found = list(codebase.engine.choices(name))
    except ScopeError:
        found = []
    holder, _, plain = name.rpartition(".")
    if found or not holder:
        return found
    try:
        alike = codebase.engine.choices(plain)
    except ScopeError:
        return []
    module = holder.replace(".", "/")
    return [c for c in alike if f"/{c.path}".rpartition(".")[0].endswith(f"/{module}")]
