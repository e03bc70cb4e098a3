"""Writes a document as markdown: front matter, body, references, what was left out, the block."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from analysis.documents.block import reference_block
from analysis.documents.body_links import BodyLink, body_links
from analysis.documents.code import CodeView
from analysis.documents.earlier import Earlier
from analysis.documents.front_matter import front_matter
from analysis.documents.links import Links
from analysis.documents.markdown import inline_code, link, plain
from analysis.documents.parts import (
    DocumentParts,
    OutputTarget,
    Section,
    count_states,
    is_linkable,
)
from analysis.models import CodeReference, RefState

UNVERIFIED_MARK = "*(not confirmed)*"


def render(parts: DocumentParts, code: CodeView) -> str:
    """Return the whole document."""
    body = "".join(section_text(section) for section in all_sections(parts))
    title = heading(parts.question, parts.earlier, parts.target, parts.gaps)
    text = f"\n{title}{body}"
    links = body_links(text, parts.target.links())
    references = (*parts.references, *_unlisted(links, parts.references))
    block = reference_block(references, code, [link.hash for link in links])
    return f"{front_matter(parts)}{text}{block}"


def heading(
    question: str, earlier: Earlier | None, target: OutputTarget, gaps: Iterable[str] = ()
) -> str:
    """Return the document's title, and below it what has to be known before reading on.

    Args:
        question: The question.
        earlier: The document that it follows up on; the way back to it is shown.
        target: Where the document goes.
        gaps: What of the code was not read, in whole sentences.
    """
    title = f"# {plain(question) or 'Question'}\n\n"
    unread = "".join(f"> **Not all of the code was read.** {gap}\n\n" for gap in gaps)
    return title + unread + ("" if earlier is None else earlier.line(target))


def all_sections(parts: DocumentParts) -> tuple[Section, ...]:
    """Return the body's sections: the answer's own, references, what was left out, who answered."""
    links = parts.target.links()
    fold = "" if any(section.fold for section in parts.sections) else parts.fold
    references = references_section(parts.references, links, parts.unknown_names)
    sections = (
        *parts.sections,
        replace(references, fold=fold),
        not_looked_at_section(parts.not_looked_at),
        *how_answered_section(parts.answered_by),
    )
    if not any(section.fold for section in sections):
        return sections
    last = sections[-1]
    return (*sections[:-1], replace(last, body=f"{last.body.strip()}\n\n{FOLD_END}"))


FOLD_END = "</details>"


def section_text(section: Section) -> str:
    """Return a section as it stands in the document, with an empty line after it."""
    title = plain(section.fold)
    fold = f"<details>\n<summary>{title}</summary>\n\n" if section.fold else ""
    return f"{fold}## {plain(section.title)}\n\n{section.body.strip()}\n\n"


def references_section(
    references: tuple[CodeReference, ...], links: Links, unknown_names: tuple[str, ...] = ()
) -> Section:
    """Return the list of references, ended by how many are in which state.

    Args:
        references: The references.
        links: Where their links lead.
        unknown_names: Names that the text has beside them, and that exist nowhere.
    """
    lines = [_list_item(reference, links) for reference in references]
    parts = ["\n".join(lines)] if lines else []
    parts.append(count_states(references).sentence())
    if unknown_names:
        names = ", ".join(inline_code(name) for name in unknown_names)
        parts.append(f"Named beside a reference, but found nowhere in the code base: {names}.")
    return Section("Code References", "\n\n".join(parts))


def not_looked_at_section(sentences: Iterable[str]) -> Section:
    """Return the section that owns up to what the answer is not based on."""
    lines = [f"- {sentence}" for sentence in sentences]
    return Section(
        "What was not looked at", "\n".join(lines) or "- Nothing: every file was searched."
    )


def how_answered_section(sentences: Iterable[str]) -> tuple[Section, ...]:
    """Return the section on how the answer came about; none if there is nothing to say."""
    lines = [f"- {sentence}" for sentence in sentences if sentence]
    return (Section("How this was answered", "\n".join(lines)),) if lines else ()


def reference_link(reference: CodeReference, links: Links) -> str:
    """Return a reference as a link with its path and range; as marked text if it is not good."""
    label = reference_label(reference)
    if not is_linkable(reference.state):
        return f"{inline_code(label)} {UNVERIFIED_MARK}"
    return link(label, links.target(reference.path, reference.line_start, reference.line_end))


def reference_label(reference: CodeReference) -> str:
    """Return a reference as ``path:start-end``, with the cell for a notebook; a file as it is."""
    if not reference.line_start:
        return reference.path
    label = f"{reference.path}:{reference.line_start}"
    if reference.line_end > reference.line_start:
        label += f"-{reference.line_end}"
    return label if reference.cell is None else f"{label} (cell {reference.cell})"


def _unlisted(
    links: Iterable[BodyLink], references: Iterable[CodeReference]
) -> list[CodeReference]:
    """Return what the text links besides the listed references: shorter ranges of the same place.

    They are remembered as well, so that each link of the text can be followed when code moves.
    """
    known = {(ref.path, ref.line_start, ref.line_end): ref for ref in references}
    found = []
    for cited in links:
        place = (cited.path, cited.line_start, cited.line_end)
        if cited.line_start and place not in known:
            listed = [r for r in known.values() if (r.path, r.line_start) == place[:2]]
            state = listed[0].state if listed else RefState.OK
            known[place] = CodeReference(*place, state=state)
            found.append(known[place])
    return found


def _list_item(reference: CodeReference, links: Links) -> str:
    words = [inline_code(reference.symbol)] if reference.symbol else []
    if reference.description:
        words.append(plain(reference.description))
    if reference.state is RefState.CORRECTED:
        words.append("(range corrected)")
    if reference.state is RefState.IN_RANGE:
        words.append("(in range)")
    tail = f" - {' '.join(words)}" if words else ""
    return f"- {reference_link(reference, links)}{tail}"
