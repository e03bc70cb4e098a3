"""The registry: every tool, and to whom it is offered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from analysis.tools.analyze import analyze
from analysis.tools.ask import ask
from analysis.tools.find_references import find_references
from analysis.tools.follow_calls import get_callees, get_callers
from analysis.tools.generate_scoped_context import generate_scoped_context
from analysis.tools.grep_in_files import grep_in_files
from analysis.tools.list_directory import list_directory
from analysis.tools.outline_file import get_file_outline, skim_file
from analysis.tools.read_code import browse_file, read_file, read_lines
from analysis.tools.read_symbol import read_symbol
from analysis.tools.read_symbols import read_symbols
from analysis.tools.search_by_words import search_by_term, search_codebase, search_for_files
from analysis.tools.search_organisation import search_organisation
from analysis.tools.tool import Announcement, Tool

Audience = Literal["agent", "plan", "iterative", "mcp", "organisation"]
"""The model of a mode, the agents that ``scope mcp`` and the editor serve (``mcp``), or these where
an organisation's index is configured."""

_OFFERED: tuple[tuple[Tool, tuple[Audience, ...]], ...] = (
    # From finding to the dearest look, and the end of the search.
    (analyze, ("mcp",)),
    (search_for_files, ("agent",)),
    (search_codebase, ("plan",)),
    (search_by_term, ("iterative",)),
    (grep_in_files, ("agent", "plan")),
    (get_file_outline, ("agent", "mcp")),
    (read_symbols, ("agent", "plan", "iterative")),
    (read_symbol, ("agent", "plan", "mcp")),
    (read_lines, ("agent", "plan", "mcp")),
    (find_references, ("agent", "mcp")),
    (read_file, ("agent", "plan")),
    (get_callers, ("plan", "mcp")),
    (get_callees, ("plan", "mcp")),
    (ask, ("mcp",)),
    (search_organisation, ("organisation",)),
    (list_directory, ("plan", "iterative", "mcp")),
    (browse_file, ("iterative",)),
    (skim_file, ("iterative",)),
    (generate_scoped_context, ("agent",)),
)

AUDIENCES: Mapping[str, tuple[Audience, ...]] = {tool.key: whom for tool, whom in _OFFERED}
"""By key, which is the tool's name where no other mode calls another tool the same."""


def offered_to(audience: Audience) -> tuple[str, ...]:
    """Return the keys of the tools of a mode's model, or of agents."""
    return tuple(key for key, whom in AUDIENCES.items() if audience in whom)


def served(*, organisation: bool) -> dict[str, Tool]:
    """Return what agents are served, by the name that they know.

    Args:
        organisation: Whether an organisation's index is configured.
    """
    wanted = {"mcp", "organisation"} if organisation else {"mcp"}
    return {tool.served_name: tool for tool, whom in _OFFERED if wanted.intersection(whom)}


def announcements(*, organisation: bool) -> tuple[Announcement, ...]:
    """Return name, title, description and schema of each tool as agents see it; see ``served``."""
    return tuple(tool.announcement for tool in served(organisation=organisation).values())


_FOR_AGENTS = frozenset({"mcp", "organisation"})

TOOLS: Mapping[str, Tool] = {
    tool.key: tool for tool, whom in _OFFERED if not _FOR_AGENTS.issuperset(whom)
}
"""What the models of our modes are offered, by key."""

SERVED: Mapping[str, Tool] = served(organisation=True)
"""What agents can be served, by the name that they know."""

OF_ORGANISATION = frozenset(SERVED).difference(served(organisation=False))
"""Names of the tools that ask an organisation's index; the others open no connection."""

AGENT_TOOLS = offered_to("agent")
PLAN_TOOLS = offered_to("plan")
ITERATIVE_TOOLS = offered_to("iterative")

READING_TOOLS = frozenset(t.name for t in (read_symbols, read_symbol, read_lines, read_file))
"""Those whose results show lines as they stand, each once in a conversation."""
