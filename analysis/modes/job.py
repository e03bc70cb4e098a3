"""What every mode gets: a question, the code base, and the way to whoever watches."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.documents import OutputTarget, indexed_code
from analysis.events import Emit, unwatched
from analysis.settings import Settings
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.changes.change_set import ChangeSet
    from analysis.documents import CodeView
    from analysis.index.code_index import CodeIndex
    from analysis.llm.calls import ModelCalls
    from analysis.models import AskRequest
    from analysis.tools.prompt_code import PromptCode
    from analysis.tools.tool import ToolContext, ToolGate


@dataclass(frozen=True, slots=True)
class Unread:
    """What of the code base an answer cannot know of."""

    skipped: Mapping[str, int] = field(default_factory=dict)
    """How many files are left out of the search, by reason."""
    gaps: tuple[str, ...] = ()
    """What the index does not hold yet, in whole sentences."""

    def sentences(self) -> list[str]:
        """Return what a reader should know of files that are not searched."""
        left_out = [f"{n} {why.replace('_', ' ')}" for why, n in self.skipped.items() if n]
        return [f"Files left out of the search: {', '.join(left_out)}."] if left_out else []


@dataclass(frozen=True)
class Job:
    """One question that a mode answers."""

    request: AskRequest
    """The question, and what the asker was looking at; its mode is the one that answers."""
    access: SmartFileAccess
    """The code base."""
    index: CodeIndex
    """Its index, up to date."""
    calls: ModelCalls | None = None
    """The way to the model, with the limits of this question; None in offline mode."""
    emit: Emit = unwatched
    """Shows an event to whoever watches; safe to call from any thread."""
    settings: Settings = field(default_factory=Settings)
    stop: StopFlag = field(default_factory=StopFlag)
    """Ends the run early when set; the document then holds what was found by then."""
    output: OutputTarget | None = None
    """Where the document will be written, for its links; a mode does not write it."""
    unread: Unread = field(default_factory=Unread)
    """What of the code base the answer cannot know of."""
    runs_root: Path | None = None
    """The folder below which runs that can go on later are kept; None keeps none."""
    approve: ToolGate | None = None
    """Who has to agree before a tool of the model runs."""
    at_end: ExitStack = field(default_factory=ExitStack)
    """What a mode registers here is done when its document is written, however that went."""
    changes: ChangeSet | None = None
    """The changes that are attached to the question; None without any."""

    @property
    def model(self) -> ModelCalls:
        """The way to the model, in a mode that has one."""
        assert self.calls is not None, f"the mode {self.request.mode!r} asks no model"
        return self.calls

    @property
    def target(self) -> OutputTarget:
        """Where the document will be written; at the root of the code base if nobody said."""
        return self.output or OutputTarget(self.access.files.root)

    @cached_property
    def view(self) -> CodeView:
        """The code as documents see it, each file read once."""
        return self.read_anew()

    def read_anew(self) -> CodeView:
        """Return the code as it is now; ``view`` keeps what it has read."""
        return indexed_code(self.index, self.access.files.read)

    @cached_property
    def code(self) -> PromptCode:
        """The code as prompts may show it; it remembers what was shown."""
        from analysis.tools.prompt_code import PromptCode

        return PromptCode(self.access, self.index.file_table().paths, self.request.scopes)

    def tool_context(self) -> ToolContext:
        """Return what tools work with, which show code as prompts may."""
        from analysis.tools.tool import ToolContext

        return ToolContext(
            self.access, self.index, self.code, self.request, self.stop, approve=self.approve
        )
