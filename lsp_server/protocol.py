"""Every custom message of ours: its name, its params and its result.

Mirrored by ``client-vscode/src/protocol.ts`` and described in ``docs/protocol.md``; a test holds
the three together. On the wire names are camelCase, lines are 1-based and inclusive in references
and hits, and 0-based only inside the protocol's own ``Range``.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from lsp_server.approval_messages import APPROVE, ApproveParams, ApproveResult
from lsp_server.message import Message
from lsp_server.model_messages import (
    COMPLETE,
    COMPLETE_TEXT,
    PREVIEW,
    TOOL,
    USE_MODEL,
    CompleteParams,
    CompleteResult,
    CompleteTextParams,
    PreviewResult,
    ToolParams,
    ToolResult,
    UseModelParams,
)

ASK = "scope/ask"
ANALYZE = "scope/analyze"
VERIFY = "scope/verify"
USES = "scope/uses"
RUN_EVENT = "scope/runEvent"
STATUS = "scope/status"

COMMAND_ASK = "scope.ask"
COMMAND_USES = "scope.uses"
COMMAND_CANCEL = "scope.cancel"
COMMAND_REINDEX = "scope.reindex"
COMMAND_STATUS = "scope.status"


class WirePosition(Message):
    """A position as the protocol counts: 0-based line, character in the negotiated encoding."""

    line: int = Field(ge=0)
    character: int = Field(ge=0)


class WireRange(Message):
    """A range as the protocol counts, end exclusive."""

    start: WirePosition
    end: WirePosition


class WireLocation(Message):
    """A range in a file."""

    uri: str
    range: WireRange


class AskParams(Message):
    """Params of ``scope/ask`` and of the command ``scope.ask``."""

    question: str = Field(min_length=1, description="The question, in any language.")
    mode: str | None = Field(None, description="How to answer; the setting decides if absent.")
    location: WireLocation | None = Field(
        None, description="What the asker looks at: the cursor or the selection."
    )
    symbol: str | None = Field(None, description="Qualified name of the symbol asked about.")
    diagnostic: str | None = Field(None, description="Message of the problem asked about.")
    run_id: str | None = Field(None, description="Id for the run's events; made up if absent.")
    follow_up: str | None = Field(None, description="URI of the document this follows up on.")


class WireReference(Message):
    """A code reference of an answer."""

    path: str
    uri: str = Field(description="Where the file is, whichever workspace folder it lies in.")
    line_start: int = Field(description="1-based.")
    line_end: int = Field(description="1-based, inclusive.")
    symbol: str | None = None
    description: str = ""
    state: str = Field(
        description="ok (what is named beside it stands there), corrected, in_range (the lines "
        "exist), unverified (not confirmed); later also moved, changed, ambiguous or gone."
    )
    new_path: str | None = Field(None, description="Where the code stands now, if it moved.")
    new_line_start: int | None = None
    new_line_end: int | None = None


class WireStats(Message):
    """What an answer took."""

    mode: str
    model: str
    llm_calls: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None = Field(None, description="Absent if the price is not known.")
    files_analyzed: int
    elapsed_s: float
    files_parsed: int
    stop_reason: str


class AskResult(Message):
    """Result of ``scope/ask``."""

    run_id: str
    document_uri: str | None = Field(None, description="Absent if it could not be written.")
    markdown: str
    references: list[WireReference]
    stats: WireStats


class RunEvent(Message):
    """Params of the notification ``scope/runEvent``."""

    run_id: str
    base_uri: str = Field(description="Folder to which links in the run's text are relative.")
    event: dict[str, Any] = Field(description="One typed event; its ``type`` says which.")


class StatusParams(Message):
    """Params of the notification ``scope/status``."""

    state: str = Field(description="starting, indexing, ready or problem.")
    message: str = ""
    done: int = Field(0, description="Files indexed so far.")
    total: int = Field(0, description="Files to index.")


class AnalyzeParams(Message):
    """Params of ``scope/analyze``."""

    query: str = Field(min_length=1, description="A question, an identifier, a path or a name.")
    top_k: int = Field(15, ge=1, le=200)
    language: str | None = None
    path: str | None = Field(None, description="Glob over paths.")
    include_code: bool = False
    max_tokens: int | None = Field(
        None, ge=1, description="For all hits with their code, URIs not counted."
    )


class WireHit(Message):
    """One place that ``scope/analyze`` proposes."""

    path: str
    uri: str
    line_start: int
    line_end: int
    symbol: str | None = None
    kind: str
    signature: str
    score: float
    reasons: list[str]
    code: str | None = None


class WireSearched(Message):
    """How much of the code base was searched."""

    files: int
    skipped: dict[str, int]
    complete: bool = Field(True, description="False while the index is still being built.")


class AnalyzeResult(Message):
    """Result of ``scope/analyze``."""

    query: str
    hits: list[WireHit]
    left_out: int = Field(description="Found, but not given for ``top_k`` or ``max_tokens``.")
    searched: WireSearched


class VerifyParams(Message):
    """Params of ``scope/verify``."""

    document_uri: str


class VerifyResult(Message):
    """Result of ``scope/verify``."""

    references: list[WireReference]
    counts: dict[str, int]


class UsesParams(Message):
    """Params of ``scope/uses`` and of the command ``scope.uses``."""

    uri: str
    position: WirePosition = Field(description="Of the symbol, or of a link to it in a document.")
    symbol: str | None = Field(None, description="What the symbol is called, if that is known.")


class UsesResult(Message):
    """Result of ``scope/uses``."""

    symbol: str = Field(description="Qualified name; empty if nothing stands there.")
    definitions: list[WireLocation]
    references: list[WireLocation] = Field(description="Resolved to this very symbol.")
    unverified: list[WireLocation] = Field(description="Same name, but not decided.")
    complete: bool = Field(description="True only if every use is in ``references``.")
    stopped_by: str | None = Field(None, description="What ended the search early.")


class RunParams(Message):
    """Argument of the command ``scope.cancel``."""

    run_id: str | None = Field(None, description="The run to cancel; every run if absent.")


class Protocol:
    """All messages by name, for the documentation and its test."""

    requests: ClassVar[dict[str, tuple[type[Message], type[Message]]]] = {
        ASK: (AskParams, AskResult),
        ANALYZE: (AnalyzeParams, AnalyzeResult),
        VERIFY: (VerifyParams, VerifyResult),
        USES: (UsesParams, UsesResult),
        PREVIEW: (AskParams, PreviewResult),
        TOOL: (ToolParams, ToolResult),
        COMPLETE: (CompleteParams, CompleteResult),
        APPROVE: (ApproveParams, ApproveResult),
    }
    notifications: ClassVar[dict[str, type[Message]]] = {
        RUN_EVENT: RunEvent,
        STATUS: StatusParams,
        COMPLETE_TEXT: CompleteTextParams,
        USE_MODEL: UseModelParams,
    }
    commands: ClassVar[dict[str, type[Message] | None]] = {
        COMMAND_ASK: AskParams,
        COMMAND_USES: UsesParams,
        COMMAND_CANCEL: RunParams,
        COMMAND_REINDEX: None,
        COMMAND_STATUS: None,
    }
