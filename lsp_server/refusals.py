"""Which messages are not carried out: malformed ones, and those of another time of a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types

from lsp_server.errors import INVALID_REQUEST, NOT_INITIALIZED


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a message is not carried out."""

    code: int
    text: str


def is_id(value: Any) -> bool:
    """Return whether a request may have this for its id."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def refusal_of(message: Any, *, is_initialized: bool, is_over: bool) -> Refusal | None:
    """Return why a message is not carried out; None if it is.

    Args:
        message: As it came, read as JSON.
        is_initialized: Whether the client has sent ``initialize``.
        is_over: Whether it has sent ``shutdown``.
    """
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return Refusal(INVALID_REQUEST, "This is no message of JSON-RPC 2.0.")
    if "id" in message and not is_id(message["id"]):
        return Refusal(INVALID_REQUEST, "The id of a message is a string or a whole number.")
    if "method" not in message:
        if "id" in message and ("result" in message or "error" in message):
            return None  # An answer to something that we asked.
        return Refusal(INVALID_REQUEST, "The message names no method.")
    method = message["method"]
    if not isinstance(method, str):
        return Refusal(INVALID_REQUEST, "The method of a message is a string.")
    return _untimely(method, is_initialized=is_initialized, is_over=is_over)


def _untimely(method: str, *, is_initialized: bool, is_over: bool) -> Refusal | None:
    if method == types.EXIT:
        return None
    if is_over:
        return Refusal(INVALID_REQUEST, f"{method!r} came after 'shutdown'.")
    if not is_initialized and method != types.INITIALIZE:
        return Refusal(NOT_INITIALIZED, f"{method!r} came before 'initialize'.")
    if is_initialized and method == types.INITIALIZE:
        return Refusal(INVALID_REQUEST, "'initialize' came a second time.")
    return None
