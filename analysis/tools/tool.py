"""What a tool is: a typed function over the code base that returns data, and two ways to write it.

The signature and docstring of the function are what a model sees. What the function returns is
written as text for our own model (``ToolOutput.text``) and as JSON for agents that we serve
(``ToolOutput.data``). Text of the repository stands in a text only on lines that begin with a line
number or a path; lines without are the tool's own and hold no more of it than names.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from analysis.errors import AmbiguousSymbol, Cancelled, ScopeError, ToolFailed, ToolRetry
from analysis.json_output import plain
from analysis.llm.messages import Priority, ToolSpec
from analysis.llm.redact import redacted
from analysis.models import Span
from analysis.stopping import Deadline, StopFlag
from analysis.tools.bounds import within_bounds
from analysis.tools.fitting import compact, with_lists_cut, within

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex
    from analysis.index.difference import RefreshReport
    from analysis.models import Answer, AskRequest, CodeReference
    from analysis.tools.prompt_code import PromptCode

# A stop flag is set from any thread and only polled: this bounds how late it is seen.
_POLL_S = 0.05
_MOST_CHOICES = 10
_MAX_PROBLEM = 1_500
_READERS = ("browse_file", "read_file")

Problem = Literal["malformed", "retry", "failed"]
"""Why a call brought nothing: its arguments do not match the schema; they do, but name nothing that
is there; or no other arguments would help."""


@dataclass(frozen=True, slots=True)
class Shown(Span):
    """A place in the code."""

    symbol: str | None = None
    """Qualified name of the definition that it is, if it is one."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a model reads of a call of a tool."""

    text: str
    """Within the tool's limit; says how much is left and how to get it."""
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


class ToolOutput(ABC):
    """What a tool found, as data: a frozen dataclass that extends this."""

    @abstractmethod
    def text(self, context: ToolContext) -> ToolResult:
        """Return it for the model, within the limit that the tool states.

        Raises:
            ToolError, ScopeError: What was found is of no use to a model; the message says why.
        """

    def data(self, context: ToolContext, max_tokens: int) -> dict[str, Any]:
        """Return it as JSON for agents: the fields, with as many items of its lists as fit."""
        shape: dict[str, Any] = compact(plain(self))
        lists = tuple(name for name, value in shape.items() if isinstance(value, list))
        return with_lists_cut(shape, lists, max_tokens)


@dataclass(frozen=True, slots=True)
class ScopedContextInput(ToolOutput):
    """What the document is to be made of: places in the code, never their contents."""

    question: str
    relevant_file_paths: tuple[str, ...]
    insights: str
    code_references: tuple[CodeReference, ...] = ()

    def text(self, context: ToolContext) -> ToolResult:
        """Return that the search is over."""
        n_files, n_places = len(self.relevant_file_paths), len(self.code_references)
        text = f"The document is made of {n_files} files and {n_places} places."
        return ToolResult(text, "high", text, final=self)


ToolGate = Callable[[str, frozenset[str]], Awaitable[str | None]]
"""Takes a tool's name and needs; returns why it may not run, for the model, or None if it may."""


@dataclass(slots=True)
class ToolContext:
    """What tools work on in one run, or in one call of an agent; shared by calls at one time."""

    access: SmartFileAccess
    index: CodeIndex
    code: PromptCode
    """The one way to text of the code base."""
    request: AskRequest | None = None
    """The question of the run; None for calls of agents, which may use everything."""
    stop: StopFlag = field(default_factory=StopFlag)
    scopes: frozenset[str] | None = None
    """The kinds of context that the run may use; those of the request if None."""
    time_limit_s: float | None = 5.0
    """What takes longer is cut short, and says so (seconds)."""
    offered: frozenset[str] = frozenset()
    """Names of the tools that can be called."""
    approve: ToolGate | None = None
    """Who has to agree before a tool runs; nobody if None."""
    outlined: set[str] = field(default_factory=set)
    """Files of which the model has seen the outline."""
    in_sight: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Lines that stand in full in the conversation, by file; they are not read out again."""
    report: RefreshReport | None = None
    """How the index was brought up to date for this call; None inside of a run."""
    answer: Callable[[str, int], Answer] | None = None
    """Answers a question from so many candidates, offline; None inside of a run."""
    search_organisation: Callable[[str, int, str | None], Mapping[str, Any]] | None = None
    """Finds so many places for a question in an organisation's repositories, or in the one of a
    name, over a connection to its server; None where none is configured."""

    def deadline(self) -> Deadline:
        """Return the end of a search that starts now."""
        return Deadline(self.time_limit_s, self.stop)

    def how_to_read(self, first: int, last: int) -> str:
        """Return what to call for the lines of a file from ``first`` to ``last``."""
        if "read_lines" not in self.offered:
            for name in _READERS:
                if name in self.offered:
                    return f"{name}, from_line={first}"
        return f"read_lines, {first}-{last}"


@dataclass(frozen=True, slots=True)
class Announcement:
    """A tool as agents see it: those of ``scope mcp``, and those of the editor."""

    name: str
    title: str
    """Two or three words for people."""
    description: str
    schema: Mapping[str, Any]
    """JSON schema of the arguments."""


@dataclass(frozen=True)
class Tool:
    """One operation that a model or an agent can call."""

    function: Callable[..., ToolOutput]
    """Takes a ``ToolContext`` and the arguments; blocks; raises ``ToolError`` or ``ScopeError`` for
    what the caller should know."""
    limit: int
    """The most characters of a text; agents say by ``max_tokens`` what they take."""
    key: str
    """Its name in the registry."""
    name: str
    """What the model calls it."""
    title: str = ""
    """Two or three words for people; made of the name if empty."""
    needs: frozenset[str] = frozenset({"workspace"})
    """Kinds of context without which it cannot be used."""
    needs_index: bool = True
    """Whether it waits for the code base to be read."""
    served_as: tuple[str, str] | None = None
    """Name and description for agents where they differ from those for the model."""

    @cached_property
    def description(self) -> str:
        """For the model: when to use it, what comes back, and what to do next."""
        from analysis.tools.schema import description_of

        return description_of(self.function)

    @property
    def served_name(self) -> str:
        """What agents call it."""
        return self.served_as[0] if self.served_as else self.name

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

    @cached_property
    def announcement(self) -> Announcement:
        """The tool as agents see it; they say how many tokens they take."""
        from analysis.tools.schema import slim_schema

        name, description = self.served_as or (self.name, self.description)
        title = self.title or name.replace("_", " ").capitalize()
        return Announcement(name, title, description, slim_schema(self._with_budget))

    @cached_property
    def _with_budget(self) -> type[BaseModel]:
        from analysis.tools.schema import with_max_tokens

        return with_max_tokens(self.arguments)

    def check_scopes(self, context: ToolContext) -> None:
        """Make sure that the run may use what the tool needs.

        Raises:
            ToolFailed: It may not.
        """
        scopes: Iterable[str] | None = context.scopes
        if scopes is None and context.request is not None:
            scopes = context.request.scopes
        if scopes is not None and (missing := self.needs.difference(scopes)):
            raise ToolFailed(
                f"{self.name} needs {' and '.join(sorted(missing))}, which is not in the scope of "
                "this run. Go on without it."
            )

    def checked(self, arguments: Mapping[str, Any], *, for_agent: bool = False) -> dict[str, Any]:
        """Return the arguments as the function takes them; those of an agent with ``max_tokens``.

        Raises:
            MalformedCall: They do not match the schema, which is in the message.
        """
        from pydantic import ValidationError

        expected = self._with_budget if for_agent else self.arguments
        given = dict(arguments) if for_agent else within_bounds(arguments, self.parameters)
        try:
            model = expected.model_validate(given)
        except ValidationError as error:
            schema = self.announcement.schema if for_agent else self.parameters
            raise MalformedCall(self._mismatch(error, schema)) from error
        return {name: getattr(model, name) for name in expected.model_fields}

    async def run(self, context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        """Return what the model reads; the work is done in a thread, which a cancelled call leaves.

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
        task = asyncio.ensure_future(asyncio.to_thread(self._told, inner, wanted))
        try:
            while not (await asyncio.wait({task}, timeout=_POLL_S))[0]:
                stop.check()
            return task.result()
        finally:
            if not task.done():
                stop.set()
                task.add_done_callback(_forgotten)

    def serve(self, context: ToolContext, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Return what an agent reads, without secrets; blocks.

        Args:
            context: What the tool works on.
            wanted: As ``checked`` returned it for an agent.

        Raises:
            ToolError, ScopeError: The tool cannot answer.
        """
        from analysis.tools.prompt_code import cleared

        arguments = dict(wanted)
        max_tokens = arguments.pop("max_tokens")
        found = self.function(context, **arguments)
        shape: dict[str, Any] = cleared(found.data(context, max_tokens))
        return shape

    def _told(self, context: ToolContext, wanted: dict[str, Any]) -> ToolResult:
        """Run the function; what is for the user elsewhere is for the model here."""
        context.stop.check()
        gap = context.access.gap() if self.needs_index else ""
        try:
            result = self.function(context, **wanted).text(context)
        except Cancelled:
            raise
        except AmbiguousSymbol as error:
            raise ToolRetry(_with_choices(error)) from error
        except ScopeError as error:
            raise ToolRetry(" ".join([str(error)[:_MAX_PROBLEM], gap]).rstrip()) from error
        text = within(redacted(result.text).text, self.limit - len(gap))
        return dataclasses.replace(
            result,
            text=f"{text}\n{gap}" if gap else text,
            summary=result.summary and within(redacted(result.summary).text, self.limit),
        )

    def _mismatch(self, error: ValidationError, schema: Mapping[str, Any]) -> str:
        """Return what is wrong with the arguments, with the schema."""
        known = list(schema["properties"])
        wrong = "; ".join(_problem(item["loc"], item["msg"], known) for item in error.errors()[:5])
        written = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
        return f"The arguments of {self.name} are wrong: {wrong}. They must match: {written}"


class MalformedCall(ToolRetry):
    """A call whose arguments do not match the schema; the message shows it."""


def tool(limit: int, name: str = "", **options: Any) -> Callable[[Callable[..., ToolOutput]], Tool]:
    """Make a tool of a function, which it is named after; the options are fields of ``Tool``."""
    return lambda function: Tool(
        function, limit, function.__name__, name or function.__name__, **options
    )


def _problem(location: tuple[int | str, ...], message: str, known: list[str]) -> str:
    """Return which argument is wrong, how, and which one may be meant."""
    name = ".".join(str(part) for part in location)[:80]
    if len(location) == 1 and name not in known:
        near = get_close_matches(name, known, n=1, cutoff=0.5)
        meant = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known)}"
        return f"there is no argument {name!r}, {meant}"
    return f"{name!r}: {message[:1].lower()}{message[1:200]}"


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
