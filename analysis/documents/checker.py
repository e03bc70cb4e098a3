"""Finds out what each citation of a text comes to, and what to put in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import quote

from analysis.documents.as_read import AsRead, follow, has_changed
from analysis.documents.bare_lines import FileNamed, files_named
from analysis.documents.citation_syntax import Citation, looks_like_file
from analysis.documents.claims import Claim
from analysis.documents.code import CodeView
from analysis.documents.judge import Verdict, judge
from analysis.documents.links import Links
from analysis.documents.markdown import inline_code, link
from analysis.documents.parts import is_linkable
from analysis.documents.render import UNVERIFIED_MARK, reference_link
from analysis.documents.resolve import PathResolution, PathResolver
from analysis.documents.safe import harmless_label
from analysis.documents.spans import Region
from analysis.documents.unknown_names import UnknownNames
from analysis.models import CodeReference, RefState
from analysis.parsing.languages import language_of

# Also as documents of earlier versions have it.
_MARKED = re.compile(r"\)*\s?\*\((?:not confirmed|unverified)\)\*")
_WITH_HEADINGS = frozenset({"markdown", "rst", "html", "text"})
# Products that are called like files.
_NOT_FILES = frozenset({"node.js", "next.js", "vue.js", "nuxt.js", "three.js", "react.js", "d3.js"})


class CitationChecker:
    """Checks the citations of one text."""

    def __init__(
        self,
        markdown: str,
        citations: Sequence[Citation],
        code: CodeView,
        links: Links,
        as_read: AsRead | None,
    ) -> None:
        self._markdown = markdown
        self._code = code
        self._links = links
        self._as_read = as_read
        self._resolver = PathResolver(code, links)
        self._files: dict[int, FileNamed] = {}
        self._in_full = {
            path
            for citation in citations
            if not citation.is_bare and (path := self._resolved(citation).only) is not None
        }
        self._names = UnknownNames(code)
        self.unknown: list[str] = []
        """Names that exist nowhere."""
        self.changed: list[str] = []
        """Files that were saved since they were read for the answer."""

    def settle(
        self, blocks: Sequence[Region], citations: Sequence[Citation], claims: Sequence[Claim]
    ) -> None:
        """Find out which files are meant where one is not named in full."""
        unclear = [
            (citation, claim, resolution)
            for citation, claim in zip(citations, claims, strict=True)
            if len((resolution := self._resolved(citation)).paths) > 1
        ]
        meant: dict[int, str] = {}
        while True:
            for citation, claim, resolution in unclear:
                for lines in citation.ranges:
                    verdict = self._verdict(resolution, lines, claim)
                    if is_linkable(verdict.state):
                        meant[citation.start] = verdict.path
            if self._in_full.issuperset(meant.values()):
                break
            self._in_full.update(meant.values())
        self._files = files_named(self._markdown, blocks, citations, self._resolver, meant)

    def _resolved(self, citation: Citation) -> PathResolution:
        return self._resolver.resolve(citation.path, is_link=citation.is_link)

    def rewritten(self, citation: Citation, claim: Claim) -> tuple[str, list[CodeReference]]:
        """Return what to put for a citation, and the references that it makes."""
        if citation.is_bare:
            return self._bare(citation, claim)
        resolution = self._resolved(citation)
        original = self._markdown[citation.start : citation.end]
        is_file = resolution.paths or resolution.is_named or _is_meant_as_file(citation)
        if not is_file:
            return original, []
        if not citation.ranges and not citation.is_link:
            return self._listed_file(citation, resolution)
        if not citation.ranges:
            return self._file_link(original, citation, resolution)
        if citation.is_worded:
            claim = replace(claim, manner="loose")
        verdicts = [self._verdict(resolution, lines, claim) for lines in citation.ranges]
        references = [_reference(verdict, citation.path) for verdict in verdicts]
        if not any(is_linkable(verdict.state) for verdict in verdicts):
            return _marked(self._markdown, citation), references
        if citation.label is not None and len(references) == 1:
            return self._labelled(citation.label, references[0]), references
        return ", ".join(reference_link(ref, self._links) for ref in references), references

    def _bare(self, citation: Citation, claim: Claim) -> tuple[str, list[CodeReference]]:
        """Return lines of a file that was named before, as a link if they hold what is named.

        That the file is the one meant is a guess, so nothing is moved by it.
        """
        original = self._markdown[citation.start : citation.end]
        file = self._files.get(citation.start)
        if file is None:
            return original, []
        verdict = self._judged(file.path, citation.ranges[0], replace(claim, manner="loose"))
        reference = _reference(verdict, file.path)
        if verdict.state is RefState.UNVERIFIED:
            return _with_mark(self._markdown, citation, original), [reference]
        if not verdict.is_proven and not file.is_near:
            return original, []
        return self._labelled(original, reference), [reference]

    def _judged(self, path: str, lines: tuple[int, int], claim: Claim) -> Verdict:
        """Return what one range in one file comes to, wherever its text is now."""
        followed = follow(self._as_read, self._code, path, lines)
        if has_changed(self._as_read, self._code, path):
            self.changed.append(path)
        if followed.lines is None:
            return Verdict(RefState.UNVERIFIED, path, *lines)
        unknown = self._names.among(claim.around, path)
        self.unknown += unknown
        verdict = judge(
            self._code, path, followed.lines, claim, was_shown=followed.was_shown or bool(unknown)
        )
        if unknown and verdict.is_proven:
            is_moved = (verdict.line_start, verdict.line_end) != followed.lines
            state = RefState.UNVERIFIED if is_moved else RefState.IN_RANGE
            verdict = replace(verdict, state=state)
        elif verdict.state is RefState.OK and followed.lines != lines:
            verdict = replace(verdict, state=RefState.CORRECTED)
        return verdict

    def _verdict(self, resolution: PathResolution, lines: tuple[int, int], claim: Claim) -> Verdict:
        """Return what one range of a citation comes to, whichever file is meant."""
        if resolution.only is not None:
            return self._judged(resolution.only, lines, claim)
        verdicts = [self._judged(path, lines, claim) for path in resolution.paths]
        proven = [v for v in verdicts if v.state is RefState.OK]
        proven = proven or [v for v in verdicts if v.state is RefState.CORRECTED]
        if len(proven) != 1:
            # Of several files the one is meant that is also named in full.
            likely = proven or (verdicts if resolution.certain else [])
            proven = [v for v in likely if v.path in self._in_full and is_linkable(v.state)]
        if len(proven) != 1:
            return Verdict(RefState.UNVERIFIED, "", *lines)
        if resolution.certain or proven[0].state is RefState.CORRECTED:
            return proven[0]
        return replace(proven[0], state=RefState.CORRECTED)

    def _file_link(
        self, original: str, citation: Citation, resolution: PathResolution
    ) -> tuple[str, list[CodeReference]]:
        """Return a link to a file as a whole; it is no reference, but must not be broken."""
        if resolution.only is None:
            bad = Verdict(RefState.UNVERIFIED, "", 0, 0)
            label = harmless_label(citation.label or inline_code(citation.path))
            return _with_mark(self._markdown, citation, label), [_reference(bad, citation.path)]
        target = self._links.target(resolution.only)
        if citation.label is None or target is None:
            return link(resolution.only, target), []
        # A heading of a page; in code there are none.
        heading = citation.fragment if language_of(resolution.only) in _WITH_HEADINGS else ""
        anchor = f"#{quote(heading)}" if heading else ""
        return f"[{harmless_label(citation.label)}]({target}{anchor})", []

    def _listed_file(
        self, citation: Citation, resolution: PathResolution
    ) -> tuple[str, list[CodeReference]]:
        """Return the file that an item of a list begins with, marked if there is none such."""
        if resolution.paths or resolution.is_named:
            return self._markdown[citation.start : citation.end], []
        bad = Verdict(RefState.UNVERIFIED, "", 0, 0)
        return _marked(self._markdown, citation), [_reference(bad, citation.path)]

    def _labelled(self, label: str, reference: CodeReference) -> str:
        target = self._links.target(reference.path, reference.line_start, reference.line_end)
        return (
            f"[{harmless_label(label)}]({target})"
            if target
            else reference_link(reference, self._links)
        )


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
    """Return a citation as text with a mark that it could not be confirmed."""
    text = markdown[citation.start : citation.end]
    if citation.is_link:
        ranges = ",".join(f"{a}-{b}" if b != a else f"{a}" for a, b in citation.ranges)
        text = inline_code(f"{citation.path}:{ranges}")
        if citation.label is not None:
            text = f"{harmless_label(citation.label)} ({text})"
    return _with_mark(markdown, citation, text)


def _with_mark(markdown: str, citation: Citation, text: str) -> str:
    """Return a text with the mark, unless it stands there already."""
    return text if _MARKED.match(markdown, citation.end) else f"{text} {UNVERIFIED_MARK}"
