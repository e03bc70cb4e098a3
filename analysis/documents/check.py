"""Turns the citations in prose into links, and says which could not be confirmed."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from analysis.documents.as_read import AsRead, follow, has_changed
from analysis.documents.bare_lines import FileNamed, files_named
from analysis.documents.citation_syntax import Citation, looks_like_file
from analysis.documents.citations import find_citations
from analysis.documents.claims import Claim, claims_of
from analysis.documents.code import CodeView
from analysis.documents.judge import Verdict, judge
from analysis.documents.links import Links
from analysis.documents.markdown import inline_code, link
from analysis.documents.parts import Counts, count_states, deduplicated, is_linkable
from analysis.documents.render import UNVERIFIED_MARK, reference_link
from analysis.documents.resolve import PathResolution, PathResolver
from analysis.documents.safe import harmless, harmless_document, harmless_label, with_plain_blocks
from analysis.documents.spans import Region, regions
from analysis.documents.unknown_names import UnknownNames
from analysis.models import CodeReference, RefState
from analysis.parsing.languages import language_of

# Text that needs more of them to come to rest was made for that.
_ROUNDS = 3
# Also as documents of earlier versions have it.
_MARKED = re.compile(r"\)*\s?\*\((?:not confirmed|unverified)\)\*")
_WITH_HEADINGS = frozenset({"markdown", "rst", "html", "text"})
# Products that are called like files.
_NOT_FILES = frozenset({"node.js", "next.js", "vue.js", "nuxt.js", "three.js", "react.js", "d3.js"})


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """What became of one citation."""

    start: int
    """Offset of its first character in the text, after ``with_plain_blocks``."""
    end: int
    references: tuple[CodeReference, ...]
    """One per range; none for what turned out to be no citation, or a file as a whole."""


@dataclass(frozen=True, slots=True)
class CheckedText:
    """Prose in which every link to code was checked."""

    markdown: str
    references: tuple[CodeReference, ...]
    """One per path and first line, in the order of the text."""
    counts: Counts
    """Over all citations that look like citations, also repeated ones."""
    citations: tuple[CheckedCitation, ...] = ()
    """All citations of the text, in order."""
    unknown: tuple[str, ...] = ()
    """Names in sentences with citations that exist nowhere in the code base."""
    changed: tuple[str, ...] = ()
    """Cited files that were saved since they were read for the answer."""


def check_citations(
    markdown: str, code: CodeView, links: Links, as_read: AsRead | None = None
) -> CheckedText:
    """Return prose with its citations checked, mended and linked, or marked as not confirmed.

    Code blocks stay as they are, byte for byte. Raw HTML, images and links that run commands
    are made harmless on the way. Checking the result again changes nothing.

    Args:
        markdown: The body of an answer, without front matter.
        code: The code as it is now.
        links: Where the links of the document that it will be in must point to.
        as_read: What was read for the answer, if that is known: what its writer saw stays.
    """
    checked = _checked_once(with_plain_blocks(markdown), code, links, as_read)
    text = checked.markdown
    for _ in range(_ROUNDS):
        safe = harmless_document(text)
        if safe == text:
            break
        # Only text that was made to break out comes here: escapes have changed what is what.
        text = _checked_once(with_plain_blocks(safe), code, links, as_read).markdown
    return replace(checked, markdown=harmless_document(text))


def _checked_once(
    markdown: str, code: CodeView, links: Links, as_read: AsRead | None
) -> CheckedText:
    """Return prose with its citations checked, in which something may act all the same."""
    blocks = regions(markdown)
    citations = find_citations(markdown, blocks)
    checker = _Checker(markdown, citations, code, links, as_read)
    claims = claims_of(markdown, blocks, citations, code)
    checker.settle(blocks, citations, claims)
    pieces: list[str] = []
    outcomes: list[CheckedCitation] = []
    waiting = deque(zip(citations, claims, strict=True))
    for block in blocks:
        inside: list[tuple[int, int, str]] = []
        while waiting and waiting[0][0].start < block.end:
            citation, claim = waiting.popleft()
            start, end = citation.start, citation.end
            text, references = checker.rewritten(citation, claim)
            outcomes.append(CheckedCitation(start, end, tuple(references)))
            if text != markdown[start:end]:
                inside.append((start, end, text))
        pieces += _block_text(markdown, block, inside)
    found = tuple(ref for outcome in outcomes for ref in outcome.references)
    return CheckedText(
        "".join(pieces),
        deduplicated(found),
        count_states(found),
        tuple(outcomes),
        tuple(dict.fromkeys(checker.unknown)),
        tuple(dict.fromkeys(checker.changed)),
    )


def _block_text(
    markdown: str, block: Region, inside: Sequence[tuple[int, int, str]]
) -> Iterator[str]:
    """Yield the pieces of a block in which stretches are replaced and all else is harmless."""
    position = block.start
    for start, end, text in inside:
        yield from _joined(harmless(markdown, position, start, block, is_rewritten=True), text)
        position = end
    yield harmless(markdown, position, block.end, block, is_rewritten=bool(inside))


def _joined(before: str, text: str) -> tuple[str, str]:
    """Return what stands before a citation, so that nothing else comes of the two."""
    if before.endswith("<"):
        return before[:-1] + "&lt;", text
    if before.endswith("]("):
        return before[:-1] + "\\(", text
    head = before[:-1] if before.endswith("!") else before
    is_escaped = (len(head) - len(head.rstrip("\\"))) % 2
    if before is not head:
        is_image = text.startswith("[") and not is_escaped
        return f"{head}\\!" if is_image else before, text
    return before + "\\" if is_escaped and text[0] in "[`" else before, text


class _Checker:
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
