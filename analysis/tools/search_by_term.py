"""The tool that finds files by words or by a pattern: iterative mode's search."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from analysis.tools.grep_in_files import grepped
from analysis.tools.search_for_files import LIMIT, MOST_FILES, ranked_files
from analysis.tools.tool import ToolContext, ToolResult, tool


@tool(LIMIT, name="search_codebase")
def search_by_term(
    context: ToolContext,
    term: Annotated[str, Field(min_length=1, max_length=500)],
    pattern: str = "*",
    regex: bool = False,  # noqa: FBT001, FBT002 (the model names its arguments)
) -> ToolResult:
    r"""Find files by words, best first with reasons, or lines by a regular expression.

    Args:
        term: Words and names to search for, or with regex an expression, as in 'def \w+_token'.
        pattern: Only files whose path matches, as in 'src/**' or '*.py'.
        regex: Whether the term is a regular expression.
    """
    globs = () if pattern.strip() in ("", "*", "**", "**/*") else (pattern.strip(),)
    if regex:
        return grepped(context, term, globs, ignore_case=False, narrower="pattern")
    return ranked_files(context, term, MOST_FILES, globs, "pattern")
