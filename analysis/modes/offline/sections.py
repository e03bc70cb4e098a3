"""The sections of an answer: the summary, how it fits together, the code itself, the files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analysis.documents import Section
from analysis.documents.links import Links
from analysis.documents.markdown import code_block, inline_code
from analysis.models import Candidate, CodeReference
from analysis.modes.offline.excerpts import comment_at, excerpts, first_sentence
from analysis.modes.offline.explore import Exploration
from analysis.modes.places import CallEdge, Place, place_of
from analysis.modes.writing import (
    code_line,
    file_link,
    line_link,
    listed,
    n_words,
    name_link,
    named,
    quoted,
)
from analysis.parsing.languages import language_of

_MAX_EDGES = 12
_MAX_SHOWN = 8
_MAX_FILES = 6
MAX_WORDS = 150
_CLOSING = "Assembled from names, docstrings and calls in the code; no model was asked."
_MAX_RELATED = 3
_MAX_MEMBERS = 8
_MAX_WORDS_MISSING = 6
_NOT_PLAIN = re.compile(r"[^\w./$-]")


def searched(*, is_partial: bool) -> str:
    """Return what was searched: nothing is said of files that were not read."""
    return "the files that were read" if is_partial else "the code"


def not_in_code(words: Sequence[str], *, is_partial: bool = False) -> str:
    """Return the sentence that tells which words of the question the code does not hold.

    >>> not_in_code(["kafka", "topics"])
    'Not in the code: `kafka` and `topics`. What follows goes by the rest of the question.'
    """
    some = [inline_code(word) for word in words[:_MAX_WORDS_MISSING]]
    more = len(words) - len(some)
    missing = f"{', '.join(some)} and {more} more words" if more else listed(some)
    where = searched(is_partial=is_partial)
    return f"Not in {where}: {missing}. What follows goes by the rest of the question."


def summary(found: Exploration, links: Links, *, is_partial: bool = False) -> str:
    """Return at most 150 words on the way through the code that answers the question."""
    if found.chain is None:
        if found.best or found.files:
            return f"No definition stands out; the files below fit best. {_CLOSING}"
        where = searched(is_partial=is_partial)
        return f"Nothing in {where} matches the question. {_CLOSING}"
    lead, steps = _lead(found, links), list(_steps(found, links))
    left = MAX_WORDS - n_words(f"{lead} {_CLOSING}")
    kept: list[str] = []
    for step in steps:
        left -= n_words(step)
        if left < 0:
            break
        kept.append(step)
    related = _related(found, links)
    closing = f"{related} {_CLOSING}" if related and left >= n_words(related) else _CLOSING
    return "\n\n".join(part for part in (lead, "\n".join(kept), closing) if part)


def _lead(found: Exploration, links: Links) -> str:
    """Return the sentence that names the entry point and the way."""
    first = found.path[0]
    if len(found.path) == 1:
        kind = first.info.kind if first.info else "place"
        said = _said(first, found)
        signature = f" Its signature: {inline_code(first.info.signature)}." if first.info else ""
        parts = f"{signature}{_members(first)}{_callers(found, links)}"
        return f"The {kind} that fits best is {named(first, links)}{said}.{parts}"
    return f"Start at {inline_code(first.name)} and follow the calls:"


def _members(place: Place) -> str:
    """Return a sentence with the public methods of a class."""
    inside = place.info.children if place.info and place.is_class else ()
    names = dict.fromkeys(i.name for i in inside if i.exported and i.kind in {"method", "property"})
    if not names:
        return ""
    some = [inline_code(name) for name in names][:_MAX_MEMBERS]
    more = f" and {len(names) - len(some)} more" if len(names) > len(some) else ""
    return f" It offers {', '.join(some)}{more}." if more else f" It offers {listed(some)}."


def _callers(found: Exploration, links: Links) -> str:
    """Return a sentence on who refers to what is asked about."""
    sources = dict.fromkeys(edge.source for edge in found.callers)
    if not sources:
        return ""
    some = listed(named(place, links) for place in list(sources)[:_MAX_RELATED])
    return f" Among those that refer to it: {some}."


def _steps(found: Exploration, links: Links) -> Iterator[str]:
    """Yield a list item for each step of the way."""
    if not found.chain or not found.chain.edges:
        return
    first = found.path[0]
    yield f"1. {named(first, links)}{_said(first, found)}."
    for number, edge in enumerate(found.chain.edges, 2):
        before = [e for e in _called_before(found, edge.source) if e.target != edge.target]
        then = f", and {before[0].verb} {named(before[0].target, links)}" if before else ""
        said = _said(edge.target, found, edge)
        yield f"{number}. It {edge.verb} {named(edge.target, links)}{said}{then}."


def _related(found: Exploration, links: Links) -> str:
    """Return a sentence on what belongs to it beside the way."""
    way = set(found.path)
    helpers = [e.target for e in found.edges if e.source in way and e.target in found.related]
    rest = dict.fromkeys([*helpers, *found.related])
    if not rest:
        return ""
    return f"Also part of it: {listed(named(place, links) for place in list(rest)[:_MAX_RELATED])}."


def _called_before(found: Exploration, source: Place) -> list[CallEdge]:
    """Return what a step of the way calls before it goes on."""
    return [e for e in found.edges if e.source == source and e.target in found.side_calls][:1]


def _said(place: Place, found: Exploration, edge: CallEdge | None = None) -> str:
    """Return what the code says of a place, quoted: its docstring, or the comment at the call."""
    lines = found.code.lines(place.path) or ()
    text = quoted(first_sentence(place, lines))
    if not text and edge is not None:
        text = quoted(comment_at(edge, found.code.lines(edge.source.path) or ()))
    return f": {text}" if text else ""


def fits_together(found: Exploration, links: Links) -> Section | None:
    """Return the section with the graph and the lines that its arrows stand for."""
    edges = _best_edges(found)
    if not edges:
        return None
    lines = [f"- {_sentence(edge, found, links)}" for edge in edges]
    diagram = code_block(_mermaid(edges, found), "mermaid")
    return Section("How it fits together", f"{diagram}\n\n" + "\n".join(lines))


def relevant_code(found: Exploration, links: Links) -> Section | None:
    """Return the section with short excerpts, exactly as they stand in the files."""
    parts = [_shown(place, found, links) for place in found.shown[:_MAX_SHOWN]]
    return Section("Relevant Code", "\n\n".join(parts)) if parts else None


def key_files(found: Exploration, links: Links) -> Section | None:
    """Return the section with the files that matter, with documentation and tests."""
    lines = [_file_line(path, found, links) for path in found.files[:_MAX_FILES]]
    if found.documentation:
        lines += ["", "Documentation:", ""]
        lines += [_candidate_line(candidate, found, links) for candidate in found.documentation]
    if found.tests:
        lines += ["", "Tests:", ""]
        lines += [_candidate_line(candidate, found, links) for candidate in found.tests]
    return Section("Key Files", "\n".join(lines)) if lines else None


def references(found: Exploration) -> tuple[CodeReference, ...]:
    """Return what the document cites: the best place of each key file first, then the rest."""
    by_file: dict[str, list[CodeReference]] = {path: [] for path in found.files}
    roles = dict.fromkeys(found.path, "on the way through the code")
    for place in found.shown:
        by_file.setdefault(place.path, []).append(place.reference(roles.get(place, "")))
    for candidate in (*found.best, *found.documentation, *found.tests):
        if not by_file.setdefault(candidate.path, []):
            by_file[candidate.path].append(_cited(candidate, found))
    firsts = [cited[0] for cited in by_file.values() if cited]
    rest = [reference for cited in by_file.values() for reference in cited[1:]]
    calls = [_call_site(edge) for edge in _best_edges(found)]
    return tuple([*firsts, *rest, *calls])


def _best_edges(found: Exploration) -> list[CallEdge]:
    """Return the steps of the way, and then other connections among the shown places."""
    way = list(found.chain.edges) if found.chain else []
    rest = [edge for edge in (*found.callers, *found.edges) if edge not in way]
    on_way = set(found.path)
    rest.sort(key=lambda e: (e.kind == "raises", e.source not in on_way, e.target not in on_way))
    return [*way, *rest][:_MAX_EDGES]


def _sentence(edge: CallEdge, found: Exploration, links: Links) -> str:
    lines = found.code.lines(edge.source.path) or ()
    text = lines[edge.line - 1] if edge.line <= len(lines) else ""
    where = line_link(edge.source.path, edge.line, edge.line, links)
    source, target = inline_code(edge.source.name), inline_code(edge.target.name)
    comment = quoted(comment_at(edge, lines))
    said = f" - {comment}" if comment else ""
    return f"{source} {edge.verb} {target} at {where}: {code_line(text)}{said}"


def _mermaid(edges: Sequence[CallEdge], found: Exploration) -> str:
    """Return a flow chart with a box for each file."""
    places = list(dict.fromkeys(p for edge in edges for p in (edge.source, edge.target)))
    ids = {place: f"n{number}" for number, place in enumerate(places, 1)}
    lines = ["flowchart TD"]
    for number, path in enumerate(dict.fromkeys(place.path for place in places), 1):
        lines.append(f'    subgraph f{number}["{_NOT_PLAIN.sub("_", path)}"]')
        inside = [place for place in places if place.path == path]
        lines += [f'        {ids[p]}["{_NOT_PLAIN.sub("_", p.name)}"]' for p in inside]
        lines.append("    end")
    way = set(found.chain.edges) if found.chain else set()
    for edge in edges:
        # What is not resolved is drawn with broken lines, on the way too.
        arrow = ("==>" if edge in way else "-->") if edge.resolved else "-.->"
        lines.append(f"    {ids[edge.source]} {arrow}|{edge.verb}| {ids[edge.target]}")
    return "\n".join(lines)


def _shown(place: Place, found: Exploration, links: Links) -> str:
    """Return a place's heading and excerpts."""
    lines = found.code.lines(place.path) or ()
    shown = set(found.shown)
    focus = {e.line for e in found.edges if e.source == place and e.target in shown}
    kind = f" ({place.info.kind})" if place.info else ""
    parts = [f"### {inline_code(place.name)}{kind}"]
    remark = quoted(first_sentence(place, lines))
    parts.append(f"{name_link(place, links)}{': ' + remark if remark else ''}")
    language = language_of(place.path)
    ranges = excerpts(place, lines, focus, found.terms)
    for start, end in ranges:
        if len(ranges) > 1 or (start, end) != (place.line_start, place.line_end):
            parts.append(f"Lines {line_link(place.path, start, end, links)}:")
        parts.append(code_block("\n".join(lines[start - 1 : end]), language))
    return "\n\n".join(parts)


def _file_line(path: str, found: Exploration, links: Links) -> str:
    """Return a file with what it says of itself and what the answer takes from it."""
    names = [inline_code(place.name) for place in found.shown if place.path == path]
    words = [quoted(found.docs_of_files.get(path)), ", ".join(names[:5])]
    tail = " - ".join(word for word in words if word)
    return f"- {file_link(path, links)}{' - ' + tail if tail else ''}"


def _candidate_line(candidate: Candidate, found: Exploration, links: Links) -> str:
    cited = _cited(candidate, found)
    where = line_link(cited.path, cited.line_start, cited.line_end, links)
    return f"- {where}{' - ' + inline_code(candidate.symbol) if candidate.symbol else ''}"


def _cited(candidate: Candidate, found: Exploration) -> CodeReference:
    """Return a candidate as a citation: of its whole definition, if it is a piece of one."""
    for info in found.code.symbols(candidate.path):
        if info.qualified_name == candidate.symbol and info.line_end >= candidate.line_start:
            return place_of(candidate.path, info).reference()
    return CodeReference(
        candidate.path, candidate.line_start, candidate.line_end, None, candidate.symbol or ""
    )


def _call_site(edge: CallEdge) -> CodeReference:
    return CodeReference(
        edge.source.path, edge.line, edge.line, edge.source.name if edge.source.info else None,
        f"{edge.verb} {edge.target.name}",
    )  # fmt: skip


def left_out(found: Exploration) -> Iterator[str]:
    """Yield sentences on what the answer is not based on."""
    if found.not_shown:
        names = [
            f"{inline_code(c.symbol or '')} in {inline_code(c.path)}" for c in found.not_shown[:3]
        ]
        yield (
            f"{len(found.not_shown)} further candidates ranked lower and are not shown; "
            f"the best of them: {', '.join(names)}."
        )
    if found.graph_files:
        yield (
            f"Calls were followed around the best definitions in {found.graph_files} files. Where "
            'it says "may", and where an arrow is broken, only the name of what is called is '
            "known; what more than one definition could be is left out."
        )
