"""Reads a document back: what it is about, its references, and what they showed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from analysis.documents.block import StoredReference, stored_references, without_block
from analysis.documents.earlier import Earlier
from analysis.documents.front_matter import FrontMatter, split_front_matter
from analysis.errors import BadInput, ScopeError
from analysis.models import CodeReference
from analysis.workspace.decoding import normalize_newlines
from analysis.workspace.safe_open import read_named

_LARGEST = 10_000_000  # bytes of a document; people write far less

_SECTION = re.compile(r"^## Code References[ \t]*\r?$(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_ITEM = re.compile(r"^- \[(?P<path>.+?):(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?[^\]]*\]\(", re.M)
_SYMBOL = re.compile(r"\) - `([^`\n]+)`")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class Document:
    """A document that was read back."""

    front: FrontMatter
    body: str
    """Markdown without front matter and block."""
    references: tuple[StoredReference, ...]


def parse_document(markdown: str) -> Document:
    """Return the parts of a document; references come from its block, else from its list.

    Raises:
        BadInput: The text has no front matter, or it is not that of such a document.
    """
    front, rest = split_front_matter(markdown)
    stored = stored_references(rest)
    known = {_key(item.reference) for item in stored}
    listed = [ref for ref in _listed(rest) if _key(ref) not in known]
    extra = tuple(StoredReference(reference, None) for reference in listed)
    return Document(front, without_block(rest), stored + extra)


def is_document(markdown: str) -> bool:
    """Return whether a text begins with the front matter of a context document."""
    if not markdown.lstrip("\ufeff").startswith("---"):
        return False
    try:
        front, _ = split_front_matter(markdown)
    except BadInput:
        return False
    return bool(front.question)


def read_document(path: Path) -> Document:
    """Return the parts of a document on disk.

    Raises:
        BadInput: It cannot be read, or it is not such a document.
    """
    try:
        text = normalize_newlines(read_named(path, _LARGEST).decode("utf-8", "replace"))
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        message = f"The document {str(path)!r} cannot be read: {reason}."
        raise BadInput(message, "Name a document that 'scope ask' has written.") from error
    return parse_document(text)


def earlier_document(follow_up: str | None) -> Earlier | None:
    """Return the document that a question follows up on; None without one that can be read."""
    if not follow_up:
        return None
    path = Path(follow_up).absolute()
    try:
        return Earlier(read_document(path).front.question, path)
    except ScopeError:
        return None


def _listed(markdown: str) -> list[CodeReference]:
    """Return the references in the list of a document, which a person may have edited."""
    section = _SECTION.search(markdown)
    found = []
    for line in section[1].splitlines() if section else ():
        item = _ITEM.match(line)
        if item is not None:
            start = int(item["start"])
            symbol = _SYMBOL.search(line)
            path = _ESCAPED.sub(r"\1", item["path"])
            end = int(item["end"] or start)
            found.append(CodeReference(path, start, end, symbol[1] if symbol else None))
    return found


def _key(reference: CodeReference) -> tuple[str, int]:
    return reference.path, reference.line_start
