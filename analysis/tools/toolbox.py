"""The tools that a model is offered in one run: calls in, results out, never an exception."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from analysis.errors import Cancelled, ToolError, ToolFailed, ToolRetry
from analysis.llm.arguments import preview, tool_arguments
from analysis.tools.fitting import within
from analysis.tools.tool import MalformedCall, Problem, ToolResult

if TYPE_CHECKING:
    from analysis.llm.messages import ToolCall, ToolSpec
    from analysis.tools.tool import Tool, ToolContext

logger = logging.getLogger(__name__)

_MAX_PROBLEM = 4_000


class Toolbox:
    """Runs the calls of a model.

    Args:
        context: What the tools work on.
        names: Which tools are offered, by their key in ``registry.TOOLS``.
    """

    def __init__(self, context: ToolContext, names: Sequence[str]) -> None:
        from analysis.tools.registry import TOOLS

        self._tools: dict[str, Tool] = {TOOLS[name].name: TOOLS[name] for name in names}
        if len(self._tools) != len(names):
            raise ValueError(f"two of the tools {', '.join(names)} have the same name")
        self.context = replace(context, offered=frozenset(self._tools))

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as the model sees them."""
        return tuple(tool.spec for tool in self._tools.values())

    async def run(self, call: ToolCall) -> ToolResult:
        """Return what a call comes to; a failed one says why, for the model.

        Raises:
            Cancelled: The run was stopped.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            return _failure(self._unknown(call.name), "malformed")
        try:
            tool.check_scopes(self.context)
            return await tool.run(self.context, _arguments(call, tool))
        except Cancelled:
            raise
        except ToolError as error:
            return _failure(str(error), _kind(error))
        except Exception as error:  # The fence: a bug is logged whole, the model gets a sentence.
            logger.exception("The tool %r failed", call.name)
            return _failure(
                f"{call.name} failed: {type(error).__name__}. Other arguments or another tool may "
                "work.",
                "failed",
            )

    def _unknown(self, name: str) -> str:
        """Return that there is no such tool, and which one may be meant."""
        near = get_close_matches(name[:100], self._tools, n=1, cutoff=0.5)
        meant = f"Did you mean {near[0]}? " if near else ""
        return f"There is no tool {preview(name)!r}. {meant}There are: {', '.join(self._tools)}."


def _arguments(call: ToolCall, tool: Tool) -> dict[str, Any]:
    """Return what the model wrote as arguments.

    Raises:
        MalformedCall: It is no JSON object, or something is missing.
    """
    try:
        return tool_arguments(call, tool.spec)
    except ToolRetry as error:
        raise MalformedCall(str(error)) from error


def _kind(error: ToolError) -> Problem:
    if isinstance(error, ToolFailed):
        return "failed"
    return "malformed" if isinstance(error, MalformedCall) else "retry"


def _failure(message: str, problem: Problem) -> ToolResult:
    return ToolResult(within(message, _MAX_PROBLEM), "high", ok=False, problem=problem)
