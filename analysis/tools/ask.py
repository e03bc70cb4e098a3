"""The tool that answers a question for agents, offline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from analysis.errors import ToolFailed
from analysis.json_output import answer_shape
from analysis.models import Answer
from analysis.tools.fitting import cost, with_lists_cut, with_text_cut, within
from analysis.tools.tool import ToolContext, ToolOutput, ToolResult, tool

LIMIT = 8_000


@tool(LIMIT, title="Answer a question")
def ask(
    context: ToolContext,
    question: Annotated[str, Field(min_length=1)],
    top_k: Annotated[int, Field(ge=1, le=200)] = 20,
) -> ToolOutput:
    """Get a finished overview for a broad question ('How does login work?'): a markdown document
    with key files, how they call each other, and references that were checked against the code.
    Works offline, without a model; nothing is written to disk. Use it for a first map of a topic
    that spans files; use analyze when you look for one place. Next: read_symbol for the references
    that you rely on.

    Args:
        question: What you want to know about the code base.
        top_k: How many candidates are considered.
    """  # noqa: D205 (all of it is one paragraph of the schema)
    if context.answer is None:
        raise ToolFailed("ask is for agents. Answer the question yourself.")
    return Overview(context.answer(question.strip(), top_k))


@dataclass(frozen=True, slots=True)
class Overview(ToolOutput):
    """An answer that was not written to disk."""

    answer: Answer

    def text(self, context: ToolContext) -> ToolResult:
        """Return the document."""
        return ToolResult(within(self._markdown(context), LIMIT), "high")

    def data(self, context: ToolContext, max_tokens: int) -> dict[str, Any]:
        """Return the shape of an answer; where it is too long, references go first."""
        shape = {**answer_shape(self.answer), "markdown": self._markdown(context)}
        if cost({**shape, "references": []}) > max_tokens:
            # Half is for the document: it says all of this in words.
            bare = {**shape, "references": [], "markdown": ""}
            cut = with_lists_cut(bare, ("path", "guesses"), max_tokens // 2)
            cut["left_out"] += len(shape["references"])
            return with_text_cut({**cut, "markdown": shape["markdown"]}, "markdown", max_tokens)
        return with_lists_cut(shape, ("references",), max_tokens)

    def _markdown(self, context: ToolContext) -> str:
        """Return the document without what was struck out of any file that it quotes."""
        markdown = self.answer.markdown
        for path in dict.fromkeys(reference.path for reference in self.answer.references):
            markdown = context.code.cleared(path, markdown)
        return markdown
