"""Messages about models: the editor's own one is asked through the client, and previews."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lsp_server.message import Message

COMPLETE = "scope/complete"
COMPLETE_TEXT = "scope/completeText"
USE_MODEL = "scope/useModel"


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
