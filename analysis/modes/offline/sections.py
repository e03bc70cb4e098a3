"""The sections of an answer: the summary, how it fits together, the code itself, the files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from analysis.documents import Section
from analysis.documents.links import Links
from analysis.documents.markdown import code_block, inline_code
from analysis.models import Candidate, CodeReference
from analysis.modes.offline.excerpts import comment_at, excerpts, first_sentence
from analysis.modes.offline.exploration import Exploration
from analysis.modes.offline.first_screen import CUT
from analysis.modes.offline.registration import registering
from analysis.modes.offline.steps import Step
from analysis.modes.places import CallEdge, Place, place_of
from analysis.modes.writing import (
    code_line,
    file_link,
    line_link,
    name_link,
    quoted,
)
from analysis.parsing.languages import language_of

_MAX_EDGES = 12
_MAX_SHOWN = 8
_MAX_FILES = 6
_MAX_REFERENCES = 24
_NOT_PLAIN = re.compile(r"[^\w./$-]")


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
    """Return what the document cites: the path first, then what else fits, then what it tests."""
    if not found.steps:
        best = [_cited(candidate, found) for candidate in found.best]
        return tuple(dict.fromkeys([*best, *_beside(found)]))
    rest = [place.reference() for place in found.shown if place not in found.path]
    places: dict[tuple[str, int, int], CodeReference] = {}
    by = [place.reference("registers it") for place in registering(found)]
    by += [found.table.place.reference("names several of them")] if found.table else []
    for cited in (*on_path(found.steps), *by, *rest):
        places.setdefault((cited.path, cited.line_start, cited.line_end), cited)
    references = list(places.values())[: _MAX_REFERENCES - 1]
    return tuple([*references, *_beside(found)[: _MAX_REFERENCES - len(references)]])


def on_path(steps: Iterable[Step]) -> list[CodeReference]:
    """Return the places of a path as citations of the whole of each."""
    return [step.place.reference(_role(step)) for step in steps]


def _role(step: Step) -> str:
    """Return what a step is on the path, in words."""
    if step.relation == "start":
        return "where to begin"
    if step.edge is None or step.of is None:
        return "is a variant of it" if step.relation == "extended_by" else "may be it too"
    if step.relation in ("called_by", "used_by"):
        return f"{step.edge.verb} {step.of.name}"
    verb = {"calls": "called", "creates": "created", "raises": "raised"}.get(step.edge.kind, "used")
    return f"{verb if step.resolved else 'may be ' + verb} by {step.of.name}"


def _beside(found: Exploration) -> list[CodeReference]:
    return [_cited(candidate, found) for candidate in (*found.tests, *found.documentation)]


def _best_edges(found: Exploration) -> list[CallEdge]:
    """Return the steps of the way, and then other connections among the shown places."""
    way = list(found.chain.edges) if found.chain else []
    steps = [step.edge for step in found.steps if step.edge is not None]
    rest = [edge for edge in dict.fromkeys([*steps, *found.edges]) if edge not in way]
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
    if found.is_cut:
        yield CUT
    if found.graph_files:
        followed = "Some calls" if found.is_cut else "Calls"
        yield (
            f"{followed} were followed around the best definitions in {found.graph_files} files. "
            'Where it says "may", and where an arrow is broken, only the name of what is called is '
            "known; what more than one definition could be is left out."
        )
