"""Uses and calls as a model reads them: by file, the code itself first, within a limit.

Also what is the same for both when they are searched for: which definition is meant, and how a
list becomes JSON without secrets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from analysis.json_output import plain
from analysis.retrieval.file_roles import is_aside
from analysis.tools.definitions import place_of, split_name, without_module
from analysis.tools.fitting import compact, cut_line, shortened, with_lists_cut
from analysis.tools.tool import Shown
from analysis.workspace.paths import position_from

if TYPE_CHECKING:
    from analysis.indirection import Indirection
    from analysis.models import CallList, Position, ReferenceList
    from analysis.stopping import Deadline
    from analysis.tools.prompt_code import PromptCode
    from analysis.tools.tool import ToolContext

NameArgument = Annotated[
    str,
    Field(
        min_length=1,
        max_length=300,
        description="Plain or qualified name: 'login', 'Session.login'.",
    ),
]
AtArgument = Annotated[
    str | None,
    Field(
        description="Where the name is shared, a definition or use of the one that is meant, as "
        "'FILE:LINE' or 'FILE:LINE:COL'."
    ),
]
_MAX_LINE = 140
_MOST_WAYS = 8
_MOST_GIVEN = 40
# Of one file at first; what is left over is shown if there is room.
_FEW = 4
# The line that tells of the rest.
_NOTE = 260
_OTHERS = 8


@dataclass(frozen=True, slots=True)
class UseLine:
    """A line of code that uses something; its text is taken from clean code."""

    path: str
    line: int
    who: str | None
    """The definition around it, or the other end of a call."""


def definition_meant(
    context: ToolContext, name: str, at: str | None
) -> tuple[str, Position | None]:
    """Return the name of what is to be searched for, and where it is defined if that was said.

    Raises:
        BadInput: ``at`` is no place.
    """
    name, file = without_module(context.index, name)
    plain_name, _ = split_name(name)
    if at is not None:
        return plain_name, position_from(at)
    return plain_name, place_of(context.index, plain_name, file)


def end_reason(deadline: Deadline, stopped_by: str | None) -> str | None:
    """Return what ended a search that a deadline may have ended.

    Raises:
        Cancelled: The work around it was stopped.
    """
    deadline.around.check()
    return "time" if stopped_by == "cancelled" else stopped_by


def with_unverified(
    context: ToolContext,
    head: str,
    sure: Sequence[UseLine],
    unverified: Sequence[UseLine],
    *,
    title: str,
    limit: int,
    kept_back: int,
) -> tuple[list[str], tuple[Shown, ...]]:
    """Return lines with the uses under their head, those that could not be decided apart.

    Args:
        context: What tools work on.
        head: The first line.
        sure: Uses that were resolved.
        unverified: Uses that were not.
        title: The line above those.
        limit: The most characters of all lines.
        kept_back: What the undecided ones get at least, if there are any.
    """
    room = limit - len(head) - (kept_back if unverified else 0)
    block, shown = _listed(sure, context.code, room)
    lines = [head, *block]
    if unverified:
        lines.append(title)
        room = limit - sum(len(line) + 1 for line in lines)
        block, more = _listed(unverified, context.code, room)
        lines += block
        shown += more
    return lines, tuple(shown)


def uses_data(
    found: ReferenceList | CallList, uses: str, context: ToolContext, max_tokens: int
) -> dict[str, Any]:
    """Return uses or calls as JSON; their lines are those of clean code.

    Args:
        found: A list.
        uses: The name of its decided ones; the others are called ``unverified``.
        context: What tools work on.
        max_tokens: For all of it.
    """
    shape: dict[str, Any] = compact(plain(found))
    lists = tuple(name for name in (uses, "unverified", "values") if name in shape)
    some = allowed_ways(found.indirections[:_MOST_GIVEN], context.code)
    ways = compact({"ways": plain(tuple(some))})["ways"]
    for item in (item for name in lists for item in shape[name]):
        item["context"] = cut_line(item.get("context", ""))
        if isinstance(other := item.get("definition"), dict):
            # Its name is 'symbol'; what it takes is seen where it is read.
            item["definition"] = {"path": other["path"], "line": other["line"]}
    if "indirections" in shape:
        shape["indirections"] = ways
        lists = (*lists, "indirections")
    shape = with_lists_cut(shape, lists, max_tokens)
    for item in (item for name in lists for item in shape[name] if "context" in item):
        # Only of what is given: to clear a file takes longer than to search it.
        item["context"] = cut_line(context.code.line(item["path"], item["line"]))
    return shape


def allowed_ways(ways: Iterable[Indirection], code: PromptCode) -> Iterator[Indirection]:
    """Yield the ways to a definition that may be shown, without secrets."""
    wanted = list(ways)
    allowed = frozenset(code.allow(way.path for way in wanted))
    for way in wanted:
        if way.path in allowed:
            yield replace(way, text=code.cleared(way.path, way.text))


def way_lines(ways: Iterable[Indirection], code: PromptCode, room: int) -> list[str]:
    """Return the ways to a definition that does not call it by its name, as lines that fit."""
    wanted = list(allowed_ways(ways, code))
    lines: list[str] = []
    for way in wanted[:_MOST_WAYS]:
        may = "" if way.sure else "may be "
        line = cut_line(f"{way.path}:{way.line} {may}{way.text}", _MAX_LINE)
        room -= len(line) + 1
        if room < _NOTE:
            break
        lines.append(line)
    more = len(wanted) - len(lines)
    if not lines:
        return []
    rest = [f"and {more} more ways"] if more else []
    return ["Reached without being called by its name:", *lines, *rest]


def _listed(
    uses: Sequence[UseLine], code: PromptCode, max_chars: int
) -> tuple[list[str], list[Shown]]:
    """Return the uses that fit as lines, grouped by file, with a word on the rest.

    Args:
        uses: In any order; those in files that may not be shown are only counted.
        code: Where the lines come from.
        max_chars: For all lines.
    """
    by_path = _by_path(uses, code)
    lines: list[str] = []
    shown: list[Shown] = []
    left: dict[str, int] = {}
    room = max_chars - _NOTE
    for path, group in by_path.items():
        # Lines are read only while there is room: a hub is used in hundreds of files.
        few = group if len(by_path) <= _FEW else group[:_FEW]
        block = _block(path, few, code, room) if room > 0 else []
        room -= sum(len(line) + 1 for line in block)
        lines += block
        n_shown = max(len(block) - 1, 0)
        shown += [Shown(path, use.line, use.line) for use in group[:n_shown]]
        if n_shown < len(group):
            left[path] = len(group) - n_shown
            room = room if n_shown == _FEW else 0
    n_hidden = len(set(uses)) - sum(map(len, by_path.values()))
    if left or n_hidden:
        lines.append(_rest(left, n_hidden))
    return lines, shown


def _block(path: str, group: Sequence[UseLine], code: PromptCode, room: int) -> list[str]:
    """Return a file with those of its uses that fit; nothing if none does."""
    block = [path]
    room -= len(path) + 1
    for use in group:
        who = f" {use.who}:" if use.who and use.who != use.path else ""
        line = cut_line(f" {use.line}{who} {code.line(path, use.line)}", _MAX_LINE)
        room -= len(line) + 1
        if room < 0:
            break
        block.append(line)
    return block if len(block) > 1 else []


def _by_path(uses: Iterable[UseLine], code: PromptCode) -> dict[str, list[UseLine]]:
    """Return the uses by file, each once a line; tests and documents come last."""
    wanted = list(uses)
    allowed = frozenset(code.allow(use.path for use in wanted))
    by_path: dict[str, dict[UseLine, None]] = {}
    for use in sorted(wanted, key=lambda use: (is_aside(use.path), use.path, use.line)):
        if use.path in allowed:
            by_path.setdefault(use.path, {})[use] = None
    return {path: list(group) for path, group in by_path.items()}


def _rest(left: dict[str, int], n_hidden: int) -> str:
    """Return how many uses are not shown, and where they are."""
    names = ", ".join(f"{path} {count}" for path, count in list(left.items())[:_OTHERS])
    more = f", {len(left) - _OTHERS} more files" if len(left) > _OTHERS else ""
    where = f" in {shortened(names, _NOTE - 100)}{more}: narrow with path" if left else ""
    return f"({sum(left.values()) + n_hidden} more{where})"
