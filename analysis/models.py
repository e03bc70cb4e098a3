"""What the layers agree on: plain frozen data.

Everywhere in ``analysis`` lines are 1-based and inclusive, columns are 0-based code points, and
paths are relative to the root of the code base with ``/`` as the separator.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, get_args

from analysis.answer_path import Fit, PathEntry, RunStats
from analysis.indirection import Indirection

UseKind = Literal[
    "call", "construction", "element", "decorator", "read", "write", "value", "import", "export",
    "type", "base", "key", "definition", "documentation", "mention",
]  # fmt: skip
"""What is done with a symbol where it is used; a mention is a place that could not be parsed."""

SymbolKind = Literal[
    "function", "class", "method", "variable", "interface", "enum", "type", "property", "module"
]

ModeName = Literal["auto", "offline", "pipeline", "agent", "plan", "iterative"]
"""How to answer. ``auto`` chooses one of the others; each of those is a package in ``modes``."""
MODE_NAMES: tuple[ModeName, ...] = get_args(ModeName)


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of a file; what has more to say about them extends it."""

    path: str
    line_start: int
    line_end: int
    """1-based and inclusive, as ``line_start``."""

    def is_within(self, others: Iterable[Span]) -> bool:
        """Return whether all of the lines are among those of one other."""
        return any(
            self.path == other.path
            and other.line_start <= self.line_start
            and self.line_end <= other.line_end
            for other in others
        )


@dataclass(frozen=True, slots=True)
class SymbolInfo:
    """A definition in a file, without its body."""

    name: str
    """The plain name."""
    qualified_name: str
    """Dotted path inside the file, as in ``Class.method`` or ``outer.inner``."""
    kind: SymbolKind
    line: int
    """Line of the ``def``, ``class`` or first keyword; decorators lie above it."""
    line_end: int
    signature: str
    """One line as a reader would write it, without the body."""
    name_line: int
    """Line on which the name itself stands."""
    name_column: int
    """Column at which the name itself starts, in code points."""
    decorated_line: int
    """First line including decorators; equal to ``line`` without any."""
    children: tuple[SymbolInfo, ...] = ()
    decorators: tuple[str, ...] = ()
    """Source of each decorator without the ``@``."""
    docstring: str | None = None
    """First line of the docstring or doc comment."""
    exported: bool = True
    """False if the language or convention marks it as private."""


@dataclass(frozen=True, slots=True)
class SymbolDetail:
    """A definition with its source."""

    path: str
    info: SymbolInfo
    body: str
    """Source from the first decorator to the last line, as it stands in the file."""
    parent: str | None
    """Qualified name of the enclosing class or function."""
    char_count: int
    answered_by: str = "ast"


@dataclass(frozen=True, slots=True)
class SymbolChoice:
    """One of several definitions that a name could mean."""

    path: str
    qualified_name: str
    kind: SymbolKind
    line: int
    signature: str


@dataclass(frozen=True, slots=True)
class DefinitionPlace:
    """Where something is defined, in or outside the code base."""

    path: str
    """Relative to the root; absolute outside."""
    line: int
    column: int
    name: str


@dataclass(frozen=True, slots=True)
class DefinitionPlaces:
    """Where something is defined, and who says so."""

    places: tuple[DefinitionPlace, ...]
    answered_by: str


@dataclass(frozen=True, slots=True)
class ImportInfo:
    """One imported name or module, as written."""

    text: str
    """The statement's source on one line."""
    module: str
    """The module or file specifier, with leading dots when relative."""
    names: tuple[str, ...]
    """Names bound by it in this file (after ``as``); ``*`` for a star import."""
    line: int


@dataclass(frozen=True, slots=True)
class FileOutline:
    """The shape of one file: imports and definitions, no bodies."""

    path: str
    language: str
    imports: tuple[ImportInfo, ...]
    symbols: tuple[SymbolInfo, ...]
    line_count: int
    docstring: str | None = None
    """First line of the module's docstring or leading comment."""
    problems: tuple[str, ...] = ()
    """What could not be read or parsed; the rest is right all the same."""
    answered_by: str = "ast"


@dataclass(frozen=True, slots=True)
class Reference:
    """One use of a symbol."""

    path: str
    line: int
    column: int
    context: str
    """The source line, without its indentation."""
    enclosing: str | None = None
    """Qualified name of the innermost definition around it."""
    kind: UseKind = "mention"
    """What is done with it there, as the syntax says."""
    is_test: bool = False
    """Whether it stands in a test."""
    alias: str | None = None
    """The name that it was given by an assignment and is used under, if that is not its own."""
    unlikely: bool = False
    """For a use that could not be decided: what else is done with the object speaks against it."""


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """Uses of a symbol, with an honest word on completeness."""

    symbol: str
    definition: SymbolChoice | None
    references: tuple[Reference, ...]
    """Uses that were resolved to this very symbol, under any of its names; those in tests last."""
    unverified: tuple[Reference, ...]
    """Same name, but it could not be decided whether it is this symbol."""
    complete: bool
    """True only if every place that spells one of its names was judged by syntax and binding."""
    at_least: int
    """How many uses there are at least, found or not."""
    stopped_by: str | None
    """What cut it short: ``time``, ``size``, ``cancelled``, ``unread files``; None if nothing."""
    answered_by: str
    indirections: tuple[Indirection, ...] = ()
    """Where it is registered, handed over or named by a string; those in tests last."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """One call, seen from the function at the other end of it."""

    path: str
    """File of the call itself, not of what is called."""
    line: int
    column: int
    context: str
    """The source line, without its indentation."""
    symbol: str
    """Qualified name of the caller or callee; the file's path for a call outside functions."""
    definition: SymbolChoice | None
    """Where the caller or callee is defined; None for a call outside functions."""
    depth: int
    """1 for a direct call."""
    through: str | None = None
    """Beyond depth 1: qualified name of the caller or callee it was reached through."""
    kind: UseKind = "call"
    """How it is called: a call, a construction, an element, a decorator, the read of a property."""
    is_test: bool = False
    """Whether it stands in a test."""


@dataclass(frozen=True, slots=True)
class CallList:
    """Who calls a symbol, or whom it calls, with an honest word on completeness."""

    symbol: str
    definition: SymbolChoice | None
    direction: Literal["callers", "callees"]
    calls: tuple[CallSite, ...]
    """In order of depth, those in tests last, then of path and place; each function is followed
    only once."""
    unverified: tuple[CallSite, ...]
    """Places that may call it: something of that name that could not be resolved."""
    complete: bool
    """True only if every call down to the depth asked for is in ``calls``, and nothing that was
    followed is handed on as a value, to be called from elsewhere."""
    stopped_by: str | None
    """What ended the search early, as for ``ReferenceList``; None if nothing did."""
    answered_by: str
    values: tuple[Reference, ...] = ()
    """For callers: where the symbol itself is handed on as a value."""
    indirections: tuple[Indirection, ...] = ()
    """For callers: how it is reached without being called by its name, as for its uses."""


@dataclass(frozen=True, slots=True)
class CodeEdge:
    """One definition uses another, on a line of its own."""

    source: SymbolChoice
    target: SymbolChoice
    line: int
    """In the file of ``source``."""
    kind: UseKind
    is_raised: bool = False
    """Whether what is made is raised."""
    resolved: bool = True
    """False if it only may: something of that name is used, and nothing else is known of it."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's text as lines are counted everywhere in Scope."""

    path: str
    text: str
    """Decoded text with ``\\n`` for every line ending, so that columns and lines are stable."""
    encoding: str
    notes: tuple[str, ...] = ()
    """What a reader should know: undecodable bytes, a cut, an unsaved buffer."""
    cells: tuple[NotebookCell, ...] = ()
    """For a notebook: where each cell lies in ``text``."""


@dataclass(frozen=True, slots=True)
class NotebookCell:
    """Where a notebook's cell lies in the flattened text."""

    number: int
    """1-based position in the notebook."""
    kind: Literal["code", "markdown", "raw"]
    line_start: int
    line_end: int


class RefState(StrEnum):
    """What checking a code reference against the code found."""

    OK = "ok"
    """What the text names beside it stands there."""
    CORRECTED = "corrected"
    """The range was wrong and was mended from the named symbol."""
    IN_RANGE = "in_range"
    """The lines exist, but nothing that the text names was found on them."""
    UNVERIFIED = "unverified"
    """It could not be confirmed, and is not shown as a link."""
    MOVED = "moved"
    """Later: the same code stands elsewhere now."""
    CHANGED = "changed"
    """Later: the symbol is there, its code is not what was cited."""
    AMBIGUOUS = "ambiguous"
    """Later: the cited code stands in several places now."""
    GONE = "gone"
    """Later: neither the symbol nor the code is to be found."""
    EDITED = "edited"
    """Later: the document's text was edited, and nobody has confirmed this link since."""
    UNCHECKED = "unchecked"
    """Later: it is to a commit that is not at hand, so that nothing is known of it."""


@dataclass(frozen=True, slots=True)
class CodeReference(Span):
    """A citation: a range of lines, what stands there, and whether that was checked."""

    symbol: str | None = None
    """Qualified name of the definition that the range shows, if it shows one."""
    description: str = ""
    state: RefState = RefState.UNVERIFIED
    cell: int | None = None
    """For a notebook: the cell in which the lines are counted in the text shown to the reader."""


@dataclass(frozen=True, slots=True)
class Candidate(Span):
    """A place that may answer a question, and why."""

    symbol: str | None
    kind: str
    signature: str
    score: float
    reasons: tuple[str, ...]
    """One short sentence a signal, strongest first."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file of the code base."""

    path: str
    line: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A question, and what the asker was looking at."""

    question: str
    mode: str = "auto"
    location: Position | None = None
    selection: str | None = None
    symbol: str | None = None
    """Qualified name under the cursor, if any."""
    diagnostic: str | None = None
    """Message of the problem that is asked about."""
    follow_up: str | None = None
    """Path of the document that the question follows up on."""
    within: tuple[str, ...] = ()
    """Paths of files and folders that the search is limited to; empty for all."""
    changes: str | None = None
    """Which changes go along: ``uncommitted``, a commit, or a range as in ``main...``."""
    top_k: int = 20
    resume: str | None = None
    """Name of the kept run to go on with."""
    scopes: tuple[str, ...] | None = None
    """Kinds of context that a model may see in this run; None for all."""
    mode_reason: str = ""
    """Why it is answered in this mode, as a sentence for the document; empty if the asker chose."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished document and what it refers to."""

    markdown: str
    references: tuple[CodeReference, ...]
    stats: RunStats
    document: str | None = None
    """Absolute path of the written document; None if it was not written."""
    notices: tuple[str, ...] = field(default=())
    """What the reader must know: a rebuilt index, a cache that could not be written."""
    path: tuple[PathEntry, ...] = ()
    """The way through the code that the answer tells, its start first; empty if it tells none."""
    fit: Fit | None = None
    """None if nobody judged it."""
    guesses: tuple[PathEntry, ...] = ()
    """Where else the answer may begin, likeliest first; empty if it is known to begin there."""

    @property
    def second_guess(self) -> PathEntry | None:
        """Return the likeliest place to begin with besides the start."""
        return self.guesses[0] if self.guesses else None
