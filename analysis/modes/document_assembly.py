"""Ends a run with a model: the document from what there is, and what it is not based on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.answer_path import RunStats
from analysis.documents import (
    CheckedText,
    DocumentParts,
    Section,
    changed_sentence,
    check_citations,
    earlier_document,
    followed,
)
from analysis.documents.markdown import inline_code, plain
from analysis.documents.parts import deduplicated
from analysis.documents.render import all_sections, heading, reference_link, render, section_text
from analysis.documents.verify import verify
from analysis.events import Notice, RunFinished, TextDelta, unwatched
from analysis.models import Answer, CodeReference, RefState
from analysis.modes.job import Job, Unread
from analysis.modes.reading import SearchEvidence
from analysis.modes.registry import offline_draft
from analysis.modes.stop_reasons import UNREMARKABLE, StopReason, stop_sentence
from analysis.modes.streamed import CheckedStream, sections_of
from analysis.stopping import StopFlag
from analysis.tools.path_argument import resolve_path_argument
from analysis.tools.tool import Shown

if TYPE_CHECKING:
    from analysis.models import Candidate

_MAX_LISTED = 12
_WORTH_SAYING_S = 5.0
# What the offline answer says of itself, and what is true where a model was to write it.
_NO_MODEL = "no model was asked"
_NOT_BY_MODEL = "no model wrote it"
_UNFOUNDED = (
    "The model's answer names no place in the code that could be verified: what was found without "
    "it is added."
)
_WARNING = (
    "> **Nothing here is verified:** what the model wrote names no place in the code that holds. "
    "What was found without it stands below."
)
_GOOD = (RefState.OK, RefState.CORRECTED)


class DocumentAssembly:
    """Makes the document of a run with a model, however it ended."""

    def __init__(self, job: Job, answer: CheckedStream, evidence: SearchEvidence) -> None:
        """Make the assembly of one run.

        Args:
            job: The question, the code base, and the way to the model.
            answer: What the model writes.
            evidence: What the search finds.
        """
        self._job = job
        self._answer = answer
        self._evidence = evidence
        self._links = job.target.links()
        self._earlier = earlier_document(job.request.follow_up)
        self._started = time.perf_counter()
        self._view = job.view
        self._changed: list[str] = []
        self._unknown: list[str] = []
        self._ending = ""

    def title(self) -> str:
        """Return the document's title."""
        job = self._job
        return heading(job.request.question, self._earlier, job.target, job.unread.gaps)

    def note_ending(self, ending: Exception | None) -> None:
        """Take note of what ended the search, which the document says in its words."""
        self._ending = str(ending or "")

    def finished(self, candidates: tuple[Candidate, ...], reason: StopReason) -> RunFinished:
        """Show the closing pieces of text and return the finished document; blocking."""
        # Files may have been saved since they were read: what counts is what they hold now.
        self._view = self._job.read_anew()
        parts, n_streamed = self._parts(candidates, reason)
        if _UNFOUNDED in parts.not_looked_at:
            self._job.emit(Notice(_UNFOUNDED))
        for section in all_sections(parts)[n_streamed:]:
            self._job.emit(TextDelta(section_text(section)))
        markdown = render(parts, self._view)
        return RunFinished(Answer(markdown, parts.references, parts.stats), reason)

    def _parts(
        self, candidates: tuple[Candidate, ...], reason: StopReason
    ) -> tuple[DocumentParts, int]:
        """Return what the document is made of, and how many of its sections were streamed."""
        left_out = []
        if reason not in UNREMARKABLE:
            left_out.append(f"{stop_sentence(reason)} {self._ending}".strip())
        left_out += self._job.unread.gaps
        left_out += self._notes()
        references: tuple[CodeReference, ...] = ()
        n_streamed = 0
        located = self._located()
        if self._answer.text.strip():
            checked = self._checked(self._answer.text)
            sections = sections_of(checked.markdown)
            references = checked.references
            n_streamed = len(sections)
            holds = any(ref.state in _GOOD for ref in (*references, *located))
            if not holds:
                sections = (*sections, *self._read())
            if not holds and reason != "cancelled":
                added, found, more = self._beside(sections)
                sections = (*(_warned(sections) if added else sections), *added)
                references = (*references, *found)
                left_out += more
        elif reason == "cancelled":
            sections = self._found_so_far(candidates)
        else:
            offline, references, more = self._offline()
            left_out += more
            understood = (*self._insights(), *self._noted(located))
            # What a model has understood comes before what words lead to.
            sections = (*understood, *_below(understood, offline), *self._read())
        if self._changed:
            left_out.append(changed_sentence(list(dict.fromkeys(self._changed))))
        parts = DocumentParts(
            question=self._job.request.question,
            target=self._job.target,
            stats=self._stats(reason),
            sections=sections,
            references=deduplicated((*references, *located)),
            not_looked_at=tuple([*left_out, *self._job.unread.sentences()]),
            unknown_names=tuple(dict.fromkeys(self._unknown)),
            answered_by=(self._job.request.mode_reason, *self._evidence.remarks),
            earlier=self._earlier,
            gaps=self._job.unread.gaps,
        )
        return parts, n_streamed

    def _offline(self) -> tuple[tuple[Section, ...], tuple[CodeReference, ...], list[str]]:
        """Return the answer that needs no model, for where the model gave none."""
        draft = offline_draft(replace(self._job, emit=unwatched, stop=StopFlag(), unread=Unread()))
        sections = [
            Section(part.title, part.body.replace(_NO_MODEL, _NOT_BY_MODEL))
            for part in draft.sections
        ]
        return tuple(sections), verify(draft.references, self._view), list(draft.left_out)

    def _beside(
        self, written: tuple[Section, ...]
    ) -> tuple[tuple[Section, ...], tuple[CodeReference, ...], list[str]]:
        """Return the answer that needs no model, to stand below one that nothing shows to be true.

        A refusal, chatter and an invention look like this, and so does a plain "no": what the
        model wrote stays, and the reader gets places to check it with.
        """
        sections, references, left_out = self._offline()
        if not references:
            return (), (), []
        titles = {section.title for section in written} - {"Summary"}
        added = [
            Section("What was found without the model", part.body)
            if part.title == "Summary"
            else part
            for part in sections
            if part.title not in titles
        ]
        return tuple(added), references, [_UNFOUNDED, *left_out]

    def _found_so_far(self, candidates: tuple[Candidate, ...]) -> tuple[Section, ...]:
        """Return what a cancelled run had, with nothing looked up any more."""
        lines = []
        found: list[Candidate | Shown] = [*candidates, *dict.fromkeys(self._evidence.found)]
        for place in found[:_MAX_LISTED]:
            reference = CodeReference(
                place.path, place.line_start, place.line_end, place.symbol, state=RefState.OK
            )
            name = f" {inline_code(place.symbol)}" if place.symbol else ""
            lines.append(f"- {reference_link(reference, self._links)}{name}")
        summary = Section("Summary", "The run was cancelled before an answer was written.")
        places = (Section("Places that may answer it", "\n".join(lines)),) if lines else ()
        return (summary, *self._insights(), *places, *self._read())

    def _read(self) -> tuple[Section, ...]:
        """Return the places that the model had read, most recent first."""
        places = list(dict.fromkeys(reversed(self._evidence.read)))
        lines = [
            f"- {reference_link(CodeReference(*place, None, state=RefState.OK), self._links)}"
            for place in places[:_MAX_LISTED]
        ]
        if len(places) > _MAX_LISTED:
            lines.append(f"- and {len(places) - _MAX_LISTED} more")
        return (Section("What the model had read", "\n".join(lines)),) if lines else ()

    def _insights(self) -> tuple[Section, ...]:
        """Return what the model understood before it ended, checked as any prose of it."""
        if not self._evidence.insights:
            return ()
        checked = self._checked("\n\n".join(self._evidence.insights))
        return (Section("What the model had found", checked.markdown),)

    def _noted(self, located: tuple[CodeReference, ...]) -> tuple[Section, ...]:
        """Return the places that the model noted, those that hold."""
        lines = [
            f"- {reference_link(ref, self._links)} {plain(ref.description)}".rstrip()
            for ref in located
            if ref.state in _GOOD
        ]
        return (Section("Places that matter", "\n".join(lines)),) if lines else ()

    def _checked(self, text: str) -> CheckedText:
        """Return a text of the model with its citations checked against the code as it is now."""
        checked = check_citations(text, self._view, self._links, self._job.code)
        self._changed += checked.changed
        self._unknown += checked.unknown
        return checked

    def _located(self) -> tuple[CodeReference, ...]:
        """Return the places that the model noted, checked like all others.

        Where it names nothing, all that is known of a place is that it exists.
        """
        noted = [
            CodeReference(
                resolve_path_argument(item.path, self._job.code)[0] or item.path,
                item.line_start,
                max(item.line_end, item.line_start),
                item.symbol,
                item.description,
            )
            for item in self._evidence.locations
        ]
        found = verify(followed(noted, self._job.code, self._view), self._view)
        is_named = {(ref.path, ref.symbol) for ref in noted if ref.symbol}
        return tuple(
            replace(ref, state=RefState.IN_RANGE)
            if ref.state is RefState.OK and (ref.path, ref.symbol) not in is_named
            else ref
            for ref in found
        )

    def _stats(self, reason: StopReason) -> RunStats:
        calls = self._job.model
        totals = calls.budget.totals
        return RunStats(
            mode=self._job.request.mode,
            model=calls.model.facts.name,
            llm_calls=totals.llm_calls,
            tokens_in=totals.tokens_in,
            tokens_out=totals.tokens_out,
            cost_usd=calls.budget.cost_usd,
            files_analyzed=len(self._job.code.sent_files()),
            elapsed_s=round(time.perf_counter() - self._started, 3),
            stop_reason=reason,
        )

    def _notes(self) -> Iterator[str]:
        """Yield what a reader should know of how the answer came about."""
        calls = self._job.model
        if calls.waited_s >= _WORTH_SAYING_S:
            yield (
                f"{calls.waited_s:.0f} s were waited for the model's limits: 'scope doctor' shows "
                "them."
            )
        struck = {kind for shown in self._job.code.shown.values() for kind in shown.kinds}
        struck |= set(calls.n_redacted)
        if struck:
            yield f"Struck out before anything was sent: {', '.join(sorted(struck))}."
        if not calls.budget.money_cap_holds:
            yield (
                f"The price of {inline_code(calls.model.facts.name)} is not known: only the cap on "
                "tokens held."
            )


def _below(found: tuple[Section, ...], offline: tuple[Section, ...]) -> tuple[Section, ...]:
    """Return the answer that needs no model as it stands below what a model has found."""
    if not found:
        return offline
    return tuple(
        Section("What was found without the model", part.body) if part.title == "Summary" else part
        for part in offline
    )


def _warned(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """Return sections with a warning where the reader starts."""
    if not sections:
        return sections
    first, *others = sections
    return (Section(first.title, f"{_WARNING}\n\n{first.body}"), *others)
