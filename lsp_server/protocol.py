"""Every message of ours, declared once: its name, its fields, who gets it.

``client-vscode/src/protocol.ts`` is generated from here, ``docs/protocol.md`` describes it. On the
wire names are camelCase, lines are 1-based and inclusive in references and hits, and 0-based only
inside the protocol's own ``Range``.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from lsp_server.message import CommandType, NotificationType, RequestType, WireMessage
from lsp_server.model_messages import *  # noqa: F403 (a part of this module, in a file of its own)


class WirePosition(WireMessage):
    """A position as the protocol counts: 0-based line, character in the negotiated encoding."""

    line: int = Field(ge=0)
    character: int = Field(ge=0)


class WireRange(WireMessage):
    """A range as the protocol counts, end exclusive."""

    start: WirePosition
    end: WirePosition


class WireLocation(WireMessage):
    """A range in a file."""

    uri: str
    range: WireRange


class AskParams(WireMessage):
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
    changes: str | None = Field(
        None,
        min_length=1,
        description="Which changes go along: 'uncommitted', a commit, or a range as in 'main...'.",
    )
    within: list[str] = Field(
        default_factory=list,
        max_length=50,
        description="URIs of files and folders that the search is limited to.",
    )
    use_model: UseModelParams | None = Field(  # noqa: F405 (of model_messages)
        None,
        description="The editor's model that this question is to ask, whichever one was chosen.",
    )


class WireReference(WireMessage):
    """A code reference of an answer."""

    path: str
    uri: str = Field(
        description="Where the file is, whichever workspace folder it lies in; of an "
        "organisation's commit that no clone has its page, empty if that is not known."
    )
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


class WireStats(WireMessage):
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


class AskResult(WireMessage):
    """Result of ``scope/ask``."""

    run_id: str
    document_uri: str | None = Field(None, description="Absent if it could not be written.")
    markdown: str
    references: list[WireReference]
    stats: WireStats


class AskOrganisationParams(WireMessage):
    """Params of ``scope/askOrganisation``."""

    question: str = Field(min_length=1, description="The question, in any language.")
    repository: str | None = Field(None, description="Only this one; all if absent.")
    run_id: str | None = Field(None, description="Id for the run's events; made up if absent.")


ASK = RequestType("scope/ask", AskParams, AskResult)
ASK_ORGANISATION = RequestType("scope/askOrganisation", AskOrganisationParams, AskResult)
COMMAND_ASK = CommandType("scope.ask", AskParams)


class RunParams(WireMessage):
    """Argument of the command ``scope.cancel``."""

    run_id: str | None = Field(None, description="The run to cancel; every run if absent.")


COMMAND_CANCEL = CommandType("scope.cancel", RunParams)


class RunEvent(WireMessage):
    """Params of the notification ``scope/runEvent``."""

    run_id: str
    base_uri: str = Field(description="Folder to which links in the run's text are relative.")
    event: dict[str, Any] = Field(
        description="One typed event; its ``type`` says which.",
        json_schema_extra={"typescript": "RunEventBody"},
    )


RUN_EVENT = NotificationType("scope/runEvent", RunEvent)


class StatusParams(WireMessage):
    """Params of the notification ``scope/status``."""

    state: str = Field(description="starting, indexing, ready or problem.")
    message: str = ""
    done: int = Field(0, description="Files indexed so far.")
    total: int = Field(0, description="Files to index.")
    modes: list[str] = Field(
        default_factory=list,
        description="Modes in which a question can be answered now; only offline without a model.",
    )
    missing: list[str] = Field(
        default_factory=list,
        description="What the settings want and is not installed: 'model', the library for models.",
    )


STATUS = NotificationType("scope/status", StatusParams)
COMMAND_STATUS = CommandType("scope.status")
COMMAND_REINDEX = CommandType("scope.reindex")


class AnalyzeParams(WireMessage):
    """Params of ``scope/analyze``."""

    query: str = Field(min_length=1, description="A question, an identifier, a path or a name.")
    top_k: int = Field(15, ge=1, le=200)
    language: str | None = None
    path: str | None = Field(None, description="Glob over paths.")
    include_code: bool = False
    max_tokens: int | None = Field(
        None, ge=1, description="For all hits with their code, URIs not counted."
    )


class WireHit(WireMessage):
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
    registered: list[str] = Field([], description="Where it is registered or handed over.")
    code: str | None = None


class WireSearched(WireMessage):
    """How much of the code base was searched."""

    files: int
    skipped: dict[str, int]
    complete: bool = Field(True, description="False while the index is still being built.")


class AnalyzeResult(WireMessage):
    """Result of ``scope/analyze``."""

    query: str
    hits: list[WireHit]
    left_out: int = Field(description="Found, but not given for ``top_k`` or ``max_tokens``.")
    searched: WireSearched


ANALYZE = RequestType("scope/analyze", AnalyzeParams, AnalyzeResult)


class AttachableParams(WireMessage):
    """Params of ``scope/attachable``."""

    name: str = Field("", max_length=200, description="Part of a name or path.")
    location: WireLocation | None = Field(
        None, description="The definition around this place is wanted, whatever its name."
    )


class WireAttachable(WireMessage):
    """Something that a question can be about."""

    kind: str = Field(description="folder, file, symbol or changes.")
    uri: str = Field(description="Of changes, the folder that they are in.")
    label: str = Field(description="Its path, or the symbol's qualified name.")
    detail: str = Field("", description="Of a symbol, its file and line.")
    changes: str | None = Field(
        None, description="Of changes, which: 'uncommitted', a commit or a range."
    )
    range: WireRange | None = Field(None, description="Of a symbol, where its name's line starts.")


class AttachableResult(WireMessage):
    """Result of ``scope/attachable``."""

    items: list[WireAttachable]


ATTACHABLE = RequestType("scope/attachable", AttachableParams, AttachableResult)


class UsesParams(WireMessage):
    """Params of ``scope/uses`` and of the command ``scope.uses``."""

    uri: str
    position: WirePosition = Field(description="Of the symbol, or of a link to it in a document.")
    symbol: str | None = Field(None, description="What the symbol is called, if that is known.")


class UsesResult(WireMessage):
    """Result of ``scope/uses``."""

    symbol: str = Field(description="Qualified name; empty if nothing stands there.")
    definitions: list[WireLocation]
    references: list[WireLocation] = Field(description="Resolved to this very symbol.")
    unverified: list[WireLocation] = Field(description="Same name, but not decided.")
    complete: bool = Field(description="True only if every use is in ``references``.")
    stopped_by: str | None = Field(None, description="What ended the search early.")


USES = RequestType("scope/uses", UsesParams, UsesResult)
COMMAND_USES = CommandType("scope.uses", UsesParams)


class WireLines(WireMessage):
    """A range of lines."""

    line_start: int = Field(description="1-based.")
    line_end: int = Field(description="1-based, inclusive.")


class WirePreviewFile(WireMessage):
    """What of one file would be in the first request."""

    path: str
    uri: str
    ranges: list[WireLines] = Field(description="Shown as they are.")
    is_outlined: bool = Field(description="Whether its definitions are listed without bodies.")
    redacted: list[str] = Field(description="Kinds of secrets that are struck out.")


class WirePreviewPhase(WireMessage):
    """One request, with its estimate."""

    name: str
    tokens_in: int
    tokens_out: int = Field(description="At most.")
    cost_usd: float | None = Field(None, description="At most; absent if no price is known.")
    is_exact: bool = Field(description="False where the model's answers decide what is sent.")


class PreviewResult(WireMessage):
    """Result of ``scope/preview``."""

    mode: str
    model: str
    host: str
    files: list[WirePreviewFile]
    phases: list[WirePreviewPhase]
    scopes: list[str] = Field(description="Kinds of context that would be sent.")
    withheld: list[str] = Field(description="Kinds that are there and not allowed.")
    notes: list[str]


PREVIEW = RequestType("scope/preview", AskParams, PreviewResult)


class ToolCallParams(WireMessage):
    """Params of ``scope/tool``."""

    name: str = Field(description="One of the tools that ``scope mcp`` serves.")
    arguments: dict[str, Any] = Field(default_factory=dict, description="By the tool's schema.")


class ToolCallResult(WireMessage):
    """Result of ``scope/tool``."""

    text: str = Field(description="What the agent reads, also if the tool could not answer.")
    ok: bool


TOOL = RequestType("scope/tool", ToolCallParams, ToolCallResult)


class DebugInfoParams(WireMessage):
    """Params of ``scope/debugInfo``."""

    client: str = Field("", description="Name and version of the editor.")
    model: str = Field("", description="The editor's own model, where the user chose one.")


class DebugInfoResult(WireMessage):
    """Result of ``scope/debugInfo``."""

    text: str = Field(description="A line a fact; no key, no path and nothing of any code.")


DEBUG_INFO = RequestType("scope/debugInfo", DebugInfoParams, DebugInfoResult)


class ClientAbilities(WireMessage):
    """What a client can do beyond the protocol; ``client`` in its initialization options."""

    complete: bool = Field(False, description="It answers scope/complete.")
    complete_tools: bool = Field(
        False, description="It hands the tools of scope/complete to the model, and calls back."
    )
    approve: bool = Field(False, description="It answers scope/approve.")
    document_states: bool = Field(False, description="It wants scope/documentState.")
