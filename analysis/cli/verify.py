"""``scope verify``: are the references of documents still true?"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.cli.options import FormatOption, Output

if TYPE_CHECKING:
    from analysis.documents import Reanchored
    from analysis.stopping import StopFlag

_GOOD = ("ok", "in_range", "corrected")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(verify)


def verify(
    documents: Annotated[
        list[Path], typer.Argument(metavar="DOC...", help="Documents that Scope wrote.")
    ],
    *,
    repo: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Where the code base is, if it has moved."),
    ] = None,
    output_format: FormatOption = Output.text,
) -> int:
    """Check the references of documents against the code of today."""
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.main import FINDING, OK

    with stopped_by_signals() as stop:
        found = [(document, *_verified(document, repo, stop)) for document in documents]
    counts = Counter(str(ref.reference.state) for _, _, refs in found for ref in refs)
    if output_format is Output.json:
        from analysis.cli.console import write_data

        write_data(_shape([(document, refs) for document, _, refs in found], counts), "json")
    else:
        from analysis.cli.console import show
        from analysis.cli.verify_text import verified_text

        for document, root, references in found:
            show(verified_text(document, root, references))
    return OK if all(state in _GOOD for state in counts) else FINDING


def _verified(
    document: Path, repo: Path | None, stop: StopFlag
) -> tuple[Path, tuple[Reanchored, ...]]:
    """Return the code base of a document and the state of each of its references."""
    from analysis.cli.options import opened
    from analysis.documents import local_root, read_document

    front = read_document(document).front
    with opened(repo or local_root(front, document)) as engine:
        return engine.root, engine.verify(document, stop)


def _shape(
    found: list[tuple[Path, tuple[Reanchored, ...]]], counts: Counter[str]
) -> dict[str, Any]:
    """Return ``{documents: [{document, references}], counts}``."""
    from analysis.json_output import reanchored_shape

    return {
        "documents": [
            {
                "document": str(document.absolute()),
                "references": [reanchored_shape(reference) for reference in references],
            }
            for document, references in found
        ],
        "counts": dict(counts),
    }
