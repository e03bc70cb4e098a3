"""The steps of an offline run; they block, and run in a thread."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analysis.answer_path import Fit, PathEntry
from analysis.documents import (
    CodeView,
    ReadByProgram,
    Section,
    changed_sentence,
    earlier_document,
    followed,
    has_changed,
)
from analysis.documents.code import definitions
from analysis.documents.render import heading, section_text
from analysis.errors import AmbiguousSymbol, Cancelled
from analysis.events import (
    CandidatesFound,
    Decided,
    Notice,
    PhaseStarted,
    RunFinished,
    TextDelta,
)
from analysis.models import CodeReference, Position, ReferenceList, SymbolChoice
from analysis.modes import search_intent
from analysis.modes.ending import finished
from analysis.modes.job import Job
from analysis.modes.offline import sections
from analysis.modes.offline.changes_told import changes_told, not_looked_at
from analysis.modes.offline.exploration import Exploration, SearchRequest
from analysis.modes.offline.explore import explore
from analysis.modes.offline.first_screen import first_screen, not_in_code, searched
from analysis.modes.offline.fit import fit_of
from analysis.modes.offline.impact import Impact, impact_of
from analysis.modes.offline.overview import overview
from analysis.modes.offline.proof import is_borne_out
from analysis.modes.offline.spelling import did_you_mean
from analysis.modes.offline.steps import Step, steps_of_changes, steps_of_users
from analysis.modes.offline.users import edges_of
from analysis.modes.offline.uses import MAX_DEFINITIONS, uses_answer, uses_of_several
from analysis.modes.places import place_of
from analysis.modes.stop_reasons import StopReason, stop_sentence

if TYPE_CHECKING:
    from analysis.retrieval.search import SearchResult

# The way through the code needs more candidates than a reader wants to see.
_CANDIDATES = 40
_ALL_USES = "The uses are those in the whole code base, not only in what was attached."
_FOLD = "Code and references"
_FOLD_DIAGRAM = "Diagram, code and references"
_FOLD_REFERENCES = "References, and what was not looked at"


@dataclass(slots=True)
class OfflineDraft:
    """What there is of the document so far."""

    sections: list[Section] = field(default_factory=list)
    references: list[CodeReference] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """What the answer is not based on, as sentences."""
    scope: str = ""
    """How far it reaches, if not as far as the code base."""
    n_files: int = 0
    path: tuple[PathEntry, ...] = ()
    fit: Fit | None = None
    guesses: tuple[PathEntry, ...] = ()


async def run(job: Job) -> RunFinished:
    """Answer a question; the pieces of text, put together, are the document's body."""
    return await asyncio.to_thread(OfflineRun(job).run)


class OfflineRun:
    """One question, from ranking to the finished document; blocking."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._request = job.request
        self._links = job.target.links()
        self._view = job.view
        self._earlier = earlier_document(job.request.follow_up)
        self._started = time.perf_counter()
        self._draft = OfflineDraft(left_out=list(job.unread.gaps))
        self._impact: Impact | None = None

    def run(self) -> RunFinished:
        """Search, write, and return the document with how the run ended."""
        reason: StopReason = "index_incomplete" if self._job.unread.gaps else "done"
        gaps = self._job.unread.gaps
        title = heading(self._request.question, self._earlier, self._job.target, gaps)
        self._job.emit(TextDelta(title))
        try:
            self.draft()
        except Cancelled:
            reason = "cancelled"
            self._draft.left_out.insert(0, stop_sentence(reason))
        self._job.emit(PhaseStarted("verification"))
        return self._finished(reason)

    def draft(self) -> OfflineDraft:
        """Search, and return what the document is made of.

        Raises:
            Cancelled: The run was stopped; what was found by then is in the draft.
        """
        self._job.emit(PhaseStarted("discovery"))
        self._job.stop.check()
        wanted = search_intent.uses_wanted(self._request, self._view)
        if wanted is not None:
            reason = f"the question asks who uses {wanted[0]}"
            if self._request.within:
                self._say_scope(_ALL_USES)
            self._job.emit(Decided("list the uses", reason))
            self._list_uses(*wanted)
            return self._draft
        intent = search_intent.read(self._request, self._view)
        if self._request.within:
            where = search_intent.where(self._request)
            self._say_scope(f"Only {where} was searched, as attached to the question.")
        for note in intent.notices:
            self._job.emit(Notice(note))
        if self._job.changes is not None:
            self._impact = impact_of(self._job.changes, self._job, self._view)
            intent = replace(intent, boosts={**intent.boosts, **self._impact.boosts()})
            if search_intent.is_of_changes(self._request.question):
                reason = "the question asks about nothing else"
                self._job.emit(Decided("tell what has changed", reason))
                self._tell_changes(self._impact)
                return self._draft
        result = self._search(intent.query)
        if result.candidates or intent.focus is not None:
            self._job.emit(CandidatesFound(result.candidates))
            self._follow(result, intent)
        else:
            reason = "there is nothing to search for, or nothing was found"
            self._job.emit(Decided("give an overview", reason))
            self._give_overview(result)
        return self._draft

    def _follow(self, result: SearchResult, intent: search_intent.SearchIntent) -> None:
        """Add the sections of an answer that follows the code."""
        self._job.emit(PhaseStarted("exploration"))
        more = [candidate for found in result.more.values() for candidate in found]
        candidates = list(dict.fromkeys([*result.candidates, *more]))
        ranked = result.places
        if self._impact is not None:
            ranked = tuple(self._impact.with_changed(ranked))
        search = SearchRequest(result.question, candidates, ranked, intent.focus, intent.boosts)
        job = self._job
        found = explore(search, job.access, job.index, self._view, job.stop)
        if found.path:
            self._job.emit(Decided(f"start at {found.path[0].name}", _why(len(found.path))))
        self._job.emit(PhaseStarted("synthesis"))
        self._draft.n_files = len({*found.files, *(place.path for place in found.shown)})
        if self._is_partial:
            found = replace(found, all_users=False)
        fit = fit_of(
            found,
            result.unknown,
            asked_about=intent.focus is not None,
            borne_out=lambda: is_borne_out(found, result.question, job.index),
            where=searched(is_partial=self._is_partial),
        )
        said = first_screen(found, fit, self._links, is_partial=self._is_partial)
        if result.unknown:
            missing = not_in_code(result.unknown, is_partial=self._is_partial)
            meant = did_you_mean(result.unknown, job.index.symbol_names())
            said = f"{missing} {meant}".rstrip() + f"\n\n{said}"
        self._tell(found, fit)
        self._add(Section("Summary", said))
        if self._impact is not None:
            self._add_changes(self._impact, "What has changed")
        diagram = sections.fits_together(found, self._links)
        fold = _FOLD if diagram is None else _FOLD_DIAGRAM
        code = sections.relevant_code(found, self._links)
        self._job.stop.check()
        for section in (diagram, code, sections.key_files(found, self._links)):
            if section is not None:
                self._add(replace(section, fold=fold))
                fold = ""
        self._draft.references += sections.references(found)
        self._draft.left_out += [*intent.notices, *sections.left_out(found)]

    def _tell_changes(self, impact: Impact) -> None:
        """Answer with the changes and what they touch."""
        self._job.emit(PhaseStarted("exploration"))
        self._job.emit(PhaseStarted("synthesis"))
        self._add_changes(impact, "Summary")
        changed = [(item.place, item.users) for item in impact.places]
        self._draft.path = tuple(step.entry() for step in steps_of_changes(changed))
        if self._draft.path:
            self._draft.fit = Fit("strong", "the question asks about what has changed")
        self._draft.n_files = len({reference.path for reference in self._draft.references})

    def _add_changes(self, impact: Impact, title: str) -> None:
        self._add(Section(title, changes_told(impact, self._view, self._links)))
        self._draft.references += impact.references()
        self._draft.left_out += not_looked_at(impact)

    def _tell(self, found: Exploration, fit: Fit) -> None:
        """Keep as data what the first screen says."""
        self._draft.path = tuple(step.entry() for step in found.steps)
        self._draft.fit = fit
        self._draft.guesses = tuple(Step(place, "related").entry() for place in found.guesses)

    def _search(self, query: str) -> SearchResult:
        """Return the ranked places; a file that is not what the index has is read again first."""
        from analysis.retrieval.search import SearchOptions, search

        location = self._request.location
        options = SearchOptions(
            top_k=max(_CANDIDATES, self._request.top_k),
            path_globs=search_intent.globs(self._request),
            location=location.path if location else None,
        )
        result = search(self._job.index, query, options)
        self._view.compare({c.path for c in (*result.candidates, *result.places)})
        if not self._job.index.refresh_distrusted(self._job.stop):
            return result
        self._view = self._job.read_anew()
        return search(self._job.index, query, options)

    def _list_uses(self, name: str, at: Position | None) -> None:
        """Add the sections that answer who uses a symbol."""
        self._job.emit(PhaseStarted("exploration"))
        try:
            found = self._uses(name, at)
            answer = uses_answer(found, self._links)
            path = self._tell_uses(found)
        except AmbiguousSymbol as error:
            lists = [self._uses_of(choice) for choice in error.choices[:MAX_DEFINITIONS]]
            answer = uses_of_several(name, error.choices, lists, self._links)
            path = []
        self._job.emit(PhaseStarted("synthesis"))
        for section in answer.sections:
            self._add(section)
        self._draft.references += [*path, *(r for r in answer.references if not r.is_within(path))]
        self._draft.left_out += answer.notes
        self._draft.n_files = len({reference.path for reference in answer.references})

    def _tell_uses(self, found: ReferenceList) -> list[CodeReference]:
        """Keep as data where a symbol is defined and who uses it, and return that as citations."""
        definition = found.definition
        if definition is None:
            return []
        for info in definitions(self._view, definition.path, definition.qualified_name):
            if info.line <= definition.line <= info.line_end:
                start = place_of(definition.path, info)
                steps = steps_of_users(start, edges_of(found, start, self._view))
                self._draft.path = tuple(step.entry() for step in steps)
                self._draft.fit = Fit("strong", "the question asks for the uses of this name")
                return sections.on_path(steps)
        return []

    def _uses(self, name: str, at: Position | None) -> ReferenceList:
        return self._job.access.find_references(name, at=at, stop=self._job.stop)

    def _uses_of(self, choice: SymbolChoice) -> ReferenceList:
        """Return the uses of one of several definitions that share a name."""
        self._job.stop.check()
        plain = choice.qualified_name.rpartition(".")[2]
        return self._uses(plain, Position(choice.path, choice.line))

    def _give_overview(self, result: SearchResult) -> None:
        """Add the sections for a question that nothing can be found for."""
        self._job.emit(PhaseStarted("synthesis"))
        partial = self._is_partial
        where = search_intent.where(self._request)
        why = _why_nothing(result, f"the files of {where} that were read" if partial else where)
        why = f"{why} {did_you_mean(result.unknown, self._job.index.symbol_names())}".rstrip()
        is_asked = result.searched > 0 and not result.question.keywords.words
        parts, references = overview(
            self._view, self._links, why, is_asked=is_asked, is_partial=partial
        )
        for section in parts:
            self._add(section)
        self._draft.references += references
        self._draft.n_files = len({reference.path for reference in references})

    @property
    def _is_partial(self) -> bool:
        """Whether there are files that the answer does not know."""
        return bool(self._job.unread.gaps)

    def _say_scope(self, sentence: str) -> None:
        """Say how far the answer reaches: before all else, and with what was not looked at."""
        self._draft.scope = sentence
        self._draft.left_out.append(sentence)

    def _add(self, section: Section) -> None:
        """Add a section to the document and show it."""
        if self._draft.scope and not self._draft.sections:
            section = replace(section, body=f"{self._draft.scope}\n\n{section.body}")
        self._draft.sections.append(section)
        self._job.emit(TextDelta(section_text(section)))

    def _finished(self, reason: StopReason) -> RunFinished:
        """Show the closing sections and return the finished document."""
        now = self._follow_files()
        last = finished(
            self._job,
            self._draft.sections,
            self._draft.references,
            self._draft.left_out,
            reason,
            view=now,
            n_files=self._draft.n_files,
            started=self._started,
            is_shown=True,
            fold=_FOLD_REFERENCES,
        )
        draft = self._draft
        answer = replace(last.answer, path=draft.path, fit=draft.fit, guesses=draft.guesses)
        return replace(last, answer=answer)

    def _follow_files(self) -> CodeView:
        """Return the code as it is now; what was written of files saved meanwhile follows them."""
        now = self._job.read_anew()
        draft, as_read = self._draft, ReadByProgram(self._view)
        paths = dict.fromkeys(reference.path for reference in draft.references)
        changed = [path for path in paths if has_changed(as_read, now, path)]
        if changed:
            from analysis.documents import check_citations  # much to load for what is rare

            draft.sections[:] = [
                replace(part, body=check_citations(part.body, now, self._links, as_read).markdown)
                for part in draft.sections
            ]
            draft.references[:] = followed(draft.references, as_read, now)
            draft.path = tuple(_followed(entry, as_read, now) for entry in draft.path)
            draft.guesses = tuple(_followed(entry, as_read, now) for entry in draft.guesses)
            draft.left_out.append(changed_sentence(changed))
        return now


def _followed(entry: PathEntry, as_read: ReadByProgram, now: CodeView) -> PathEntry:
    """Return a place of the path where it is now; the line that leads to it is not followed."""
    cited = CodeReference(entry.path, entry.line_start, entry.line_end, entry.symbol)
    for found in followed([cited], as_read, now):
        if (found.line_start, found.line_end) != (entry.line_start, entry.line_end):
            return replace(entry, line_start=found.line_start, line_end=found.line_end, line=0)
    return entry


def _why(n_steps: int) -> str:
    if n_steps > 1:
        return f"from there {n_steps} definitions that fit the question lead on to each other"
    return "it fits the question best"


def _why_nothing(result: SearchResult, where: str) -> str:
    from analysis.documents.markdown import inline_code
    from analysis.modes.writing import listed

    if not result.searched:
        return f"No file in {where} is searched."
    words = result.question.keywords.words
    if not words:
        return "The question holds no word that can be searched for."
    return f"Nothing in {where} matches {listed(inline_code(word) for word in words)}."
