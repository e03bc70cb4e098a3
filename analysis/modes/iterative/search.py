"""What the rounds of iterative mode work on: code that is gathered, kept, dropped and shown."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from analysis.events import ToolCalled, ToolReturned
from analysis.modes.first_look import first_look
from analysis.modes.iterative.adaptive import AdaptiveLimits
from analysis.modes.iterative.elements import Element, Gathered, of_place
from analysis.modes.iterative.neighbours import ORIGINS, neighbours
from analysis.modes.iterative.prompts import RoundState, state_text
from analysis.modes.iterative.round_report import RoundReport
from analysis.modes.iterative.rounds import CallWanted, RoundOutput, key_of, new_calls
from analysis.modes.prompt_budget import Room, prompt_tokens
from analysis.modes.query_profile import QueryProfile
from analysis.modes.synthesis import Synthesis
from analysis.tokens import text_tokens
from analysis.tools.path_argument import resolve_path_argument
from analysis.tools.registry import ITERATIVE_TOOLS
from analysis.tools.tool import ToolResult
from analysis.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from analysis.llm.messages import ToolSpec
    from analysis.models import Candidate
    from analysis.modes.job import Job

# The code that ranking puts first is gathered before anything is asked.
_FIRST_FILES = 6
# A search names many places; those behind the first ones are seldom what was meant.
_PLACES_A_SEARCH = 8
# No answer needs more files; each one that is not there is looked for among all names.
_MAX_KEPT = 40
_MAX_PROBLEMS = 10
_SHOWN_AS_CODE = frozenset({"search_codebase", "browse_file", "read_symbols"})
_RANKING = "ranking"
_READ = ("browse_file", "read_symbols")
"""Tools whose results a model asked for by name, where others only come upon something."""
_OVERHEAD_TOKENS = 1_500


class IterativeSearch:
    """The code of one run, from the first candidates to what the document is made of."""

    def __init__(self, job: Job, synthesis: Synthesis) -> None:
        self._job = job
        self._synthesis = synthesis
        self._code = job.code
        self._fences = synthesis.fences
        self._settings = job.settings.pipeline
        self._gathered = Gathered(max_lines=0)
        self._candidates: tuple[Candidate, ...] = ()
        self._toolbox = Toolbox(job.tool_context(), ITERATIVE_TOOLS)
        self._made: dict[str, str] = {}
        self._results: list[str] = []
        self._problems: list[str] = []
        self._seen: set[Element] = set()
        self._dropped: set[str] = set()
        self._named: list[str] = []
        self._asked_for: list[Element] = []
        self.new_labels: list[str] = []
        """What the last look-up brought, for a watcher."""

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools that can be asked for."""
        return self._toolbox.specs

    @property
    def is_full(self) -> bool:
        """Whether the limit of lines is reached."""
        return self._gathered.is_full

    def limit(self, max_lines: int) -> None:
        """Set how many lines may be gathered."""
        self._gathered.max_lines = max_lines

    def start(self, candidates: tuple[Candidate, ...]) -> None:
        """Gather the best place of each of the best files; blocking."""
        self._candidates = candidates
        best: dict[str, Candidate] = {}
        for candidate in candidates:
            known = best.get(candidate.path)
            if known is None or (known.symbol is None and candidate.symbol is not None):
                best[candidate.path] = candidate
        first = list(best.values())[:_FIRST_FILES]
        self._gathered.add(
            self._elements((c.path, c.line_start, c.line_end, _RANKING) for c in first)
        )
        self._note_evidence()

    def prompt(
        self,
        number: int,
        limits: AdaptiveLimits,
        profile: QueryProfile,
        max_output: int,
    ) -> str:
        """Return the user's message of a round, within the limits of size; blocking."""
        seen = [element for element in self._gathered.elements if element in self._seen]
        state = RoundState(
            number, limits, profile, self._gathered.n_lines, self._synthesis.evidence.insights,
            tuple(self._made.values()), tuple(self._problems[:_MAX_PROBLEMS]), seen,
        )  # fmt: skip
        words = state_text(state)
        tokens = prompt_tokens(self._job.model, max_output) - _OVERHEAD_TOKENS
        if number == 1:
            left = prompt_tokens(self._job.model, max_output) - text_tokens(words)
            about = self._synthesis.about()
            look = first_look(self._job, self._candidates, self._fences, left, about)
            self._seen.update(e for e in self._gathered.elements if self._is_shown(e))
            return f"{look}\n\n{words}"
        room = Room(tokens, self._settings.exploration_chars)
        parts = [self._synthesis.asked(), words]
        for part in parts:
            room.take(part)
        parts += [part for part in self._results if room.take(part)]
        parts += self._quoted(room)
        return "\n\n".join(parts)

    def keep(self, output: RoundOutput, this: RoundReport) -> bool:
        """Drop what the model does not want to keep, note what it understood; blocking.

        Returns:
            False if it names files and none of them is there: then it speaks of other code.
        """
        if output.insights.strip():
            self._synthesis.evidence.insights.append(output.insights.strip())
        meant = [resolve_path_argument(name, self._code) for name in output.keep_files[:_MAX_KEPT]]
        kept = list(dict.fromkeys(path for path, _ in meant if path is not None))
        self._problems = [problem for path, problem in meant if path is None]
        this.problems += self._problems
        if kept:
            dropped = self._gathered.keep(kept)
            this.dropped = list(dict.fromkeys(element.path for element in dropped))
            self._dropped |= set(this.dropped)
            self._seen -= set(dropped)  # Who asks for it again wants to see it again.
            self._named = kept
            this.kept = kept
        self._note_evidence()
        return bool(kept) or not output.keep_files

    async def look_up(self, output: RoundOutput, this: RoundReport) -> None:
        """Make the calls that are new, gather what they bring and what calls it."""
        self._results = []
        found: list[Element] = []
        for number, wanted in enumerate(new_calls(output, self._made), 1):
            call = wanted.as_call(f"{this.number}.{number}")
            self._job.emit(ToolCalled(call.id, call.name, wanted.arguments))
            started = time.perf_counter()
            result = await self._toolbox.run(call)
            elapsed = round(time.perf_counter() - started, 3)
            size, summary = len(result.text), result.summary or ""
            self._job.emit(ToolReturned(call.id, call.name, size, elapsed, result.ok, summary))
            this.asked.append(wanted.label)
            found += await asyncio.to_thread(self._noted, wanted, result)
        await asyncio.to_thread(self._gather, found, this)

    def kept_candidates(self) -> tuple[Candidate, ...]:
        """Return the ranked places of files that were kept; all of them if nobody chose."""
        files = {*self._gathered.paths, *self._named}
        return tuple(c for c in self._candidates if not self._named or c.path in files)

    def _noted(self, call: CallWanted, result: ToolResult) -> list[Element]:
        """Keep what the model should read of a result, and return the code that it leads to."""
        text = result.text
        if call.tool in _SHOWN_AS_CODE and result.summary:
            text = result.summary  # What it found is gathered, and shown as such.
        if result.ok:
            self._results.append(self._fences.quoted(call.label, text))
        else:
            self._problems.append(f"{call.label}: {text}")
        places = [*result.shown]
        if call.tool == "search_codebase":
            places += result.found[:_PLACES_A_SEARCH]
        found = self._elements((p.path, p.line_start, p.line_end, call.label) for p in places)
        if call.tool in _READ:
            self._asked_for += found
        came = f"{len(found)} places" if result.ok else "nothing"
        self._made[key_of(call)] = f"{call.label}: {came}"
        return found

    def _gather(self, found: Iterable[Element], this: RoundReport) -> None:
        """Take in what was found, and what the call graph knows around it."""
        new = self._gathered.add(found)
        this.n_found = len(new)
        self._dropped -= {element.path for element in new}
        around = neighbours(
            new, self._job.access, self._job.view, leave_out=self._dropped, stop=self._job.stop
        )
        allowed = frozenset(self._code.allow(element.path for element in around.elements))
        related = self._gathered.add(e for e in around.elements if e.path in allowed)
        this.n_related = len(related)
        this.n_related_left = around.n_more
        this.graph_complete = around.complete
        self.new_labels = [f"{element.label} ({element.origin})" for element in (*new, *related)]
        self._note_evidence()

    def _elements(self, places: Iterable[tuple[str, int, int, str]]) -> list[Element]:
        """Return the elements that places belong to, of files that may be shown."""
        known = list(places)
        allowed = frozenset(self._code.allow(path for path, _, _, _ in known))
        found = [of_place(self._job.view, *place) for place in known if place[0] in allowed]
        return list(dict.fromkeys(element for element in found if element is not None))

    def _quoted(self, room: Room) -> Iterator[str]:
        """Yield the gathered code that the model has not seen, as far as it fits."""
        for element in self._gathered.elements:
            if element in self._seen:
                continue
            title = f"{element.symbol or 'part'} in {element.path}"
            text = self._code.numbered(
                element.path, element.line_start, element.line_end, self._settings.file_chars
            )
            if text and room.take(part := self._fences.quoted(title, text)):
                self._seen.add(element)
                yield part

    def _is_shown(self, element: Element) -> bool:
        """Return whether all lines of an element were in the first prompt."""
        shown = self._code.shown.get(element.path)
        return shown is not None and any(
            start <= element.line_start and element.line_end <= end for start, end in shown.ranges
        )

    def _note_evidence(self) -> None:
        """Hand on what there is, so that an early end has it too."""
        evidence = self._synthesis.evidence
        evidence.files = list(dict.fromkeys([*self._named, *self._gathered.paths]))
        ordered = sorted(self._gathered.elements, key=self._rank)
        evidence.read = [(e.path, e.line_start, e.line_end) for e in ordered]

    def _rank(self, element: Element) -> int:
        """Return how soon an element gives way to others: the last are only a call away."""
        if any(element.contains(wanted) for wanted in self._asked_for):
            return 0
        if element.origin == _RANKING:
            return 2
        return 3 if element.origin.startswith(ORIGINS) else 1
