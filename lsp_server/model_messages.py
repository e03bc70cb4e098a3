"""The messages about models, declared once: who may be asked, what the editor's own one is asked.

They are a part of ``protocol``, which is where everybody takes them from.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from lsp_server.message import NotificationType, RequestType, WireMessage


class ApproveParams(WireMessage):
    """Params of ``scope/approve``."""

    run_id: str
    tool: str = Field(description="ask_model for a request to a model, else a tool's name.")
    scopes: list[str] = Field(description="Kinds of context that it would see.")
    tokens: int = Field(description="How much that is, an estimate; 0 for tools.")
    files: list[str] = Field(description="Whose text is in it, relative to the root.")
    host: str = Field(description="Where it goes; empty if it stays on this machine.")
    model: str = Field(description="Who reads it; empty if no model does.")


class ApproveResult(WireMessage):
    """Result of ``scope/approve``."""

    decision: Literal["once", "session", "always", "deny"]


APPROVE = RequestType("scope/approve", ApproveParams, ApproveResult, to="client")


class UseModelParams(WireMessage):
    """Params of the notification ``scope/useModel``."""

    name: str | None = Field(
        None, description="The editor's model that the user chose; absent if none."
    )
    context_tokens: int | None = Field(None, ge=1, description="How much it takes at once.")


USE_MODEL = NotificationType("scope/useModel", UseModelParams, to="server")


class CompleteCall(WireMessage):
    """A call of a tool by the editor's model."""

    id: str
    name: str
    arguments: dict[str, Any]


class CompleteToolResult(WireMessage):
    """What a call came to."""

    call_id: str
    text: str


class CompleteTool(WireMessage):
    """A tool that the editor's model may call."""

    name: str
    description: str
    input_schema: dict[str, Any] = Field(description="JSON schema of the arguments.")


class CompleteTurn(WireMessage):
    """One turn of a conversation with the editor's model."""

    role: Literal["user", "assistant"]
    text: str
    calls: list[CompleteCall] = Field([], description="Of the assistant, after its text.")
    results: list[CompleteToolResult] = Field([], description="Of the user, before the text.")


class CompleteParams(WireMessage):
    """Params of ``scope/complete``."""

    completion_id: str = Field(description="Names the request in scope/completeText.")
    model: str = Field(
        description="Which of the editor's models, by the name that the client gave."
    )
    turns: list[CompleteTurn]
    max_output_tokens: int
    tools: list[CompleteTool] = Field(
        [], description="Only for a client that has completeTools; empty if none may be called."
    )


class CompleteResult(WireMessage):
    """Result of ``scope/complete``, after the last piece of text."""

    fault: str | None = Field(
        None,
        description="Why there is no complete answer: no_model, no_consent, quota, blocked, "
        "too_long or other; absent if there is.",
    )
    message: str | None = Field(None, description="What the editor said about it.")


COMPLETE = RequestType("scope/complete", CompleteParams, CompleteResult, to="client")


class CompleteTextParams(WireMessage):
    """Params of the notification ``scope/completeText``."""

    completion_id: str
    text: str = Field(description="A further piece; an empty one tells that work goes on.")
    call: CompleteCall | None = Field(None, description="A call that the model makes, whole.")


COMPLETE_TEXT = NotificationType("scope/completeText", CompleteTextParams, to="server")
