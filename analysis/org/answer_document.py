"""The answer of an organisation as a document: places in many repositories, each at its commit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.answer_path import RunStats
from analysis.documents.code import CachedCode
from analysis.documents.commit_links import CommitLinks
from analysis.documents.markdown import code_block, inline_code, plain
from analysis.documents.parts import DocumentParts, OrganisationSource, OutputTarget, Section
from analysis.documents.render import reference_link, render
from analysis.documents.verify import verify
from analysis.documents.write import write_document
from analysis.errors import OutputUnwritable
from analysis.models import Answer, CodeReference, RefState, SourceText
from analysis.org.clones import LocalClones
from analysis.parsing.languages import language_of

if TYPE_CHECKING:
    from analysis.documents.links import Links
    from analysis.org.asking import OrganisationAnswer, OrganisationPlace

MODE = "organisation"
"""What the front matter of such a document has in place of a mode."""
_SHOWN_LINES = 12
_WITH_CODE = 5
_SHORT = 12


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """An answer as a document, and where its references lead."""

    answer: Answer
    links: CommitLinks

    def target_of(self, reference: CodeReference) -> str | None:
        """Return the link of a reference as it stands in the document; None if it has none."""
        return self.links.target(reference.path, reference.line_start, reference.line_end)

    def file_of(self, reference: CodeReference) -> Path | None:
        """Return the file of a clone to which a reference is a link; None if it is not."""
        return self.links.file(reference.path, reference.line_start, reference.line_end)


def written_answer(
    answer: OrganisationAnswer,
    address: str,
    target: OutputTarget,
    clone_folders: Sequence[str],
    elapsed_s: float,
) -> WrittenAnswer:
    """Return the answer as a document that was written, its references checked.

    They are checked against the text that is stored of their commits. Links open a clone that has
    the very lines, else the forge's page of the commit.

    Args:
        answer: What was found.
        address: As it is asked for after ``org:``.
        target: Where the document goes; its root is where clones are looked for as well.
        clone_folders: Folders in which clones lie.
        elapsed_s: How long the question took (seconds).

    """
    texts = {(found.head.name, found.place.path): found.text for found in answer.places}
    sources = tuple(dict.fromkeys(found.source for found in answer.places))
    clones = LocalClones(
        [target.root], clone_folders, lambda source, path: texts.get((source.name, path))
    )
    folder = target.folder or target.root
    links = CommitLinks(sources, folder.resolve(), clones)
    code = CachedCode(
        lambda: (f"{name}/{path}" for name, path in texts), lambda path: _stored(links, texts, path)
    )
    references = verify([_reference(found) for found in answer.places], code)
    stats = RunStats(MODE, files_analyzed=len(texts), elapsed_s=round(elapsed_s, 3))
    parts = DocumentParts(
        question=answer.question,
        target=OutputTarget(
            target.root,
            target.folder,
            target.self_ignoring,
            base=target.base,
            organisation=OrganisationSource(address, answer.server, links),
        ),
        stats=stats,
        sections=tuple(_sections(answer, links)),
        references=references,
        not_looked_at=tuple(_not_looked_at(answer)),
        answered_by=_how(answer),
        fold="Repositories and references",
    )
    markdown = render(parts, code)
    document, notices = None, answer.notes
    try:
        document = write_document(markdown, answer.question, parts.target)
    except OutputUnwritable as error:
        notices = (*notices, str(error))
    path = None if document is None else str(document)
    return WrittenAnswer(Answer(markdown, references, stats, path, notices), links)


def answer_data(answer: OrganisationAnswer) -> dict[str, Any]:
    """Return an answer as plain data for programs."""
    return {
        "question": answer.question,
        "server": answer.server,
        "visible_repositories": answer.visible,
        "repositories": [
            {
                "name": one.head.name,
                "commit": one.head.commit,
                "score": round(one.score, 4),
                "reasons": list(one.reasons),
            }
            for one in answer.chosen
        ],
        "places": [
            {
                "repository": found.head.name,
                "commit": found.head.commit,
                "path": found.place.path,
                "line_start": found.place.line_start,
                "line_end": found.place.line_end,
                "symbol": found.place.symbol,
                "kind": found.place.kind,
                "signature": found.place.signature,
                "score": found.place.score,
                "reasons": list(found.place.reasons),
                "permalink": found.permalink,
            }
            for found in answer.places
        ],
        "notices": list(answer.notes),
    }


def _stored(links: CommitLinks, texts: dict[tuple[str, str], str], path: str) -> SourceText:
    split = links.split(path)
    assert split is not None, f"{path} is of none of the repositories"
    return SourceText(path, texts[split[0].name, split[1]], "utf-8")


def _reference(found: OrganisationPlace) -> CodeReference:
    place = found.place
    path = f"{found.head.name}/{place.path}"
    return CodeReference(path, place.line_start, place.line_end, place.symbol)


def _sections(answer: OrganisationAnswer, links: Links) -> Iterator[Section]:
    yield Section("Summary", _summary(answer, links))
    if answer.places:
        shown = [_shown(found, links) for found in answer.places[:_WITH_CODE]]
        yield Section("Places", "\n\n".join(shown))
        rest = [f"- {_named(found, links)}{_why(found)}" for found in answer.places[_WITH_CODE:]]
        if rest:
            yield Section("More Places", "\n".join(rest))
    yield Section(
        "Repositories",
        "\n".join(
            f"- **{plain(one.head.name)}** at {inline_code(one.head.commit[:_SHORT])}:"
            f" {plain(' '.join(one.reasons))}"
            for one in answer.chosen
        )
        or "- None could answer.",
        fold="Repositories and references",
    )


def _summary(answer: OrganisationAnswer, links: Links) -> str:
    where = f"The organisation's index at {inline_code(answer.server)} was asked."
    looked = (
        f"{len(answer.chosen)} of the {answer.visible} repositories that you can see were looked"
        " into, those whose words and names say most of the question."
        if len(answer.chosen) < answer.visible
        else f"Every repository that you can see was looked into ({answer.visible})."
    )
    if not answer.places:
        return f"Nothing was found. {where} {looked}"
    first = answer.places[0]
    others = [found for found in answer.places[1:] if found.head != first.head][:1]
    begin = f"Begin with {_named(first, links)}."
    if others:
        begin += f" In another repository: {_named(others[0], links)}."
    return (
        f"{begin}\n\n{where} {looked} Places are ranked by names, words and calls in the code; no"
        " model was asked."
    )


def _named(found: OrganisationPlace, links: Links) -> str:
    """Return a place as its name and a link that is labelled with its repository."""
    cited = reference_link(_good(found), links)
    return f"{inline_code(found.place.symbol)} ({cited})" if found.place.symbol else cited


def _good(found: OrganisationPlace) -> CodeReference:
    """Return a place that was checked when it was found."""
    cited = _reference(found)
    return CodeReference(
        cited.path, cited.line_start, cited.line_end, cited.symbol, state=RefState.OK
    )


def _why(found: OrganisationPlace) -> str:
    return f": {plain('; '.join(found.place.reasons[:2]))}" if found.place.reasons else ""


def _shown(found: OrganisationPlace, links: Links) -> str:
    place = found.place
    title = inline_code(place.symbol) if place.symbol else inline_code(Path(place.path).name)
    lines = "\n".join(found.lines).rstrip().split("\n")[:_SHOWN_LINES]
    code = code_block("\n".join(lines), language_of(place.path) or "")
    left = len(found.lines) - _SHOWN_LINES
    more = f"\n\n*{left} more lines.*" if left > 0 else ""
    where = f"{reference_link(_good(found), links)} at {inline_code(found.head.commit[:_SHORT])}"
    return f"### {title} in {plain(found.head.name)}\n\n{where}{_why(found)}\n\n{code}{more}"


def _not_looked_at(answer: OrganisationAnswer) -> Iterator[str]:
    left = answer.visible - len(answer.chosen)
    if left:
        yield f"{left} of the {answer.visible} repositories that you can see were not looked into."
    yield "Repositories that are not published, or that your login does not see."
    yield "Files that are never published: ignored ones, and those that hold secrets."
    yield from (plain(note) for note in answer.notes)


def _how(answer: OrganisationAnswer) -> tuple[str, ...]:
    return (
        f"The words of the question went to the server {inline_code(answer.server)}, and to nobody"
        " else.",
        "References were checked against the text that is stored of their commits. A link opens a"
        " clone on this machine where that has the very lines, else the page of the commit; where"
        " neither is known, there is no link.",
    )
