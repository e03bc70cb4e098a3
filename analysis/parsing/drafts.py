"""Definitions as they are found, flat, and how they become a tree of symbols."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from analysis.models import SymbolInfo, SymbolKind


@dataclass(slots=True)
class Draft:
    """A definition that was found, before its place among the others is known."""

    name: str
    kind: SymbolKind
    start: int
    """Byte offset of the first keyword, or of the name where there is none."""
    end: int
    line: int
    line_end: int
    signature: str
    name_line: int
    name_column: int
    decorated_line: int
    decorators: tuple[str, ...] = ()
    docstring: str | None = None
    exported: bool = True
    top_level: bool = False
    """Whether it stands at module level; ``exported`` is settled for those at the end."""
    owner: str = ""
    """Qualifier that no enclosing symbol gives: ``name`` in ``name.member = function``."""
    children: list[Draft] = field(default_factory=list)


# Kinds that give a name its value; an interface or a type may share its name with a variable.
_VALUES = frozenset({"function", "class", "method", "property", "enum"})

# What is nested deeper, in generated code at most, is listed at this depth: outlines are compared,
# sent to other processes and drawn by code that recurses.
_MAX_DEPTH = 40


def nest(drafts: Iterable[Draft]) -> list[Draft]:
    """Return the outermost drafts in order of the text, the others as their children.

    Where a broken file makes two of them overlap, the later one is cut to the earlier. What a
    parser makes up there without a name is none.
    """
    top: list[Draft] = []
    open_: list[Draft] = []
    named = (draft for draft in drafts if draft.name)
    for draft in sorted(named, key=lambda d: (d.start, -d.end)):
        while open_ and open_[-1].end <= draft.start:
            open_.pop()
        if open_:
            _fit(draft, open_[-1])
        parent = open_[:_MAX_DEPTH][-1:]
        (parent[0].children if parent else top).append(draft)
        open_.append(draft)
    return top


def _fit(draft: Draft, outer: Draft) -> None:
    """Cut a draft to the one around it; in a file that parses it lies inside already."""
    draft.end = min(draft.end, outer.end)
    draft.line = min(max(draft.line, outer.line), draft.name_line)
    draft.line_end = max(draft.name_line, min(draft.line_end, outer.line_end))
    if not outer.line <= draft.decorated_line <= draft.line:
        draft.decorated_line = draft.line


def symbols_from(top: list[Draft]) -> tuple[SymbolInfo, ...]:
    """Return nested drafts as symbols, with qualified names; rebindings are left out."""
    order = [(draft, "") for draft in _without_rebindings(top)]
    for draft, qualifier in order:  # grows while it is read: breadth first, no recursion
        prefix = f"{qualifier}{draft.owner and draft.owner + '.'}{draft.name}."
        draft.children = _without_rebindings(draft.children)
        order.extend((child, prefix) for child in draft.children)
    built: dict[int, SymbolInfo] = {}
    for draft, qualifier in reversed(order):
        children = tuple(built[id(child)] for child in draft.children)
        built[id(draft)] = _symbol(draft, qualifier, children)
    return tuple(built[id(draft)] for draft in _without_rebindings(top))


def _symbol(draft: Draft, qualifier: str, children: tuple[SymbolInfo, ...]) -> SymbolInfo:
    return SymbolInfo(
        name=draft.name,
        qualified_name=f"{qualifier}{draft.owner and draft.owner + '.'}{draft.name}",
        kind=draft.kind,
        line=draft.line,
        line_end=draft.line_end,
        signature=draft.signature,
        name_line=draft.name_line,
        name_column=draft.name_column,
        decorated_line=draft.decorated_line,
        children=children,
        decorators=draft.decorators,
        docstring=draft.docstring,
        exported=draft.exported,
    )


def _without_rebindings(siblings: list[Draft]) -> list[Draft]:
    """Return the siblings, in order of their lines, without variables that have a value already.

    One that holds definitions is kept all the same.
    """
    defined = {(d.owner, d.name) for d in siblings if d.kind in _VALUES}
    kept: list[Draft] = []
    for draft in sorted(siblings, key=lambda draft: draft.line):
        if draft.kind == "variable":
            if (draft.owner, draft.name) in defined and not draft.children:
                continue
            defined.add((draft.owner, draft.name))
        kept.append(draft)
    return kept
