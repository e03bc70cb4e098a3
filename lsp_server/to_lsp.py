"""Our data in the editor's terms: ranges, locations, wire messages."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pydantic.alias_generators import to_camel
from pygls.workspace import PositionCodec

from analysis.models import CodeReference, RunStats
from lsp_server.model_messages import (
    PreviewResult,
    WireLines,
    WirePreviewFile,
    WirePreviewPhase,
)
from lsp_server.protocol import WireLocation, WirePosition, WireRange, WireReference, WireStats

if TYPE_CHECKING:
    from analysis.modes.preview import Preview


def character_of(line: str, column: int, codec: PositionCodec) -> int:
    """Return the client's character for a code point column."""
    return int(codec.client_num_units(line[:column]))


def range_of_lines(
    lines: Sequence[str], line_start: int, line_end: int, codec: PositionCodec
) -> types.Range:
    """Return the range of whole lines, given 1-based and inclusive, without the last line's end."""
    last = max(min(line_end, len(lines)), 1)
    first = max(min(line_start, last), 1)
    text = lines[last - 1].rstrip("\r\n") if lines else ""
    return types.Range(
        start=types.Position(first - 1, 0),
        end=types.Position(last - 1, character_of(text, len(text), codec)),
    )


def range_of_span(
    line_text: str, line: int, start: int, end: int, codec: PositionCodec
) -> types.Range:
    """Return the range of code point columns ``start`` to ``end`` on a 1-based line."""
    return types.Range(
        start=types.Position(line - 1, character_of(line_text, start, codec)),
        end=types.Position(line - 1, character_of(line_text, end, codec)),
    )


def wire_reference(reference: CodeReference, uri: str) -> WireReference:
    """Return a code reference as it goes over the wire."""
    return WireReference(
        path=reference.path,
        uri=uri,
        line_start=reference.line_start,
        line_end=reference.line_end,
        symbol=reference.symbol,
        description=reference.description,
        state=str(reference.state),
    )


def wire_location(location: types.Location) -> WireLocation:
    """Return a location as it goes over the wire in our own messages."""
    start, end = location.range.start, location.range.end
    wire = WireRange(
        start=WirePosition(line=start.line, character=start.character),
        end=WirePosition(line=end.line, character=end.character),
    )
    return WireLocation(uri=location.uri, range=wire)


def wire_stats(stats: RunStats) -> WireStats:
    """Return an answer's statistics as they go over the wire."""
    return WireStats.model_validate(dataclasses.asdict(stats))


def wire_preview(found: Preview, uri_of: Callable[[str], str]) -> PreviewResult:
    """Return a preview as it goes over the wire."""
    return PreviewResult(
        mode=found.mode,
        model=found.model,
        host=found.host,
        files=[
            WirePreviewFile(
                path=file.path,
                uri=uri_of(file.path),
                ranges=[WireLines(line_start=first, line_end=last) for first, last in file.ranges],
                is_outlined=file.is_outlined,
                redacted=list(file.redacted),
            )
            for file in found.files
        ],
        phases=[WirePreviewPhase(**dataclasses.asdict(phase)) for phase in found.phases],
        scopes=list(found.scopes),
        withheld=list(found.withheld),
        notes=list(found.notes),
    )


def wire_data(value: Any) -> Any:
    """Return dataclasses and containers as plain data under camelCase names, without None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value))
        return {to_camel(name): wire_data(item) for name, item in fields if item is not None}
    if isinstance(value, dict):
        return {str(key): wire_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [wire_data(item) for item in value]
    return value
