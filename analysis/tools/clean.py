"""The last look at a result: no secret in it, and never longer than its tool says."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from analysis.llm.redact import redacted

if TYPE_CHECKING:
    from analysis.tools.tool import ToolResult

_CUT = "\n… (cut)"


def cleaned(result: ToolResult, limit: int) -> ToolResult:
    """Return the result as it may be sent.

    Tools keep within their limit themselves and say what is left; this holds if one does not.
    """
    summary = None if result.summary is None else within(redacted(result.summary).text, limit)
    return dataclasses.replace(
        result, text=within(redacted(result.text).text, limit), summary=summary
    )


def within(text: str, limit: int) -> str:
    """Return a text of at most that many characters, cut at the end of a line where it can be."""
    if len(text) <= limit:
        return text
    kept = text[: limit - len(_CUT)]
    whole = kept.rpartition("\n")[0]
    return (whole or kept) + _CUT
