"""Reads a document back: what it is about, its references, and what they showed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from analysis.documents.block import (
    StoredReference,
    blanked_block,
    stored_block,
    without_block,
)
from analysis.documents.body_links import BodyLink, body_links
from analysis.documents.earlier import Earlier
from analysis.documents.front_matter import FrontMatter, split_front_matter
from analysis.documents.links import Links
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
    text: str = ""
    """All of it, as it was read."""
    body_start: int = 0
    """Offset of the text behind the front matter."""
    has_block: bool = True
    """Whether it remembers what its references showed; otherwise they are those of its list."""
    link_hashes: tuple[str, ...] | None = None
    """Of the links that its text had when it was written; None if it does not remember them."""

    def links(self, links: Links) -> tuple[BodyLink, ...]:
        """Return the links of its text that lead into the code base.

        Args:
            links: Where links of this document point to.
        """
        return body_links(blanked_block(self.text), links, self.body_start)


def parse_document(markdown: str) -> Document:
    """Return the parts of a document; references come from its block, else from its list.

    Raises:
        BadInput: The text has no front matter, or it is not that of such a document.
    """
    front, rest = split_front_matter(markdown)
    block = stored_block(rest)
    references = () if block is None else block.references
    if block is None:
        references = tuple(StoredReference(reference) for reference in _listed(rest))
    return Document(
        front,
        without_block(rest),
        references,
        text=markdown,
        body_start=len(markdown) - len(rest),
        has_block=block is not None,
        link_hashes=None if block is None else block.links,
    )


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
    return parse_document(document_text(path))


def document_text(path: Path) -> str:
    """Return the text of a document on disk, each line end as a line feed.

    Raises:
        BadInput: It cannot be read, is no plain file, or is far too large for a document.
    """
    return normalize_newlines(_content(path).decode("utf-8", "replace"))


def _content(path: Path) -> bytes:
    hint = "Name a document that 'scope ask' has written."
    try:
        return read_named(path, _LARGEST)
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise BadInput(f"The document {str(path)!r} cannot be read: {reason}.", hint) from error


def with_line_ends_of(path: Path, text: str) -> str:
    """Return a text with the line ends that the document there has now.

    Raises:
        BadInput: The document can no longer be read.
    """
    return text.replace("\n", "\r\n") if b"\r\n" in _content(path) else text


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
