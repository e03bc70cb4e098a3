"""Answers "Who uses X?": resolved uses, undecided ones apart, and an honest word on both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analysis.documents import Section
from analysis.documents.links import Links
from analysis.documents.markdown import inline_code
from analysis.incomplete import why_incomplete
from analysis.models import CodeReference, Reference, ReferenceList, SymbolChoice
from analysis.modes.offline.registration import told
from analysis.modes.writing import code_line, line_link, listed

_MAX_LISTED = 40
_MAX_UNDECIDED = 15
_MAX_OF_EACH = 12
MAX_DEFINITIONS = 5
"""Of how many definitions that share a name the uses are looked for."""
_STOPPED = {"time": "the time limit", "size": "the size limit", "cancelled": "your cancel"}


@dataclass(frozen=True, slots=True)
class UsesAnswer:
    """The sections on the uses of a symbol, and what they cite."""

    sections: tuple[Section, ...]
    references: tuple[CodeReference, ...]
    notes: tuple[str, ...]


def uses_answer(found: ReferenceList, links: Links) -> UsesAnswer:
    """Return the answer made of a list of uses.

    Args:
        found: The uses.
        links: Where the document's links must point to.
    """
    sections = [Section("Summary", _summary(found, links))]
    if found.references:
        sections.append(Section("Where it is used", _listed(found.references, links, _MAX_LISTED)))
    ways = told(found.indirections, links, title="", most=_MAX_UNDECIDED, with_all=True)
    sections += [Section("Registered, handed over or named by a string", ways)] if ways else []
    sections += _undecided(found.unverified, links)
    return UsesAnswer(tuple(sections), _cited(found), tuple(_notes(found)))


def uses_of_several(
    name: str, choices: Sequence[SymbolChoice], lists: Sequence[ReferenceList], links: Links
) -> UsesAnswer:
    """Return the answer for a name that several definitions share.

    Args:
        name: What was asked about.
        choices: All definitions of that name.
        lists: The uses of the first of them.
        links: Where the document's links must point to.
    """
    sections = [Section("Summary", _summary_of_several(name, choices, lists, links))]
    decided = {(use.path, use.line, use.column) for found in lists for use in found.references}
    undecided: dict[tuple[str, int, int], Reference] = {}
    for found in lists:
        for use in found.unverified:
            if (use.path, use.line, use.column) not in decided:
                undecided[use.path, use.line, use.column] = use
        if found.references:
            title = f"Where {found.symbol} of {_file_of(found)} is used"
            sections.append(Section(title, _listed(found.references, links, _MAX_OF_EACH)))
    sections += _undecided(tuple(undecided[place] for place in sorted(undecided)), links)
    cited = [reference for found in lists for reference in _cited(found, _MAX_OF_EACH)]
    notes = dict.fromkeys(note for found in lists for note in _notes(found))
    return UsesAnswer(tuple(sections), tuple(dict.fromkeys(cited)), tuple(notes))


def _undecided(uses: tuple[Reference, ...], links: Links) -> list[Section]:
    if not uses:
        return []
    body = (
        "The name stands here too, but which definition is meant could not be decided:\n\n"
        f"{_listed(uses, links, _MAX_UNDECIDED)}"
    )
    return [Section("Undecided", body)]


def _file_of(found: ReferenceList) -> str:
    return found.definition.path if found.definition is not None else "the code"


def _summary_of_several(
    name: str, choices: Sequence[SymbolChoice], lists: Sequence[ReferenceList], links: Links
) -> str:
    lines = [f"{_count(len(choices), 'definition')} are called {inline_code(name)}:\n"]
    for choice, found in zip(choices, lists, strict=False):
        where = line_link(choice.path, choice.line, choice.line, links)
        uses = _count(len(found.references), "place")
        why = why_incomplete(found)
        whole = f"there may be more: {why}" if why else "these are all"
        lines.append(
            f"- {inline_code(choice.qualified_name)} ({where}) is used at {uses} that could be "
            f"resolved; {whole}."
        )
    rest = choices[len(lists) :]
    if rest:
        places = (f"{inline_code(c.qualified_name)} in {inline_code(c.path)}" for c in rest[:5])
        more = f" and {len(rest) - 5} more" if len(rest) > 5 else ""
        lines.append(f"- The uses of {listed(places)}{more} were not looked for.")
    first = choices[0]
    at = inline_code(f"scope refs {name} --at {first.path}:{first.line}")
    lines.append(f"\nTo ask about one alone, name its place: {at}.")
    return "\n".join(lines)


def _summary(found: ReferenceList, links: Links) -> str:
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
    if found.unverified:
        sentences.append(
            f"{_count(len(found.unverified), 'further mention')} of the name could not be decided."
        )
    why = why_incomplete(found)
    sentences.append(f"There may be more: {why}." if why else "These are all.")
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


def _cited(found: ReferenceList, limit: int = _MAX_LISTED) -> tuple[CodeReference, ...]:
    cited = []
    if found.definition is not None:
        d = found.definition
        cited.append(CodeReference(d.path, d.line, d.line, d.qualified_name, "definition"))
    for verb, uses in (
        ("uses", found.references[:limit]),
        ("may use", found.unverified[:_MAX_UNDECIDED]),
    ):
        for use in uses:
            said = f"{verb} {found.symbol}"
            cited.append(CodeReference(use.path, use.line, use.line, None, said))
    return tuple(cited)


def _notes(found: ReferenceList) -> Iterable[str]:
    if found.stopped_by == "unread files":
        yield "Uses in files that are not read yet are missing."
    elif found.stopped_by is not None:
        shown = len(found.references) + len(found.unverified)
        reason = _STOPPED.get(found.stopped_by, found.stopped_by)
        yield f"{shown} uses of at least {found.at_least} are shown: {reason} ended the search."
    elif not found.complete:
        yield "Uses through other names, strings or reflection cannot be found in the text."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
