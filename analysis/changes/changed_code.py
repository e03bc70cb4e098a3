"""The definitions that changes belong to: what has changed, what is new, what is gone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from analysis.models import Candidate, Span, SymbolInfo
from analysis.parsing.find_symbols import walk

if TYPE_CHECKING:
    from analysis.changes.change_set import ChangedFile, ChangeSet
    from analysis.documents import CodeView


@dataclass(frozen=True, slots=True)
class ChangedDefinition:
    """A definition in which lines have changed."""

    path: str
    info: SymbolInfo
    kind: Literal["changed", "new"]
    lines: tuple[Span, ...]
    """Lines of it that are new or others than before; none if only some are gone."""
    n_removed: int = 0
    """How many lines stood in it before and do not now."""


@dataclass(frozen=True, slots=True)
class GoneDefinition:
    """A definition that stood in a file before, and does not now."""

    path: str
    """The file, by its name of now."""
    info: SymbolInfo
    """As it was: its lines are those of then."""


@dataclass(frozen=True, slots=True)
class ChangedCode:
    """What changes come to in terms of the code."""

    definitions: tuple[ChangedDefinition, ...] = ()
    gone: tuple[GoneDefinition, ...] = ()
    lines: tuple[Span, ...] = ()
    """Changed lines that stand in no definition; none of files that are new as a whole."""


def changed_code(changes: ChangeSet, code: CodeView) -> ChangedCode:
    """Return the definitions that changes belong to, in the order of files and lines; blocking."""
    definitions: list[ChangedDefinition] = []
    gone: list[GoneDefinition] = []
    lines: list[Span] = []
    for file in changes.files:
        if file.old_text is None and not file.hunks:
            continue
        before = _symbols_of(file, file.old_text)
        then = _symbols_of(file, file.then_text)
        now = code.symbols(file.path) if file.change.kind != "deleted" else ()
        found, loose = _in_definitions(file, now, {info.qualified_name for info in before})
        definitions += found
        if file.change.kind != "new":
            text = code.lines(file.path) or ()
            lines += [span for span in loose if any(map(str.strip, _text_of(span, text)))]
        gone += _gone(file.path, before, [*then, *now])
    return ChangedCode(tuple(definitions), tuple(gone), tuple(lines))


def candidates_of(code: ChangedCode) -> list[Candidate]:
    """Return what has changed as places that may answer a question; they have no score."""
    return [
        Candidate(
            item.path,
            item.info.decorated_line,
            item.info.line_end,
            item.info.qualified_name,
            item.info.kind,
            item.info.signature,
            0.0,
            ("It is new." if item.kind == "new" else "It has changed.",),
        )
        for item in code.definitions
    ]


def _text_of(span: Span, lines: Sequence[str]) -> Sequence[str]:
    return lines[span.line_start - 1 : span.line_end]


def _symbols_of(file: ChangedFile, text: str | None) -> tuple[SymbolInfo, ...]:
    """Return what a file defined when it held another text."""
    from analysis.parsing.outline import outline_of

    if not text:
        return ()
    return tuple(walk(outline_of(file.change.old_path or file.path, text)))


def _in_definitions(
    file: ChangedFile, now: Sequence[SymbolInfo], before: set[str]
) -> tuple[list[ChangedDefinition], list[Span]]:
    """Return the innermost definitions that hold changed lines, and the lines that none holds."""
    owners: dict[int, SymbolInfo] = {}
    for info in now:  # Outer ones come before the ones inside them.
        owners.update(dict.fromkeys(range(info.decorated_line, info.line_end + 1), info))
    added = {n for hunk in file.hunks for n in range(hunk.new_start, hunk.new_end + 1)}
    new = _new_definitions(now, before, added)
    by_owner: dict[SymbolInfo | None, list[int]] = {info: [] for info in new}
    removed: dict[SymbolInfo, int] = {}
    for hunk in file.hunks:
        for number in range(hunk.new_start, hunk.new_end + 1):
            owner = owners.get(number)
            around = next((i for i in new if i.decorated_line <= number <= i.line_end), None)
            by_owner.setdefault(around or owner, []).append(number)
        first, last = owners.get(hunk.new_start), owners.get(max(hunk.new_end, hunk.new_start - 1))
        if hunk.old_lines and not hunk.n_new:
            first = _common(owners.get(hunk.new_start - 1), first, now)
            last = first
        if hunk.old_lines and first is not None and first == last:
            by_owner.setdefault(first, [])
            removed[first] = removed.get(first, 0) + len(hunk.old_lines)
    found = [
        ChangedDefinition(
            file.path,
            info,
            "new" if info in new else "changed",
            _spans(file.path, numbers),
            0 if info in new else removed.get(info, 0),
        )
        for info, numbers in by_owner.items()
        if info is not None
    ]
    found.sort(key=lambda item: item.info.decorated_line)
    return found, list(_spans(file.path, by_owner.get(None, ())))


def _new_definitions(
    now: Sequence[SymbolInfo], before: set[str], added: set[int]
) -> list[SymbolInfo]:
    """Return the definitions whose names were not there before, without those inside of one."""
    found: list[SymbolInfo] = []
    for info in now:
        is_inside = any(
            other.decorated_line <= info.line and info.line_end <= other.line_end for other in found
        )
        if info.qualified_name not in before and not is_inside and info.name_line in added:
            found.append(info)
    return found


def _common(
    one: SymbolInfo | None, other: SymbolInfo | None, now: Sequence[SymbolInfo]
) -> SymbolInfo | None:
    """Return the innermost definition around two others; None if there is none."""
    if one is None or other is None:
        return None
    first, last = sorted((one, other), key=lambda info: info.decorated_line)
    around = [
        i for i in now if i.decorated_line <= first.decorated_line and last.line_end <= i.line_end
    ]
    return around[-1] if around else None


def _gone(
    path: str, before: Sequence[SymbolInfo], now: Sequence[SymbolInfo]
) -> list[GoneDefinition]:
    """Return what is not defined any more, without what was inside of it."""
    known = {info.qualified_name for info in now}
    found: dict[str, GoneDefinition] = {}
    for info in before:
        name = info.qualified_name
        parts = name.split(".")
        is_inside = any(".".join(parts[:n]) in found for n in range(1, len(parts)))
        if name not in known and name not in found and not is_inside:
            found[name] = GoneDefinition(path, info)
    return list(found.values())


def _spans(path: str, numbers: Iterable[int]) -> tuple[Span, ...]:
    """Return lines as runs."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] + 1 == number:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return tuple(Span(path, start, end) for start, end in runs)
