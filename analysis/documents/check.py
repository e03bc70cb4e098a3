"""Turns the citations in prose into links that are true, and says which could not be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.documents.citations import Citation, find_citations, looks_like_file
from analysis.documents.claims import Claim, claims_of
from analysis.documents.code import CodeView
from analysis.documents.judge import Verdict, judge, where_defined
from analysis.documents.links import Links
from analysis.documents.markdown import inline_code, link
from analysis.documents.parts import Counts, count_states, deduplicated
from analysis.documents.render import UNVERIFIED_MARK, reference_link
from analysis.documents.resolve import PathResolution, PathResolver
from analysis.documents.safe import harmless, harmless_document
from analysis.documents.spans import regions
from analysis.models import CodeReference, RefState
from analysis.parsing.languages import language_of

_GOOD = {RefState.OK, RefState.CORRECTED}
# Products that are called like files.
_NOT_FILES = frozenset({"node.js", "next.js", "vue.js", "nuxt.js", "three.js", "react.js", "d3.js"})


@dataclass(frozen=True, slots=True)
class CheckedText:
    """Prose in which every link to code was checked."""

    markdown: str
    references: tuple[CodeReference, ...]
    """One per path and first line, in the order of the text."""
    counts: Counts
    """Over all citations that look like citations, also repeated ones."""


def check_citations(markdown: str, code: CodeView, links: Links) -> CheckedText:
    """Return prose with its citations checked, mended and linked, or marked as unverified.

    Code blocks stay as they are, byte for byte. Raw HTML, images and links that run commands
    are made harmless on the way. Checking the result again changes nothing.

    Args:
        markdown: The body of an answer, without front matter.
        code: The code as it is now.
        links: Where the links of the document that it will be in must point to.
    """
    blocks = regions(markdown)
    citations = find_citations(markdown)
    checker = _Checker(code, links, citations)
    claims = claims_of(markdown, blocks, citations, code)
    pieces: list[str] = []
    found: list[CodeReference] = []
    position = 0
    for citation, claim in zip(citations, claims, strict=True):
        text, references = checker.rewritten(markdown, citation, claim)
        pieces += [harmless(markdown, position, citation.start, blocks), text]
        found.extend(references)
        position = citation.end
    pieces.append(harmless(markdown, position, len(markdown), blocks))
    safe = harmless_document("".join(pieces))
    return CheckedText(safe, deduplicated(tuple(found)), count_states(tuple(found)))


class _Checker:
    """Checks the citations of one text."""

    def __init__(self, code: CodeView, links: Links, citations: Sequence[Citation]) -> None:
        self._code = code
        self._links = links
        self._resolver = PathResolver(code, links)
        self._in_full = {c.path for c in citations} & code.paths()

    def rewritten(
        self, markdown: str, citation: Citation, claim: Claim
    ) -> tuple[str, list[CodeReference]]:
        """Return what to put for a citation, and the references that it makes."""
        resolution = self._resolver.resolve(citation.path, is_link=citation.is_link)
        original = markdown[citation.start : citation.end]
        if not resolution.paths and not _is_meant_as_file(citation):
            return original, []
        if not citation.ranges and not citation.is_link:
            return self._listed_file(markdown, citation, resolution)
        if not citation.ranges:
            return self._file_link(original, citation, resolution)
        verdicts = [self._verdict(resolution, lines, claim) for lines in citation.ranges]
        references = [_reference(verdict, citation.path) for verdict in verdicts]
        if not any(verdict.state in _GOOD for verdict in verdicts):
            return _marked(markdown, citation), references
        if citation.label is not None and len(references) == 1:
            return self._labelled(citation.label, references[0]), references
        return ", ".join(reference_link(ref, self._links) for ref in references), references

    def _verdict(self, resolution: PathResolution, lines: tuple[int, int], claim: Claim) -> Verdict:
        """Return what one range of a citation comes to, whichever file is meant."""
        if resolution.only is not None:
            return judge(self._code, resolution.only, lines, claim)
        unknown = Verdict(RefState.UNVERIFIED, "", *lines)
        verdicts = [
            judge(self._code, path, lines, claim, elsewhere=False) for path in resolution.paths
        ]
        proven = [v for v in verdicts if v.proven and v.state is RefState.OK]
        proven = proven or [v for v in verdicts if v.proven and v.state is RefState.CORRECTED]
        if not proven and resolution.certain:
            proven = [v for v in verdicts if v.path in self._in_full and v.state is RefState.OK]
        if len(proven) > 1:
            proven = [v for v in proven if v.path in self._in_full]
        if len(proven) != 1:
            nowhere = not resolution.paths or not resolution.certain
            return (where_defined(self._code, claim, lines) if nowhere else None) or unknown
        if resolution.certain or proven[0].state is RefState.CORRECTED:
            return proven[0]
        best = proven[0]
        return Verdict(
            RefState.CORRECTED, best.path, best.line_start, best.line_end, best.symbol, True
        )

    def _file_link(
        self, original: str, citation: Citation, resolution: PathResolution
    ) -> tuple[str, list[CodeReference]]:
        """Return a link to a file as a whole; it is no reference, but must not be broken."""
        if resolution.only is None:
            bad = Verdict(RefState.UNVERIFIED, "", 0, 0)
            label = citation.label or inline_code(citation.path)
            return f"{label} {UNVERIFIED_MARK}", [_reference(bad, citation.path)]
        target = self._links.target(resolution.only)
        if citation.label is None or target is None:
            return link(resolution.only, target), []
        return f"[{citation.label}]({target})", []

    def _listed_file(
        self, markdown: str, citation: Citation, resolution: PathResolution
    ) -> tuple[str, list[CodeReference]]:
        """Return the file that an item of a list begins with, marked if there is none such."""
        if resolution.paths:
            return markdown[citation.start : citation.end], []
        bad = Verdict(RefState.UNVERIFIED, "", 0, 0)
        return _marked(markdown, citation), [_reference(bad, citation.path)]

    def _labelled(self, label: str, reference: CodeReference) -> str:
        target = self._links.target(reference.path, reference.line_start, reference.line_end)
        return f"[{label}]({target})" if target else reference_link(reference, self._links)


def _is_meant_as_file(citation: Citation) -> bool:
    """Return whether a path that leads nowhere was meant to lead to a file at all."""
    path = citation.path
    if citation.is_link or path.startswith("../"):
        return True
    name = path.rpartition("/")[2]
    if name.casefold() in _NOT_FILES or not looks_like_file(name):
        return False
    return language_of(path) != "text" or name.casefold().endswith(".txt")


def _reference(verdict: Verdict, written: str) -> CodeReference:
    return CodeReference(
        verdict.path or written,
        verdict.line_start,
        verdict.line_end,
        verdict.symbol,
        state=verdict.state,
    )


def _marked(markdown: str, citation: Citation) -> str:
    """Return a citation as text with a mark that it could not be verified."""
    text = markdown[citation.start : citation.end]
    if citation.is_link:
        ranges = ",".join(f"{a}-{b}" if b != a else f"{a}" for a, b in citation.ranges)
        text = inline_code(f"{citation.path}:{ranges}")
        if citation.label is not None:
            text = f"{citation.label} ({text})"
    if re.match(rf"\)?\s?{re.escape(UNVERIFIED_MARK)}", markdown[citation.end :]):
        return text
    return f"{text} {UNVERIFIED_MARK}"
