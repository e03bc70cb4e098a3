"""The registry: every tool that an agent sees, in the order in which it is listed."""

from __future__ import annotations

from typing import Any

from analysis.mcp.reading import OUTLINE, READ_LINES, READ_SYMBOL, TREE
from analysis.mcp.relating import CALLEES, CALLERS, FIND_REFERENCES
from analysis.mcp.searching import ANALYZE, ASK
from analysis.mcp.tool import Tool

TOOLS: tuple[Tool[Any], ...] = (
    ANALYZE,
    OUTLINE,
    READ_SYMBOL,
    READ_LINES,
    FIND_REFERENCES,
    CALLERS,
    CALLEES,
    ASK,
    TREE,
)
