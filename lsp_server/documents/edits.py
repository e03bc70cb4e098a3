"""Edits that make a document say what is true again."""

from __future__ import annotations

import asyncio
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Literal

from lsprotocol import types
from pygls.workspace import PositionCodec

from lsp_server.documents.report import DocumentReport
from lsp_server.locations import character_of, split_lines

if TYPE_CHECKING:
    from analysis.documents import Reanchored
    from analysis.documents.library import Rewrite
    from lsp_server.code_base import EditorCodeBase

Fix = Literal["update", "updateAll", "review"]
"""Lead one reference, or all that moved, to where the code is; or take what is there as read."""


def fixed_text(
    codebase: EditorCodeBase, report: DocumentReport, fix: Fix, item: Reanchored | None = None
) -> str | None:
    """Return the text that a document has after a fix, with its own line ends; blocks.

    Args:
        codebase: What it is about.
        report: The document.
        fix: What is to be done.
        item: The reference; None if all are meant.

    Returns:
        None if nothing can be done, or the document is another one by now.
    """
    states = codebase.engine.documents
    try:
        if states.document(report.path).text != report.text:
            return None
        text = states.rewritten(report.path, _rewrite(fix, item))
    except KeyError:
        return None
    if text is not None and "\r\n" in report.text:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return text


def _rewrite(fix: Fix, item: Reanchored | None) -> Rewrite:
    from analysis.documents import corrected_text, reviewed_text
    from analysis.documents.correct import corrected_reference, reviewed_reference

    if item is None:
        if fix == "review":
            return lambda document, check, links, files: reviewed_text(document, links, files)
        return corrected_text
    one = reviewed_reference if fix == "review" else corrected_reference
    return lambda document, check, links, files: one(document, check, links, files, item)


async def fixing_edit(
    codebase: EditorCodeBase,
    report: DocumentReport,
    fix: Fix,
    item: Reanchored | None,
    codec: PositionCodec,
) -> types.WorkspaceEdit | None:
    """Return a fix as an edit of the document; None if nothing can be done."""
    text = await asyncio.to_thread(fixed_text, codebase, report, fix, item)
    if text is None or text == report.text:
        return None
    return types.WorkspaceEdit(changes={report.uri: edits_between(report.text, text, codec)})


def edits_between(old: str, new: str, codec: PositionCodec) -> list[types.TextEdit]:
    """Return edits of whole lines that turn one text into another."""
    before, after = split_lines(old), split_lines(new)
    edits = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            where = types.Range(_start_of(before, a, codec), _start_of(before, b, codec))
            edits.append(types.TextEdit(where, "".join(after[c:d])))
    return edits


def _start_of(lines: list[str], index: int, codec: PositionCodec) -> types.Position:
    """Return where a line begins; behind the last one where the text ends."""
    if index < len(lines) or not lines or lines[-1].endswith(("\n", "\r")):
        return types.Position(index, 0)
    last = lines[-1]
    return types.Position(len(lines) - 1, character_of(last, len(last), codec))
