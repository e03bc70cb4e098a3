"""``scope verify``: are the references of documents still true?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from analysis.documents import Document, DocumentCheck
    from analysis.engine.documents import DocumentVerifier
    from analysis.index.difference import OnProgress
    from analysis.stopping import StopFlag


class Report(StrEnum):
    """Text for people, one JSON object for programs, or what a CI system shows beside the lines."""

    text = "text"
    json = "json"
    sarif = "sarif"
    github = "github"


@dataclass(frozen=True, slots=True)
class Verified:
    """What became of one document."""

    document: Path
    root: Path
    """Of the code base that it is about."""
    check: DocumentCheck
    unchecked: tuple[str, ...] = ()
    """Which of its references could not be checked, and why; only of one that cites commits."""
    notes: tuple[str, ...] = ()
    """What else is to be known, in whole sentences."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(verify)


def verify(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...",
            help="Documents that Scope wrote, or folders in which all of them are checked.",
        ),
    ],
    *,
    repo: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Where the code base is, if it has moved."),
    ] = None,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Write references whose code has moved at their new places."),
    ] = False,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Ask an organisation's index, as after org:, for commits of which no clone is "
            "here; nobody is asked without it.",
        ),
    ] = None,
    output_format: Annotated[
        Report,
        typer.Option(
            "--format",
            help="Text for people, one JSON object, SARIF 2.1.0, or annotations of GitHub.",
        ),
    ] = Report.text,
) -> int:
    """Check the references of documents against the code of today."""
    from analysis.cli.console import say
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.main import FINDING, OK
    from analysis.cli.progress import ProgressLine

    skipped: list[tuple[Path, str]] = []
    with stopped_by_signals() as stop, ExitStack() as stack, ProgressLine() as progress:
        checker = DocumentChecks(repo, stop, stack, progress.on_index, fix=fix, at=at)
        found = [item for path in paths for item in _checked(path, checker, skipped)]
    _show(found, skipped, output_format)
    if not found and not skipped:
        say("scope: There are no documents of Scope to check.", style="yellow")
    return OK if all(item.check.is_good for item in found) else FINDING


def _checked(
    path: Path, checker: DocumentChecks, skipped: list[tuple[Path, str]]
) -> Iterator[Verified]:
    """Yield the documents that a path means, each checked.

    One that was named must be a document about code that is there. One that a folder holds must
    not: then that is what is said of it.
    """
    from analysis.documents import DocumentCheck
    from analysis.documents.find_documents import documents_below
    from analysis.errors import BadInput

    if not path.is_dir():
        found = checker.checked(path)
        problem = " ".join(found.unchecked)
        yield replace(found, check=replace(found.check, problem=found.check.problem or problem))
        return
    for document in documents_below(path):
        if checker.is_about_commit(document):
            skipped.append((document, "it is about one commit of a URL, which stays as it is"))
            continue
        try:
            found = checker.checked(document)
            yield replace(found, notes=(*found.unchecked, *found.notes))
        except BadInput as error:
            yield Verified(document, path, DocumentCheck((), error.message))


class DocumentChecks:
    """Checks documents; each code base is opened once for all documents about it."""

    def __init__(
        self,
        repo: Path | None,
        stop: StopFlag,
        stack: ExitStack,
        on_progress: OnProgress,
        *,
        fix: bool,
        at: str | None = None,
    ) -> None:
        self._repo, self._stop, self._stack, self._fix, self._at = repo, stop, stack, fix, at
        self._on_progress = on_progress
        self._verifiers: dict[Path, tuple[Path, DocumentVerifier]] = {}

    def is_about_commit(self, document: Path) -> bool:
        """Return whether a document is about a clone, and nobody says where a check-out is."""
        from analysis.documents import read_document

        return self._repo is None and read_document(document).front.source_commit is not None

    def checked(self, document: Path) -> Verified:
        """Return what became of a document, after correcting it if that is asked for."""
        from analysis.documents import local_root, read_document

        self._stop.check()
        read = read_document(document)
        if read.front.sources:
            return self._of_organisation(document, read)
        root = self._repo or local_root(read.front, document)
        if root not in self._verifiers:
            from analysis.cli.options import opened

            engine = self._stack.enter_context(opened(root))
            verifier = engine.verifier(self._stop, self._on_progress)
            self._verifiers[root] = (engine.root, verifier)
        shown, verifier = self._verifiers[root]
        check = verifier.correct(document) if self._fix else verifier.check(document)
        return Verified(document, shown, check)

    def _of_organisation(self, document: Path, read: Document) -> Verified:
        """Return what became of a document about repositories at their commits."""
        from contextlib import nullcontext

        from analysis.cli.options import settings_for
        from analysis.org.organisation import Organisation
        from analysis.org.verifying import check_commits

        near = [Path.cwd(), *([self._repo.absolute()] if self._repo else [])]
        folders = settings_for(None).organisation.clones
        asked = nullcontext() if self._at is None else Organisation.open(self._at)
        with asked as organisation:
            folder = document.absolute().parent
            found = check_commits(read, folder, folders, organisation, self._stop, near)
        outdated = f"{found.n_outdated} links open lines that are not those of the commit any more."
        notes = (outdated,) if found.n_outdated else ()
        return Verified(document, document.parent, found.check, found.unchecked, notes)


def _show(found: list[Verified], skipped: list[tuple[Path, str]], report: Report) -> None:
    """Write the result to stdout in the form that was asked for."""
    from analysis.cli.console import say, show, write_data, write_text

    if report is Report.json:
        write_data(_shape(found, skipped), "json")
    elif report is Report.sarif:
        from analysis.cli.verify_reports import sarif

        write_data(sarif(found), "json")
    elif report is Report.github:
        from analysis.cli.verify_reports import workflow_commands

        write_text(workflow_commands(found))
    else:
        from analysis.cli.verify_text import verified_text

        for item in found:
            show(verified_text(item))
    if report is not Report.json:
        for document, reason in skipped:
            say(f"scope: {str(document)!r} was not checked: {reason}.")
        for item in found:
            for note in item.notes:
                say(f"scope: {str(item.document)!r}: {note}", style="yellow")


def _shape(found: list[Verified], skipped: list[tuple[Path, str]]) -> dict[str, Any]:
    """Return ``{documents: [{document, references, problem}], counts, skipped}``."""
    from analysis.json_output import reanchored_shape

    counts = Counter(str(ref.reference.state) for item in found for ref in item.check.references)
    return {
        "documents": [
            {
                "document": str(item.document.absolute()),
                "references": [reanchored_shape(ref) for ref in item.check.references],
                **({"problem": item.check.problem} if item.check.problem else {}),
                **({"notes": list(item.notes)} if item.notes else {}),
            }
            for item in found
        ],
        "counts": dict(counts),
        **(
            {"skipped": [{"document": str(d.absolute()), "reason": why} for d, why in skipped]}
            if skipped
            else {}
        ),
    }
