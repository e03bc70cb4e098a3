"""What a tool is: a typed function over the code base, a limit, and when to use it.

The signature and docstring of the function are what the model sees. Text of the repository stands
in a result only on lines that begin with a line number or a path; lines without are the tool's own
and hold no more of it than names.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from analysis.errors import AmbiguousSymbol, Cancelled, ScopeError, ToolFailed, ToolRetry
from analysis.llm.messages import Priority, ToolSpec
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex
    from analysis.models import AskRequest, CodeReference
    from analysis.tools.prompt_code import PromptCode

# A stop flag is set from any thread and only polled: this bounds how late it is seen.
_POLL_S = 0.05
_MOST_CHOICES = 10
_MAX_PROBLEM = 1_500

Problem = Literal["malformed", "retry", "failed"]
"""Why a call brought nothing: its arguments do not match the schema; they do, but name nothing that
is there; or no other arguments would help."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A place in the code."""

    path: str
    line_start: int
    line_end: int
    symbol: str | None = None
    """Qualified name of the definition that it is, if it is one."""


@dataclass(frozen=True, slots=True)
class ScopedContextInput:
    """What the document is to be made of: places in the code, never their contents."""

    question: str
    relevant_file_paths: tuple[str, ...]
    insights: str
    code_references: tuple[CodeReference, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call of a tool came to."""

    text: str
    """What the model reads, within the tool's limit; says how much is left and how to get it."""
    priority: Priority
    """What is given up first when a conversation has to be shortened: ``low``."""
    summary: str | None = None
    """A short form that may stand for the text later; None if the text is short enough."""
    shown: tuple[Shown, ...] = ()
    """Code that the model has read now: evidence for the document."""
    found: tuple[Shown, ...] = ()
    """Places that the result names without their code, best first."""
    paths: tuple[str, ...] = ()
    """Files of which something stands in the text."""
    ok: bool = True
    """False if the call brought nothing; the text says why, and what to do."""
    problem: Problem | None = None
    """Which kind of failure it was, if it was one."""
    final: ScopedContextInput | None = None
    """Set by ``generate_scoped_context`` alone: the search is over."""


ToolGate = Callable[[str, frozenset[str]], Awaitable[str | None]]
"""Takes a tool's name and needs; returns why it may not run, for the model, or None if it may."""


@dataclass(slots=True)
class ToolContext:
    """What tools work on in one run; shared by calls that run at the same time."""

    access: SmartFileAccess
    index: CodeIndex
    code: PromptCode
    """The one way to text of the code base."""
    request: AskRequest
    stop: StopFlag = field(default_factory=StopFlag)
    scopes: frozenset[str] | None = None
    """The kinds of context that the run may use; those of the request if None."""
    time_limit_s: float = 5.0
    """What takes longer is cut short, and says so (seconds)."""
    offered: frozenset[str] = frozenset()
    """Names of the tools that the model can call; set by ``Toolbox``."""
    approve: ToolGate | None = None
    """Who has to agree before a tool runs; nobody if None."""
    outlined: set[str] = field(default_factory=set)
    """Files of which the model has seen the outline."""


class Tool:
    """One operation that a model can call.

    Args:
        function: Takes a ``ToolContext`` and the arguments; blocks; raises ``ToolError`` or
            ``ScopeError`` for what the model should know.
        limit: The most characters of a result.
        needs: Kinds of context without which it cannot be used.
        name: What the model calls it, if not by the name of the function.
    """

    def __init__(
        self,
        function: Callable[..., ToolResult],
        limit: int,
        needs: Iterable[str] = (),
        name: str | None = None,
    ) -> None:
        self.function = function
        self.name = name or function.__name__
        self.limit = limit
        self.needs = frozenset(needs)

    @cached_property
    def description(self) -> str:
        """For the model: when to use it, what comes back, and what to do next."""
        from analysis.tools.schema import description_of

        return description_of(self.function)

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The model of its arguments."""
        from analysis.tools.schema import arguments_of

        return arguments_of(self.function)

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        from analysis.tools.schema import bare_schema

        return bare_schema(self.arguments)

    @cached_property
    def spec(self) -> ToolSpec:
        """The tool as the model sees it."""
        return ToolSpec(self.name, self.description, self.parameters)

    def check_scopes(self, context: ToolContext) -> None:
        """Make sure that the run may use what the tool needs.

        Raises:
            ToolFailed: It may not.
        """
        scopes = context.request.scopes if context.scopes is None else context.scopes
        if scopes is not None and (missing := self.needs.difference(scopes)):
            raise ToolFailed(
                f"{self.name} needs {' and '.join(sorted(missing))}, which is not in the scope of "
                "this run. Go on without it."
            )

    def checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments as the function takes them.

        Raises:
            MalformedCall: They do not match the schema, which is in the message.
        """
        from pydantic import ValidationError

        try:
            model = self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            raise MalformedCall(self._mismatch(error)) from error
        return {name: getattr(model, name) for name in self.arguments.model_fields}

    async def run(self, context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        """Return the result; the work is done in a thread, which a cancelled call leaves behind.

        Raises:
            ToolRetry: The model can mend the call.
            ToolFailed: It cannot.
            Cancelled: The run was stopped; work that cannot be interrupted ends by its own limit.
        """
        self.check_scopes(context)
        wanted = self.checked(arguments)
        if context.approve is not None:
            denial = await context.approve(self.name, self.needs)
            if denial is not None:
                raise ToolFailed(denial)
        stop = StopFlag(context.stop)
        inner = dataclasses.replace(context, stop=stop)
        task = asyncio.ensure_future(asyncio.to_thread(self._called, inner, wanted))
        try:
            while not (await asyncio.wait({task}, timeout=_POLL_S))[0]:
                stop.check()
            return task.result()
        finally:
            if not task.done():
                stop.set()
                task.add_done_callback(_forgotten)

    def _called(self, context: ToolContext, wanted: dict[str, Any]) -> ToolResult:
        """Run the function; what is for the user elsewhere is for the model here."""
        from analysis.tools.clean import cleaned

        context.stop.check()
        try:
            result = self.function(context, **wanted)
        except Cancelled:
            raise
        except AmbiguousSymbol as error:
            raise ToolRetry(_with_choices(error)) from error
        except ScopeError as error:
            raise ToolRetry(str(error)[:_MAX_PROBLEM]) from error
        return cleaned(result, self.limit)

    def _mismatch(self, error: ValidationError) -> str:
        """Return what is wrong with the arguments, with the schema."""
        import json

        wrong = "; ".join(self._sentence(item["loc"], item["msg"]) for item in error.errors()[:5])
        schema = json.dumps(self.parameters, ensure_ascii=False, separators=(",", ":"))
        return f"The arguments of {self.name} are wrong: {wrong}. They must match: {schema}"

    def _sentence(self, location: tuple[int | str, ...], message: str) -> str:
        """Return which argument is wrong, how, and which one may be meant."""
        name = ".".join(str(part) for part in location)[:80]
        known = list(self.arguments.model_fields)
        if len(location) == 1 and name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.5)
            meant = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known)}"
            return f"there is no argument {name!r}, {meant}"
        return f"{name!r}: {message[:1].lower()}{message[1:200]}"


class MalformedCall(ToolRetry):
    """A call whose arguments do not match the schema; the message shows it."""


def tool(
    limit: int, needs: Iterable[str] = ("workspace",), name: str | None = None
) -> Callable[[Callable[..., ToolResult]], Tool]:
    """Make a tool of a function; see ``Tool``."""
    return lambda function: Tool(function, limit, needs, name)


def _with_choices(error: AmbiguousSymbol) -> str:
    """Return what an ambiguous name could mean, one a line."""
    lines = [f"{c.path}:{c.line} {c.qualified_name}" for c in error.choices[:_MOST_CHOICES]]
    if len(error.choices) > _MOST_CHOICES:
        lines.append(f"({len(error.choices) - _MOST_CHOICES} more)")
    head = f"{error.message} Name one in full, or give its path or at=FILE:LINE:"
    return "\n".join([head, *lines])[:_MAX_PROBLEM]


def _forgotten(task: asyncio.Future[ToolResult]) -> None:
    """Take the outcome of work that nobody waits for any more, so that nothing is logged of it."""
    if not task.cancelled():
        task.exception()
