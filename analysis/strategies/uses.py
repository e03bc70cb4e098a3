"""Answers "Who uses X?": resolved uses, undecided ones apart, and an honest word on both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from analysis.documents import Section
from analysis.documents.links import Links
from analysis.documents.markdown import inline_code
from analysis.models import CodeReference, Reference, ReferenceList, SymbolChoice
from analysis.strategies.writing import code_line, line_link, listed

_MAX_LISTED = 40
_MAX_UNDECIDED = 15
_STOPPED = {"time": "the time limit", "size": "the size limit", "cancelled": "your cancel"}


@dataclass(frozen=True, slots=True)
class UsesAnswer:
    """The sections on the uses of a symbol, and what they cite."""

    sections: tuple[Section, ...]
    references: tuple[CodeReference, ...]
    notes: tuple[str, ...]


def uses_answer(
    found: ReferenceList, links: Links, choices: tuple[SymbolChoice, ...] = ()
) -> UsesAnswer:
    """Return the answer made of a list of uses.

    Args:
        found: The uses.
        links: Where the document's links must point to.
        choices: The definitions of that name, if there are several.
    """
    sections = [Section("Summary", _summary(found, links, choices))]
    if found.references:
        sections.append(Section("Where it is used", _listed(found.references, links, _MAX_LISTED)))
    if found.unverified:
        body = (
            "The name stands here too, but which definition is meant could not be decided:\n\n"
            f"{_listed(found.unverified, links, _MAX_UNDECIDED)}"
        )
        sections.append(Section("Undecided", body))
    return UsesAnswer(tuple(sections), _cited(found), tuple(_notes(found)))


def _summary(found: ReferenceList, links: Links, choices: tuple[SymbolChoice, ...]) -> str:
    name = inline_code(found.symbol)
    definition = found.definition
    n_files = len({use.path for use in found.references})
    where = ""
    if definition is not None:
        where = (
            f", defined at {line_link(definition.path, definition.line, definition.line, links)},"
        )
    sentences = [
        f"{name}{where} is used at {_count(len(found.references), 'place')} in "
        f"{_count(n_files, 'file')} that could be resolved."
    ]
    if choices:
        places = listed(
            f"{inline_code(c.qualified_name)} ({line_link(c.path, c.line, c.line, links)})"
            for c in choices[:5]
        )
        sentences.append(f"{_count(len(choices), 'definition')} share the name: {places}.")
    if found.unverified:
        sentences.append(
            f"{_count(len(found.unverified), 'further mention')} of the name could not be decided."
        )
    sentences.append("These are all." if found.complete else "There may be more.")
    return " ".join(sentences)


def _listed(uses: Iterable[Reference], links: Links, limit: int) -> str:
    """Return uses grouped by file, each with its line."""
    uses = list(uses)
    by_file: dict[str, list[Reference]] = defaultdict(list)
    for use in uses[:limit]:
        by_file[use.path].append(use)
    lines = []
    for inside in by_file.values():
        for use in inside:
            where = line_link(use.path, use.line, use.line, links)
            within = f" in {inline_code(use.enclosing)}" if use.enclosing else ""
            lines.append(f"- {where}{within}: {code_line(use.context)}")
    if len(uses) > limit:
        lines.append(f"- and {len(uses) - limit} more")
    return "\n".join(lines)


def _cited(found: ReferenceList) -> tuple[CodeReference, ...]:
    cited = []
    if found.definition is not None:
        d = found.definition
        cited.append(CodeReference(d.path, d.line, d.line, d.qualified_name, "definition"))
    for use in (*found.references[:_MAX_LISTED], *found.unverified[:_MAX_UNDECIDED]):
        cited.append(CodeReference(use.path, use.line, use.line, None, f"uses {found.symbol}"))
    return tuple(cited)


def _notes(found: ReferenceList) -> Iterable[str]:
    if found.stopped_by is not None:
        shown = len(found.references) + len(found.unverified)
        reason = _STOPPED.get(found.stopped_by, found.stopped_by)
        yield f"{shown} uses of at least {found.at_least} are shown: {reason} ended the search."
    elif not found.complete:
        yield "Uses through other names, strings or reflection cannot be found in the text."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
