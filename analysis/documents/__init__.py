"""The scoped context document: written, read back, checked, and anchored anew."""

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
from analysis.documents.reanchor import reanchor
from analysis.documents.reanchored import Reanchored
from analysis.documents.render import render
from analysis.documents.stored import indexed_code, lazily_indexed_code
from analysis.documents.verify import verify
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
    "reanchor",
    "render",
    "reviewed_text",
    "terminal_target",
    "verify",
    "web_url",
    "write_document",
]
