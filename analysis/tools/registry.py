"""The registry: every tool that a model can be offered, and which mode offers which."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.tools.generate_scoped_context import generate_scoped_context
from analysis.tools.get_file_outline import get_file_outline
from analysis.tools.read_file import read_file
from analysis.tools.read_lines import read_lines
from analysis.tools.read_symbol import read_symbol
from analysis.tools.search_for_files import search_for_files
from analysis.tools.tool import Tool

TOOLS: Mapping[str, Tool] = {
    "search_for_files": search_for_files,
    "get_file_outline": get_file_outline,
    "read_symbol": read_symbol,
    "read_lines": read_lines,
    "read_file": read_file,
    "generate_scoped_context": generate_scoped_context,
}
"""By key, which is the tool's name where no other mode calls another tool the same."""

AGENT_TOOLS = (
    "search_for_files",
    "get_file_outline",
    "read_symbol",
    "read_lines",
    "read_file",
    "generate_scoped_context",
)
"""Agent mode: from the cheapest look to the dearest, and the end of the search."""
