"""The tool that ends the search: it takes paths and places, never contents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from analysis.errors import ToolRetry
from analysis.models import CodeReference
from analysis.tools.path_argument import resolve_path_argument
from analysis.tools.tool import ScopedContextInput, ToolContext, ToolOutput, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.tools.prompt_code import PromptCode

LIMIT = 2_000
_MOST_PROBLEMS = 10


class CodeReferenceArgument(BaseModel):
    """A place that the document should cite."""

    model_config = ConfigDict(extra="ignore")

    path: str
    line_start: int = Field(ge=1)
    line_end: int | None = Field(None, ge=1)
    symbol: str | None = Field(None, description="Name of the definition that stands there.")
    description: str = ""


@tool(LIMIT, needs=frozenset())
def generate_scoped_context(
    context: ToolContext,
    question: str,
    relevant_file_paths: Annotated[list[str], Field(max_length=60)],
    insights: str,
    code_references: Annotated[list[CodeReferenceArgument], Field(max_length=100)] = [],  # noqa: B006
) -> ToolOutput:
    """End the search and have the document written.

    Call it once you can answer the question. Give paths, never contents: the files are read here.

    Args:
        question: The question that was asked.
        relevant_file_paths: Files that matter for the answer, most important first.
        insights: What you found out: how it works and why, in your own words, with names.
        code_references: The places that show it, with a line of description each.
    """
    paths: list[str] = []
    problems: list[str] = []
    for name in relevant_file_paths:
        path, problem = resolve_path_argument(name, context.code)
        if path is None:
            problems.append(problem)
        else:
            paths.append(path)
    references = _references(code_references, context.code, problems)
    if problems:
        raise ToolRetry(
            "\n".join(
                [
                    "Nothing was written yet. Mend these and call it again:",
                    *dict.fromkeys(problems[:_MOST_PROBLEMS]),
                ]
            )
        )
    if not paths and not references:
        raise ToolRetry("Name at least one file that matters, in relevant_file_paths.")
    paths = list(dict.fromkeys([*paths, *(reference.path for reference in references)]))
    return ScopedContextInput(question, tuple(paths), insights, tuple(references))


def _references(
    wanted: Sequence[CodeReferenceArgument], code: PromptCode, problems: list[str]
) -> list[CodeReference]:
    """Return the places that can be cited; what is wrong with the others is a problem."""
    found: list[CodeReference] = []
    for item in wanted:
        path, problem = resolve_path_argument(item.path, code)
        if path is None:
            problems.append(problem)
            continue
        n_lines = len(code.lines(path))
        end = max(item.line_end or item.line_start, item.line_start)
        if item.line_start > n_lines:
            problems.append(f"{path} has {n_lines} lines, there is no line {item.line_start}.")
            continue
        found.append(
            CodeReference(
                path, item.line_start, min(end, n_lines), item.symbol, item.description.strip()
            )
        )
    return list({(item.path, item.line_start): item for item in reversed(found)}.values())[::-1]
