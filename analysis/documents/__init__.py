"""The scoped context document: written, read back, checked, and anchored anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.lazy_names import import_named

if TYPE_CHECKING:
    from analysis.documents.as_read import (
        AsRead,
        ReadByProgram,
        changed_sentence,
        followed,
        has_changed,
    )
    from analysis.documents.check import CheckedCitation, CheckedText, check_citations
    from analysis.documents.citation_syntax import Citation
    from analysis.documents.citations import find_citations
    from analysis.documents.code import CachedCode, CodeView
    from analysis.documents.correct import corrected_text, moved_references, reviewed_text
    from analysis.documents.document_check import DocumentCheck, check_document
    from analysis.documents.earlier import Earlier
    from analysis.documents.front_matter import FrontMatter, local_root
    from analysis.documents.links import Links, Permalinks, RelativeLinks, web_url
    from analysis.documents.parse import (
        Document,
        earlier_document,
        is_document,
        parse_document,
        read_document,
    )
    from analysis.documents.parts import Counts, DocumentParts, OutputTarget, Section
    from analysis.documents.reanchored import Reanchored
    from analysis.documents.stored import indexed_code, lazily_indexed_code
    from analysis.documents.write import editor_target, terminal_target, write_document

__all__ = [
    "AsRead",
    "CachedCode",
    "CheckedCitation",
    "CheckedText",
    "Citation",
    "CodeView",
    "Counts",
    "Document",
    "DocumentCheck",
    "DocumentParts",
    "Earlier",
    "FrontMatter",
    "Links",
    "OutputTarget",
    "Permalinks",
    "ReadByProgram",
    "Reanchored",
    "RelativeLinks",
    "Section",
    "changed_sentence",
    "check_citations",
    "check_document",
    "corrected_text",
    "earlier_document",
    "editor_target",
    "find_citations",
    "followed",
    "has_changed",
    "indexed_code",
    "is_document",
    "lazily_indexed_code",
    "local_root",
    "moved_references",
    "parse_document",
    "read_document",
    "reviewed_text",
    "terminal_target",
    "web_url",
    "write_document",
]

_MODULES = {
    "as_read": (
        "AsRead",
        "ReadByProgram",
        "changed_sentence",
        "followed",
        "has_changed",
    ),
    "check": (
        "CheckedCitation",
        "CheckedText",
        "check_citations",
    ),
    "citation_syntax": ("Citation",),
    "citations": ("find_citations",),
    "code": (
        "CachedCode",
        "CodeView",
    ),
    "correct": (
        "corrected_text",
        "moved_references",
        "reviewed_text",
    ),
    "document_check": (
        "DocumentCheck",
        "check_document",
    ),
    "earlier": ("Earlier",),
    "front_matter": (
        "FrontMatter",
        "local_root",
    ),
    "links": (
        "Links",
        "Permalinks",
        "RelativeLinks",
        "web_url",
    ),
    "parse": (
        "Document",
        "earlier_document",
        "is_document",
        "parse_document",
        "read_document",
    ),
    "parts": (
        "Counts",
        "DocumentParts",
        "OutputTarget",
        "Section",
    ),
    "reanchored": ("Reanchored",),
    "stored": (
        "indexed_code",
        "lazily_indexed_code",
    ),
    "write": (
        "editor_target",
        "terminal_target",
        "write_document",
    ),
}


def __getattr__(name: str) -> Any:
    """Return a name of this package; its module is imported when it is first asked for."""
    return import_named(__name__, _MODULES, name)
