"""What every mode with a model gets: a question, the code base, and the way to the model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.documents import OutputTarget
from analysis.modes.offline.steps import Unread
from analysis.settings import Settings
from analysis.stopping import StopFlag
from analysis.tools.tool import ToolContext, ToolGate

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.index.code_index import CodeIndex
    from analysis.llm.calls import ModelCalls
    from analysis.models import AskRequest
    from analysis.tools.prompt_code import PromptCode


@dataclass(frozen=True, slots=True)
class Job:
    """One question that is answered with the help of a model."""

    request: AskRequest
    """The question, and what the asker was looking at."""
    access: SmartFileAccess
    """The code base."""
    index: CodeIndex
    """Its index, up to date."""
    calls: ModelCalls
    """The way to the model, with the limits of this question."""
    settings: Settings = field(default_factory=Settings)
    stop: StopFlag = field(default_factory=StopFlag)
    """Ends the run early when set; the document then holds what was found by then."""
    output: OutputTarget | None = None
    """Where the document will be written, for its links; a strategy does not write it."""
    unread: Unread = field(default_factory=Unread)
    """What of the code base the answer cannot know of."""
    runs_root: Path | None = None
    """The folder below which runs that can go on later are kept; None keeps none."""
    approve: ToolGate | None = None
    """Who has to agree before a tool of the model runs."""

    @property
    def target(self) -> OutputTarget:
        """Where the document will be written; at the root of the code base if nobody said."""
        return self.output or OutputTarget(self.access.files.root)

    def tool_context(self, code: PromptCode) -> ToolContext:
        """Return what tools work with, which show code as prompts may."""
        return ToolContext(
            self.access, self.index, code, self.request, self.stop, approve=self.approve
        )
