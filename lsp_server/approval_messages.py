"""Messages about approval: what would be sent or run, and what the user says to it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lsp_server.message import Message

APPROVE = "scope/approve"


class ApproveParams(Message):
    """Params of ``scope/approve``."""

    run_id: str
    tool: str = Field(description="ask_model for a request to a model, else a tool's name.")
    scopes: list[str] = Field(description="Kinds of context that it would see.")
    tokens: int = Field(description="How much that is, an estimate; 0 for tools.")
    files: list[str] = Field(description="Whose text is in it, relative to the root.")
    host: str = Field(description="Where it goes; empty if it stays on this machine.")
    model: str = Field(description="Who reads it; empty if no model does.")


class ApproveResult(Message):
    """Result of ``scope/approve``."""

    decision: Literal["once", "session", "always", "deny"]
