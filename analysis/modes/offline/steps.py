"""The steps of an offline run, each an event or a few; blocking, made to run in a thread."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analysis.documents import (
    CodeView,
    DocumentParts,
    OutputTarget,
    ReadByProgram,
    Section,
    changed_sentence,
    check_citations,
    earlier_document,
    followed,
    has_changed,
    indexed_code,
    render,
    verify,
)
from analysis.documents.render import all_sections, heading, section_text
from analysis.errors import AmbiguousSymbol, Cancelled
from analysis.events import (
    CandidatesFound,
    Decided,
    Event,
    Notice,
    PhaseStarted,
    RunFinished,
    TextDelta,
)
from analysis.models import (
    Answer,
    AskRequest,
    CodeReference,
    Position,
    ReferenceList,
    RunStats,
    SymbolChoice,
)
from analysis.modes import search_intent
from analysis.modes.offline import sections
from analysis.modes.offline.explore import Quest, explore
from analysis.modes.offline.overview import overview
from analysis.modes.offline.summary import not_in_code, summary
from analysis.modes.offline.uses import MAX_DEFINITIONS, uses_answer, uses_of_several
from analysis.modes.stop_reasons import StopReason, stop_sentence
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex
    from analysis.retrieval.search import SearchResult

# The way through the code needs more candidates than a reader wants to see.
_CANDIDATES = 40


@dataclass(slots=True)
class Draft:
    """What there is of the document so far."""

    sections: list[Section] = field(default_factory=list)
    references: list[CodeReference] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    n_files: int = 0


@dataclass(frozen=True, slots=True)
class Unread:
    """What of the code base an answer cannot know of."""

    skipped: Mapping[str, int] = field(default_factory=dict)
    """How many files are left out of the search, by reason."""
    gaps: tuple[str, ...] = ()
    """What the index does not hold yet, in whole sentences."""


class OfflineRun:
    """One question, from ranking to the finished document."""

    def __init__(
        self,
        request: AskRequest,
        access: SmartFileAccess,
        index: CodeIndex,
        target: OutputTarget,
        stop: StopFlag,
        unread: Unread,
    ) -> None:
        self._request = request
        self._access = access
        self._index = index
        self._target = target
        self._links = target.links()
        self._earlier = earlier_document(request.follow_up)
        self._stop = stop
        self._left_out = unread.skipped
        self._started = time.perf_counter()
        self._complete = not unread.gaps
        self.draft = Draft(left_out=list(unread.gaps))
        self._code = indexed_code(index, access.files.read)

    def events(self) -> Iterator[Event]:
        """Yield all events; whatever happens to the work, the last is a finished document."""
        reason: StopReason = "done" if self._complete else "index_incomplete"
        yield TextDelta(heading(self._request.question, self._earlier, self._target))
        try:
            yield from self._work()
        except Cancelled:
            reason = "cancelled"
            self.draft.left_out.insert(0, stop_sentence(reason))
        yield PhaseStarted("verification")
        yield from self._finish(reason)

    def _work(self) -> Iterator[Event]:
        """Yield the events of the search and of the answer's own sections."""
        yield PhaseStarted("discovery")
        self._stop.check()
        wanted = search_intent.uses_wanted(self._request, self._code)
        if wanted is not None:
            yield Decided("list the uses", f"the question asks who uses {wanted[0]}")
            yield from self._uses(*wanted)
            return
        view = search_intent.read(self._request, self._code)
        yield from (Notice(note) for note in view.notices)
        result = self._search(view.query)
        if not result.candidates and view.focus is None:
            yield Decided(
                "give an overview", "there is nothing to search for, or nothing was found"
            )
            yield from self._overview(result)
            return
        yield CandidatesFound(result.candidates)
        yield from self._answer(result, view)

    def _answer(self, result: SearchResult, view: search_intent.SearchIntent) -> Iterator[Event]:
        """Yield the sections of an answer that follows the code."""
        yield PhaseStarted("exploration")
        more = [candidate for found in result.more.values() for candidate in found]
        candidates = list(dict.fromkeys([*result.candidates, *more]))
        quest = Quest(self._request, result.question, candidates, view.focus, view.boosts)
        found = explore(quest, self._index, self._code, self._stop)
        if found.path:
            yield Decided(f"start at {found.path[0].name}", _why(len(found.path)))
        yield PhaseStarted("synthesis")
        self.draft.n_files = len({*found.files, *(place.path for place in found.shown)})
        said = summary(found, self._links)
        if result.unknown:
            said = f"{not_in_code(result.unknown)}\n\n{said}"
        yield self._add(Section("Summary", said))
        for write in (sections.fits_together, sections.relevant_code, sections.key_files):
            self._stop.check()
            section = write(found, self._links)
            if section is not None:
                yield self._add(section)
        self.draft.references += sections.references(found)
        self.draft.left_out += [*view.notices, *sections.left_out(found)]

    def _search(self, query: str) -> SearchResult:
        """Return the ranked places; a file that is not what the index has is read again first."""
        from analysis.retrieval.search import SearchOptions, search

        location = self._request.location
        options = SearchOptions(
            top_k=max(_CANDIDATES, self._request.top_k),
            location=location.path if location else None,
        )
        result = search(self._index, query, options)
        self._code.compare({candidate.path for candidate in result.candidates})
        if not self._index.refresh_distrusted(self._stop):
            return result
        self._code = indexed_code(self._index, self._access.files.read)
        return search(self._index, query, options)

    def _uses(self, name: str, at: Position | None) -> Iterator[Event]:
        """Yield the sections that answer who uses a symbol."""
        yield PhaseStarted("exploration")
        try:
            found = self._access.find_references(name, at=at, stop=self._stop)
            answer = uses_answer(found, self._links)
        except AmbiguousSymbol as error:
            lists = [self._uses_of(choice) for choice in error.choices[:MAX_DEFINITIONS]]
            answer = uses_of_several(name, error.choices, lists, self._links)
        yield PhaseStarted("synthesis")
        for section in answer.sections:
            yield self._add(section)
        self.draft.references += answer.references
        self.draft.left_out += answer.notes
        self.draft.n_files = len({reference.path for reference in answer.references})

    def _uses_of(self, choice: SymbolChoice) -> ReferenceList:
        """Return the uses of one of several definitions that share a name."""
        self._stop.check()
        plain = choice.qualified_name.rpartition(".")[2]
        at = Position(choice.path, choice.line)
        return self._access.find_references(plain, at=at, stop=self._stop)

    def _overview(self, result: SearchResult) -> Iterator[Event]:
        """Yield the sections for a question that nothing can be found for."""
        yield PhaseStarted("synthesis")
        parts, references = overview(self._code, self._links, _why_nothing(result))
        for section in parts:
            yield self._add(section)
        self.draft.references += references
        self.draft.n_files = len({reference.path for reference in references})

    def _add(self, section: Section) -> TextDelta:
        """Add a section to the document and return its text."""
        self.draft.sections.append(section)
        return TextDelta(section_text(section))

    def _finish(self, reason: StopReason) -> Iterator[Event]:
        """Yield the closing sections and the finished document."""
        now = self._follow_files()
        draft = self.draft
        stats = RunStats(
            mode="offline",
            files_analyzed=draft.n_files,
            elapsed_s=round(time.perf_counter() - self._started, 3),
            stop_reason=reason,
        )
        parts = DocumentParts(
            question=self._request.question,
            target=self._target,
            stats=stats,
            sections=tuple(draft.sections),
            references=verify(draft.references, now),
            not_looked_at=tuple([*draft.left_out, *self._skipped()]),
            answered_by=(self._request.mode_reason,),
            earlier=self._earlier,
        )
        for section in all_sections(parts)[len(parts.sections) :]:
            yield TextDelta(section_text(section))
        answer = Answer(render(parts, now), parts.references, stats)
        yield RunFinished(answer, reason)

    def _follow_files(self) -> CodeView:
        """Return the code as it is now; what was written of files saved meanwhile follows them."""
        now = indexed_code(self._index, self._access.files.read)
        draft, as_read = self.draft, ReadByProgram(self._code)
        paths = dict.fromkeys(reference.path for reference in draft.references)
        changed = [path for path in paths if has_changed(as_read, now, path)]
        if changed:
            draft.sections[:] = [
                replace(part, body=check_citations(part.body, now, self._links, as_read).markdown)
                for part in draft.sections
            ]
            draft.references[:] = followed(draft.references, as_read, now)
            draft.left_out.append(changed_sentence(changed))
        return now

    def _skipped(self) -> Iterator[str]:
        """Yield a sentence on the files that are not searched."""
        left_out = [f"{n} {why.replace('_', ' ')}" for why, n in self._left_out.items() if n]
        if left_out:
            yield f"Files left out of the search: {', '.join(left_out)}."


def _why(n_steps: int) -> str:
    if n_steps > 1:
        return f"from there {n_steps} definitions that fit the question call each other"
    return "it fits the question best"


def _why_nothing(result: SearchResult) -> str:
    from analysis.documents.markdown import inline_code
    from analysis.modes.writing import listed

    words = result.question.keywords.words
    if not words:
        return "The question holds no word that can be searched for."
    return f"Nothing in the code base matches {listed(inline_code(word) for word in words)}."
