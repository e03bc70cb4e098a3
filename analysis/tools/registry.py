"""The registry: every tool that a model can be offered, and which mode offers which."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.tools.browse_file import browse_file
from analysis.tools.find_references import find_references
from analysis.tools.generate_scoped_context import generate_scoped_context
from analysis.tools.get_callees import get_callees
from analysis.tools.get_callers import get_callers
from analysis.tools.get_file_outline import get_file_outline
from analysis.tools.grep_in_files import grep_in_files
from analysis.tools.list_directory import list_directory
from analysis.tools.read_file import read_file
from analysis.tools.read_lines import read_lines
from analysis.tools.read_symbol import read_symbol
from analysis.tools.search_by_term import search_by_term
from analysis.tools.search_codebase import search_codebase
from analysis.tools.search_for_files import search_for_files
from analysis.tools.skim_file import skim_file
from analysis.tools.tool import Tool

TOOLS: Mapping[str, Tool] = {
    "search_for_files": search_for_files,
    "grep_in_files": grep_in_files,
    "get_file_outline": get_file_outline,
    "read_symbol": read_symbol,
    "read_lines": read_lines,
    "find_references": find_references,
    "get_callers": get_callers,
    "get_callees": get_callees,
    "list_directory": list_directory,
    "read_file": read_file,
    "generate_scoped_context": generate_scoped_context,
    "search_codebase": search_codebase,
    "search_by_term": search_by_term,
    "browse_file": browse_file,
    "skim_file": skim_file,
}
"""By key, which is the tool's name where no other mode calls another tool the same."""

AGENT_TOOLS = (
    "search_for_files",
    "grep_in_files",
    "get_file_outline",
    "read_symbol",
    "read_lines",
    "find_references",
    "read_file",
    "generate_scoped_context",
)
"""Agent mode: from finding to the dearest look, and the end of the search."""

PLAN_TOOLS = ("search_codebase", "read_file", "list_directory", "get_callers", "get_callees")
"""Plan mode: what the steps of a plan are done with."""

ITERATIVE_TOOLS = ("search_by_term", "list_directory", "browse_file", "skim_file")
"""Iterative mode: what a round asks for; the first is called ``search_codebase`` there."""
