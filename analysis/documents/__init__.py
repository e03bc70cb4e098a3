"""The scoped context document: written, read back, checked, and anchored anew."""

from analysis.documents.check import CheckedCitation, CheckedText, check_citations
from analysis.documents.citations import Citation, find_citations
from analysis.documents.code import CachedCode, CodeView
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
from analysis.documents.reanchor import Reanchored, reanchor
from analysis.documents.render import render
from analysis.documents.stored import indexed_code, lazily_indexed_code
from analysis.documents.verify import verify
from analysis.documents.write import editor_target, terminal_target, write_document

__all__ = [
    "CachedCode",
    "CheckedCitation",
    "CheckedText",
    "Citation",
    "CodeView",
    "Counts",
    "Document",
    "DocumentParts",
    "Earlier",
    "FrontMatter",
    "Links",
    "OutputTarget",
    "Permalinks",
    "Reanchored",
    "RelativeLinks",
    "Section",
    "check_citations",
    "earlier_document",
    "editor_target",
    "find_citations",
    "indexed_code",
    "is_document",
    "lazily_indexed_code",
    "local_root",
    "parse_document",
    "read_document",
    "reanchor",
    "render",
    "terminal_target",
    "verify",
    "web_url",
    "write_document",
]
