"""What a question can be about: a folder, the code base of a document, or a git URL."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.errors import BadInput, Cancelled, RepositoryUnavailable
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.settings import Settings


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
def opened_source(
    text: str, repo: Path | None, stop: StopFlag, flags: Mapping[str, Any] | None = None
) -> Iterator[Source]:
    """Give the code base that ``text`` names; a clone is removed at the end.

    Args:
        text: A folder, a document of ours, or a git URL.
        repo: For a document: where its code base is, if it has moved.
        stop: Ends cloning early.
        flags: The settings of the command line. Where they, with the user's own, mean an answer
            without a model, no document can make us connect to what it names.

    Raises:
        BadInput: It is none of these, or the document's code base is gone or not on this machine.
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
    local = _local_clone(source.url, source.document)
    if local is not None:
        yield Source(local, source.document)
        return
    if not _may_connect(source.url, flags):
        raise BadInput(
            f"The document {text!r} is about {source.url!r}, of which there is no clone here, and"
            " without a model nothing is fetched for a document.",
            "Give '--repo' with a clone, or that URL instead of the document.",
        )
    with _cloned(source.url, stop) as clone:
        yield Source(clone.root, source.document, clone.url, clone.commit)


def is_source(word: str) -> bool:
    """Return whether a word of the command line says what is asked about, and asks nothing.

    A single word with a separator is meant as a path, also where none is there.
    """
    from analysis.workspace.clone import is_git_url

    if is_git_url(word) or word.startswith("org:"):
        return True
    try:
        exists = Path(word).exists()
    except (OSError, ValueError):
        exists = False
    return exists or ("/" in word and not any(letter.isspace() for letter in word))


def _may_connect(url: str, flags: Mapping[str, Any] | None) -> bool:
    """Return whether a document may have its repository fetched: not if the answer is offline."""
    from analysis.cli.settings_sources import load_settings

    if url.lower().startswith("file:///"):
        return True  # It lies on this machine.
    return not _is_offline(load_settings(None, os.environ, flags).settings)


def _is_offline(settings: Settings) -> bool:
    from analysis.modes.scoped_request import NEEDED

    return (
        settings.answer.mode == "offline"
        or not settings.model.name
        or settings.model.never_send
        or not set(NEEDED) <= set(settings.allowed_scopes)
    )


def _local_clone(url: str, document: Path | None) -> Path | None:
    """Return a folder that was cloned from a URL: around here, around the document, or beside."""
    from analysis.cli.console import say
    from analysis.documents.find_clone import clone_of

    near = [Path.cwd(), *([document.absolute().parent] if document is not None else [])]
    folder = clone_of(url, near)
    if folder is not None:
        say(f"The code is that of the clone in {str(folder)!r}, as it is now.", style="dim")
    return folder


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
