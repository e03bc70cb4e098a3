"""Messages about models: the editor's own one, what would be sent, and tools for agents."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from lsp_server.message import Message

COMPLETE = "scope/complete"
COMPLETE_TEXT = "scope/completeText"
USE_MODEL = "scope/useModel"
PREVIEW = "scope/preview"
TOOL = "scope/tool"


class ClientAbilities(Message):
    """What a client can do beyond the protocol; ``client`` in its initialization options."""

    complete: bool = Field(False, description="It answers scope/complete.")
    approve: bool = Field(False, description="It answers scope/approve.")


class UseModelParams(Message):
    """Params of the notification ``scope/useModel``."""

    name: str | None = Field(
        None, description="The editor's model that the user chose; absent if none."
    )
    context_tokens: int | None = Field(None, ge=1, description="How much it takes at once.")


class CompleteTurn(Message):
    """One turn of a conversation with the editor's model."""

    role: Literal["user", "assistant"]
    text: str


class CompleteParams(Message):
    """Params of ``scope/complete``."""

    completion_id: str = Field(description="Names the request in scope/completeText.")
    turns: list[CompleteTurn]
    max_output_tokens: int


class CompleteResult(Message):
    """Result of ``scope/complete``, after the last piece of text."""

    fault: str | None = Field(
        None,
        description="Why there is no complete answer: no_model, no_consent, quota, blocked, "
        "too_long or other; absent if there is.",
    )
    message: str | None = Field(None, description="What the editor said about it.")


class CompleteTextParams(Message):
    """Params of the notification ``scope/completeText``."""

    completion_id: str
    text: str = Field(description="A further piece; an empty one tells that work goes on.")


class WireLines(Message):
    """A range of lines."""

    line_start: int = Field(description="1-based.")
    line_end: int = Field(description="1-based, inclusive.")


class WirePreviewFile(Message):
    """What of one file would be in the first request."""

    path: str
    uri: str
    ranges: list[WireLines] = Field(description="Shown as they are.")
    is_outlined: bool = Field(description="Whether its definitions are listed without bodies.")
    redacted: list[str] = Field(description="Kinds of secrets that are struck out.")


class WirePreviewPhase(Message):
    """One request, with its estimate."""

    name: str
    tokens_in: int
    tokens_out: int = Field(description="At most.")
    cost_usd: float | None = Field(None, description="At most; absent if no price is known.")
    is_exact: bool = Field(description="False where the model's answers decide what is sent.")


class PreviewResult(Message):
    """Result of ``scope/preview``."""

    mode: str
    model: str
    host: str
    files: list[WirePreviewFile]
    phases: list[WirePreviewPhase]
    scopes: list[str] = Field(description="Kinds of context that would be sent.")
    withheld: list[str] = Field(description="Kinds that are there and not allowed.")
    notes: list[str]


class ToolParams(Message):
    """Params of ``scope/tool``."""

    name: str = Field(description="One of the tools that ``scope mcp`` serves.")
    arguments: dict[str, Any] = Field(default_factory=dict, description="By the tool's schema.")


class ToolResult(Message):
    """Result of ``scope/tool``."""

    text: str = Field(description="What the agent reads, also if the tool could not answer.")
    ok: bool
