"""The client's side of the editor's own model: which one it is, and the words that it says."""

from __future__ import annotations

from typing import Any

from lsp_server.editor_model import use_model
from lsp_server.model_messages import (
    COMPLETE_TEXT,
    USE_MODEL,
    CompleteTextParams,
    UseModelParams,
)
from lsp_server.server import ScopeServer


def register(server: ScopeServer) -> None:
    """Register the notifications."""
    server.feature(USE_MODEL)(on_use_model)
    server.feature(COMPLETE_TEXT)(on_complete_text)


def on_use_model(server: ScopeServer, raw: Any) -> None:
    """Ask the model that the user chose in the editor, from the next question on."""
    server.chosen_model = UseModelParams.parse(raw)
    use_model(server)


def on_complete_text(server: ScopeServer, raw: Any) -> None:
    """Hand a piece of text on to whoever asked; not ``async``, so that the order is kept."""
    server.channel.receive(CompleteTextParams.parse(raw))
