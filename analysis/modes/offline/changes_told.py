"""What attached changes come to, in words: each place with the lines that bear it out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from analysis.documents.markdown import inline_code
from analysis.modes.writing import (
    CHARS,
    code_line,
    file_link,
    line_link,
    line_of,
    line_told,
    listed,
    named,
)
from analysis.retrieval.file_roles import is_aside
from analysis.workspace.git_changes import UNCOMMITTED

if TYPE_CHECKING:
    from analysis.changes.change_set import ChangedFile
    from analysis.documents import CodeView
    from analysis.documents.links import Links
    from analysis.modes.offline.impact import ChangedPlace, GonePlace, Impact
    from analysis.modes.places import CallEdge

_MOST_PLACES = 12
_MOST_NAMED = 20
_MOST_USERS = 4
_MOST_RUNS = 3
_MOST_FILES = 8
_CLOSING = "Told from what git has stored and from the code as it is now; no model was asked."


def changes_told(impact: Impact, code: CodeView, links: Links) -> str:
    """Return what has changed, who uses it, and what is not known of it."""
    parts = [_lead(impact)]
    told = impact.places[:_MOST_PLACES]
    parts.append("\n".join(_place(item, code, links) for item in told))
    rest = impact.places[_MOST_PLACES:]
    if rest:
        names = [inline_code(item.place.name) for item in rest[:_MOST_NAMED]]
        more = len(rest) - len(names)
        parts.append(f"Further: {', '.join(names)}{f' and {more} more' if more else ''}.")
    parts += [
        _bullets("No longer defined:", [_gone(item, code, links) for item in impact.gone]),
        _bullets("Outside of definitions:", _lines(impact, code, links)),
        _bullets("Files:", _files(impact.changes.files, links)),
        _bullets("Not among them:", impact.changes.notes),
    ]
    if impact.changes.files:
        parts.append(_CLOSING)
    return "\n\n".join(part for part in parts if part)


def not_looked_at(impact: Impact) -> Iterator[str]:
    """Yield what of changes the answer is not based on, as sentences."""
    left = [i for i in impact.places if not i.is_looked_at and not is_aside(i.place.path)]
    if left:
        yield f"Who uses {len(left)} of the changed definitions was not looked for."


def _lead(impact: Impact) -> str:
    changes = impact.changes
    since = f" {changes.since}" if changes.since else ""
    if not changes.since:
        return "What has changed is not known."
    if not changes.files:
        where = " that is searched" if changes.notes else ""
        return f"Nothing{where} has changed{since}."
    kinds = [item.definition.kind for item in impact.places]
    n_files = len(changes.files)
    counts = ((kinds.count("changed"), "changed"), (kinds.count("new"), "new"),
              (len(impact.gone), "gone"))  # fmt: skip
    said = listed(f"{n} {what}" for n, what in counts if n)
    what = "Not committed" if changes.wanted == UNCOMMITTED else "Changed"
    files = f"{n_files} file{'s' if n_files > 1 else ''}"
    definitions = f", with definitions: {said}" if said else ", no definition among it"
    return f"{what}{since}: {files}{definitions}."


def _place(item: ChangedPlace, code: CodeView, links: Links) -> str:
    """Return a changed definition with those who use it, as an item with items below."""
    definition = item.definition
    if definition.kind == "new":
        what = "is new"
    elif definition.lines:
        runs = [
            line_link(s.path, s.line_start, s.line_end, links)
            for s in definition.lines[:_MOST_RUNS]
        ]
        more = len(definition.lines) - len(runs)
        what = f"has changed at {listed(runs)}{f' and {more} more places' if more else ''}"
    else:
        n = definition.n_removed
        what = f"has lost {n} line{'s' if n > 1 else ''}"
    lines = [f"- {named(item.place, links)} {what}."]
    if item.is_looked_at:
        lines += [f"  - {_used(edge, code, links)}" for edge in item.users[:_MOST_USERS]]
        if end := _end_of_users(item):
            lines.append(f"  - {end}")
        if item.test is not None:
            where = line_told(item.test.path, item.test.line, code, links)
            lines.append(f"  - {item.test.said}: {where}.")
    return "\n".join(lines)


def _used(edge: CallEdge, code: CodeView, links: Links) -> str:
    where = line_told(edge.source.path, edge.line, code, links)
    if edge.source.info is None:
        return f"{'Used' if edge.resolved else 'It may be used'} at {where}"
    return f"{named(edge.source, links)} {edge.verb} it at {where}"


def _end_of_users(item: ChangedPlace) -> str:
    more = len(item.users) - _MOST_USERS
    if more > 0:
        return f"{more} more use it{'' if item.all_users else ', at least'}, or may."
    if item.all_users:
        others = "There are no other uses" if item.users else "Nothing outside of it uses it"
        return f"{others}, imports aside."
    return "" if item.users else "No use of it was found."


def _gone(item: GonePlace, code: CodeView, links: Links) -> str:
    """Return what is gone, and where its name still stands: not all of these need mean it."""
    where = inline_code(item.path)
    said = f"{inline_code(item.name)}, which stood in {where}"
    if not item.spelled:
        return f"{said}; its name stands nowhere in the code that is searched."
    places = [line_told(s.path, s.line_start, code, links) for s in item.spelled]
    return f"{said}; its name still stands at {'; '.join(places)}."


def _lines(impact: Impact, code: CodeView, links: Links) -> Iterator[str]:
    shown = impact.code.lines[:_MOST_FILES]
    for span in shown:
        first = line_of(span.path, span.line_start, code)
        where = line_link(span.path, span.line_start, span.line_end, links)
        yield f"{where}: {code_line(first[:CHARS])}" if first.strip() else where
    more = len(impact.code.lines) - len(shown)
    if more:
        yield f"and {more} more places"


def _files(files: Sequence[ChangedFile], links: Links) -> Iterator[str]:
    """Yield the files of which more is to say than that lines have changed."""
    told = [line for file in files if (line := _file(file, links))]
    yield from told[:_MOST_FILES]
    if len(told) > _MOST_FILES:
        yield f"and {len(told) - _MOST_FILES} more"


def _file(file: ChangedFile, links: Links) -> str:
    change, here = file.change, file_link(file.path, links)
    if change.kind == "deleted":
        return f"{inline_code(file.path)} is deleted"
    if file.why_not:
        return f"{here}: its lines are not told, {file.why_not}"
    old = inline_code(change.old_path or "")
    words = {
        "new": f"{here} is new{', and not known to git yet' if change.is_untracked else ''}",
        "renamed": f"{here} was {old}{'' if file.hunks else ', and holds the same'}",
        "mode": f"{here} may be executed now or no longer; its text is the same",
        "submodule": f"{inline_code(file.path)} is a submodule that stands at another commit",
        "link": f"{inline_code(file.path)} is a link, or was one",
        "conflict": f"{here} is in conflict; its lines are compared with your side",
    }
    if change.kind in words:
        return words[change.kind]
    return "" if file.hunks else f"{here}: nothing of these changes stands there now"


def _bullets(title: str, items: Iterable[str]) -> str:
    lines = [f"- {item}" for item in items]
    return "\n".join([f"{title}\n", *lines]) if lines else ""
