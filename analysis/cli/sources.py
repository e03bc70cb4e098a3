"""What a question can be about: a folder, the code base of a document, or a git URL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import BadInput, Cancelled, RepositoryUnavailable
from analysis.stopping import StopFlag


@dataclass(frozen=True, slots=True)
class Source:
    """A code base on this disk, and how it came to be asked about."""

    root: Path
    document: Path | None = None
    """The document that the question follows up on."""
    url: str | None = None
    """For a clone: where it came from."""
    commit: str | None = None
    """For a clone: its commit."""


@contextmanager
def opened_source(text: str, repo: Path | None, stop: StopFlag) -> Iterator[Source]:
    """Give the code base that ``text`` names; a clone is removed at the end.

    Args:
        text: A folder, a document of ours, or a git URL.
        repo: For a document: where its code base is, if it has moved.
        stop: Ends cloning early.

    Raises:
        BadInput: It is none of these, or the document's code base is gone.
        RepositoryUnavailable: The URL cannot be cloned.
    """
    from analysis.workspace.clone import is_git_url

    if is_git_url(text):
        with _cloned(text, stop) as source:
            yield source
        return
    source = _local(text, repo)
    if source.url is None:
        yield source
        return
    with _cloned(source.url, stop) as clone:
        yield Source(clone.root, source.document, clone.url, clone.commit)


def _local(text: str, repo: Path | None) -> Source:
    """Return the folder, or the code base of the document."""
    path = Path(text)
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, ValueError) as error:
        raise BadInput(f"{text!r} cannot be opened: {error}.", "Check the path.") from error
    if is_folder:
        return Source(path)
    if not is_file:
        raise BadInput(
            f"There is no {text!r}.", "Give a folder, a document of Scope, or a git URL."
        )
    if path.suffix.lower() not in (".md", ".markdown"):
        raise BadInput(
            f"{text!r} is a file, not a folder.",
            "Give the folder of the code base, or a document that Scope wrote.",
        )
    return _about(path, repo)


def _about(document: Path, repo: Path | None) -> Source:
    """Return what a document is about; a clone's document names its URL."""
    from analysis.documents import local_root, read_document

    front = read_document(document).front
    if repo is not None:
        return Source(repo, document)
    if front.source_commit is not None:
        return Source(Path(), document, front.source_repo, front.source_commit)
    return Source(local_root(front, document), document)


@contextmanager
def _cloned(url: str, stop: StopFlag) -> Iterator[Source]:
    """Give a temporary clone; a failure that the user's Ctrl-C caused is called a cancel."""
    from analysis.cli.console import say
    from analysis.workspace.clone import cloned, without_credentials

    say(f"Cloning {without_credentials(url)} ...", style="dim")
    try:
        with cloned(url, stop=stop) as clone:
            yield Source(clone.path, None, clone.url, clone.commit)
    except RepositoryUnavailable as error:
        if stop.is_set():  # Git got the Ctrl-C as well, and may have ended before we saw it.
            raise Cancelled("Cloning was stopped on request.") from error
        raise
