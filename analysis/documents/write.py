"""Puts a document on disk: a new file with a telling name, never over an old one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from analysis.documents.parts import OutputTarget
from analysis.errors import OutputUnwritable
from analysis.workspace.atomic import create_unique, write_atomically
from analysis.workspace.safe_open import first_link

_MAX_SLUG = 50
# File systems count bytes (255 on most), and a letter may take four of them.
_MAX_SLUG_BYTES = 150
_NOT_WORD = re.compile(r"[\W_]+")
_UNSAFE_IN_NAMES = re.compile(r"[^\w.-]+")


def editor_target(root: Path, folders: Mapping[str, Path] | None = None) -> OutputTarget:
    """Return the place for documents that an editor asks for: ``<workspace>/.scope``.

    Args:
        root: The workspace's folder; of several the first.
        folders: Every folder by its label, if there are several.
    """
    return OutputTarget(root, root / ".scope", self_ignoring=True, base=root, folders=folders)


def terminal_target(
    root: Path,
    current: Path,
    *,
    output_dir: Path | None = None,
    url: str | None = None,
    commit: str | None = None,
) -> OutputTarget:
    """Return the place for documents of the terminal: ``contexts/<repo>`` unless told otherwise.

    Args:
        root: Root of the code base.
        current: The current folder, below which the default lies.
        output_dir: A folder that the user chose.
        url: For a clone, where it came from.
        commit: For a clone, its commit.
    """
    folder = output_dir or current / "contexts" / repository_name(root, url)
    base = None if output_dir else current
    return OutputTarget(root=root, folder=folder, url=url, commit=commit, base=base)


def organisation_target(current: Path, output_dir: str | Path | None = None) -> OutputTarget:
    """Return the place for the terminal's answers out of an organisation's repositories.

    Args:
        current: The current folder; ``contexts/organisation`` lies below it.
        output_dir: A folder that the user chose instead.
    """
    folder = Path(output_dir) if output_dir else current / "contexts" / "organisation"
    return OutputTarget(root=current, folder=folder, base=None if output_dir else current)


def repository_name(root: Path, url: str | None = None) -> str:
    """Return a folder name for the documents about a code base."""
    name = root.resolve().name
    if url:
        path = urlsplit(url).path if "://" in url else url.replace(":", "/")
        name = PurePosixPath(path.rstrip("/")).name.removesuffix(".git")
    return _UNSAFE_IN_NAMES.sub("-", name).strip("-. ")[:_MAX_SLUG] or "repository"


def slug(question: str) -> str:
    """Return a question as part of a file name, at most 50 characters."""
    words = [word for word in _NOT_WORD.split(question.lower()) if word]
    kept = ""
    for word in words:
        longer = f"{kept}-{word}" if kept else word
        if len(longer) > _MAX_SLUG:
            break
        kept = longer
    kept = kept or "".join(words)[:_MAX_SLUG] or "question"
    return kept.encode()[:_MAX_SLUG_BYTES].decode(errors="ignore")


def write_document(
    markdown: str, question: str, target: OutputTarget, now: datetime | None = None
) -> Path | None:
    """Write a document to its folder and return its path; None if the target has no folder.

    Raises:
        OutputUnwritable: The folder or file cannot be written; nothing is left behind.
    """
    if target.folder is None:
        return None
    # A repository may bring a link in that place; only a folder that the user chose may be one.
    link = first_link(target.base, target.folder) if target.base else None
    if link is not None:
        raise OutputUnwritable(
            f"The document was not written: {str(link)!r} is a link to another folder.",
            "Remove the link, or choose another folder with '--output'.",
        )
    stem = f"scope-{slug(question)}-{(now or datetime.now(UTC)).strftime('%H%M%S')}"
    try:
        target.folder.mkdir(parents=True, exist_ok=True)
        if target.self_ignoring:
            _ignore_itself(target.folder)
        return create_unique(target.folder, stem, ".md", markdown)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise OutputUnwritable(
            f"The document could not be written to {str(target.folder)!r}: {reason}.",
            "Choose another folder with '--output', or free some space.",
        ) from error


def _ignore_itself(folder: Path) -> None:
    """Keep git from seeing the folder, unless somebody decided on it already."""
    marker = folder / ".gitignore"
    if not marker.exists():
        write_atomically(marker, "*\n")
