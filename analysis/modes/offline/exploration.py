"""What is looked for, and what was found, as the sections of an answer need it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analysis.documents import CodeView
from analysis.indirection import Indirection, SettingRead
from analysis.models import Candidate
from analysis.modes.offline.beginnings import Beginning
from analysis.modes.offline.call_chain import CallChain
from analysis.modes.offline.steps import DOWN, Step
from analysis.modes.offline.users import NamedTogether, TestOf
from analysis.modes.places import CallEdge, Place
from analysis.retrieval.question import Question
from analysis.retrieval.question_kind import QuestionKind


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is searched for, with what ranking proposes for it."""

    question: Question
    """The question's words, taken apart."""
    candidates: Sequence[Candidate]
    """The best files' places, best first."""
    ranked: Sequence[Candidate]
    """The best definitions, best first."""
    focus: Place | None = None
    """The definition that the question is about, if it is about one."""
    boosts: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By path and qualified name: what is added to a definition's score."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """Everything that the sections of a document are written from."""

    code: CodeView
    terms: frozenset[str]
    """Stems of the question's keywords."""
    names: frozenset[str] = frozenset()
    """What the question writes as code is written."""
    kind: QuestionKind = "topic"
    """What kind of answer is asked for."""
    steps: tuple[Step, ...] = ()
    """The path: the start first, then who acts above, then what follows."""
    beginnings: tuple[Beginning, ...] = ()
    """Where else it may begin, best first; the start itself among them."""
    guesses: tuple[Place, ...] = ()
    """What a reader is told to look at if the start is not it, likeliest first."""
    variants: tuple[Place, ...] = ()
    """Where one more of a kind is asked for: those that there are."""
    ways: tuple[Indirection, ...] = ()
    """How the start is reached without being called by its name."""
    ways_cut: bool = False
    """Whether the time for these was over before all were looked for."""
    registered: Place | None = None
    """What ``ways`` lead to, if that is not the start but an example of its kind."""
    settings: tuple[SettingRead, ...] = ()
    """Which settings the path reads."""
    settings_cut: bool = False
    """Whether the time for these was over before all were looked for."""
    table: NamedTogether | None = None
    """Where one more of a kind is asked for: where several of them are named in one place."""
    test: TestOf | None = None
    """A test that shows the start."""
    all_users: bool = False
    """Where it is asked what depends on something: whether all of its users were found."""
    n_users: int = 0
    """How many users were found in the code itself, and are proven."""
    n_users_aside: int = 0
    """How many in tests, examples and the like."""
    n_may_use: int = 0
    """How many more only may use it."""
    chain: CallChain | None = None
    """The way through the code; one step if nothing is called."""
    side_calls: tuple[Place, ...] = ()
    """What steps of the way call before they go on."""
    related: tuple[Place, ...] = ()
    """Further places worth reading, best first."""
    edges: tuple[CallEdge, ...] = ()
    """What refers to what among the shown places."""
    callers: tuple[CallEdge, ...] = ()
    """Who acts on the path from outside, best first."""
    files: tuple[str, ...] = ()
    """The files that matter, best first."""
    docs_of_files: Mapping[str, str] = field(default_factory=dict)
    """What files say of themselves, by path."""
    best: tuple[Candidate, ...] = ()
    """The candidates in those files."""
    documentation: tuple[Candidate, ...] = ()
    tests: tuple[Candidate, ...] = ()
    not_shown: tuple[Candidate, ...] = ()
    """Candidates that are not shown."""
    graph_files: int = 0
    is_cut: bool = False
    """Whether the time for following calls was over before all were followed."""

    @property
    def path(self) -> tuple[Place, ...]:
        """The places of the path, the start first."""
        return tuple(step.place for step in self.steps)

    @property
    def acting(self) -> tuple[Place, ...]:
        """The start and what follows from it, without callers and other guesses."""
        return tuple(s.place for s in self.steps if s.relation == "start" or s.relation in DOWN)

    @property
    def shown(self) -> tuple[Place, ...]:
        """All places that the document shows."""
        return tuple(dict.fromkeys(self.path + self.side_calls + self.related))
