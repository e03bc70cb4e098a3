"""What a provider's error means: for the user, and for whether another try makes sense."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from analysis.errors import ContextTooLong, ModelError, ModelRefused, ModelUnavailable
from analysis.llm.keys import without_keys

_MAX_WAIT_S = 120.0
_MAX_COMPLAINT = 300
_TOO_LONG = re.compile(
    r"context.{0,20}(length|window|size)|maximum context|too many tokens|prompt is too long"
    r"|exceed.{0,30}context|input is too long",
    re.IGNORECASE,
)
# A stream that breaks off or is no stream: the library calls that a status of 500.
_OWN_ERRORS = frozenset({"APIConnectionError", "JSONDecodeError", "RemoteProtocolError"})
_PREFIX = re.compile(r"^(?:litellm\.)?\w+(?:Error|Exception)(?: -|:) ")
_FORM = re.compile(r"response_format|json_schema|json_object|tool_choice|does not support tools")
_NO_KEY = re.compile(r"\bmissing (?:\w+ )?(?:credentials|api key)", re.IGNORECASE)
_KEY_NAME = re.compile(r"\b[A-Z][A-Z0-9]*_API_KEY\b")
_NO_PROVIDER = "LLM Provider NOT provided"
_NO_CONNECTION = ("ConnectError", "ConnectionRefusedError", "ClientConnectorError", "gaierror")


@dataclass(frozen=True, slots=True)
class Fault:
    """A failed call, understood."""

    error: ModelError
    retry: bool
    """Whether the same request may go through later: a full or troubled server."""
    wait_s: float | None = None
    """How long the server asks to wait."""
    complaint: str = ""
    """The server's words, without keys."""
    is_bad_request: bool = False
    """Whether the server refused the request's form, so that a simpler one may do."""


def fault_of(error: BaseException, model: str, host: str, environment: Mapping[str, str]) -> Fault:
    """Return what an error of the model library means."""
    complaint = _complaint(error, environment)
    where = f"The model {model!r} at {host}"
    names = {type(cause).__name__ for cause in _causes(error)}
    if names & set(_NO_CONNECTION):
        return Fault(
            ModelUnavailable(
                f"{where} could not be reached: no connection.",
                "Start the server, or check the address and the proxy.",
            ),
            retry=False, complaint=complaint,
        )  # fmt: skip
    if _NO_PROVIDER in complaint:
        message = f"The provider of the model {model!r} is not known."
        hint = "Put its name in front of the model's, as in anthropic/claude-sonnet-4-5."
        return Fault(ModelUnavailable(message, hint), False, complaint=complaint)
    if _NO_KEY.search(complaint):
        name = _KEY_NAME.search(complaint)
        hint = f"Set {name[0] if name else 'the key of its provider'} in the environment."
        missing = ModelUnavailable(f"{where} needs a key, and none is set.", hint)
        return Fault(missing, False, complaint=complaint)
    if "ContextWindowExceededError" in names or _TOO_LONG.search(complaint):
        return Fault(
            ContextTooLong(
                f"{where} takes no request this long.",
                "Set 'model.context_tokens' to what it takes, or choose another model.",
            ),
            retry=False, complaint=complaint,
        )  # fmt: skip
    if "ContentPolicyViolationError" in names:
        return Fault(ModelRefused(f"{where} declined: {complaint}"), False, complaint=complaint)
    return _by_status(_status(error), where, complaint, error)


def _by_status(status: int | None, where: str, complaint: str, error: BaseException) -> Fault:
    """Return what a status of HTTP means."""
    if status in (401, 403):
        hint = "Set the provider's key in the environment, for example OPENAI_API_KEY."
        message = f"{where} refused the key ({status})."
        return Fault(ModelUnavailable(message, hint), False, complaint=complaint)
    if status == 402 or "insufficient_quota" in complaint or "quota" in complaint.lower():
        message = f"{where} says that the quota is used up."
        hint = "Check the account, or choose another model."
        return Fault(ModelUnavailable(message, hint), False, complaint=complaint)
    if status == 404:
        message = f"{where} does not exist there: {complaint}"
        return Fault(ModelUnavailable(message, "Check the model's name."), False)
    if status == 429:
        message = f"{where} is asked too often (429)."
        hint = "Wait a little, or lower 'model.tokens_per_minute'."
        wait_s = _retry_after(error)
        return Fault(ModelUnavailable(message, hint), True, wait_s, complaint)
    if status is not None and 500 <= status < 600:
        message = f"{where} is in trouble ({status}): {complaint}"
        # Some servers fail on a form of request that they do not know, instead of refusing it.
        is_form = _FORM.search(complaint) is not None
        unavailable = ModelUnavailable(message, "Try again later.")
        return Fault(unavailable, not is_form, _retry_after(error), complaint, is_form)
    if status in (400, 422):
        message = f"{where} refused the request ({status}): {complaint}"
        return Fault(ModelUnavailable(message), False, complaint=complaint, is_bad_request=True)
    message = f"{where} could not be used: {complaint}"
    return Fault(ModelUnavailable(message, "Try again, or choose another model."), False)


def _status(error: BaseException) -> int | None:
    """Return what the server answered; the library also has statuses for what it made up itself."""
    for cause in _causes(error):
        if type(cause).__name__ in _OWN_ERRORS:
            return None
    for cause in _causes(error):
        status = getattr(cause, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what it came from."""
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop(0)
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        original = getattr(current, "original_exception", None)
        pending += [current.__cause__, current.__context__]
        pending += [original] if isinstance(original, BaseException) else []


def _retry_after(error: BaseException) -> float | None:
    """Return the seconds that the server asks to wait."""
    for cause in _causes(error):
        for headers in (
            getattr(getattr(cause, "response", None), "headers", None),
            getattr(cause, "litellm_response_headers", None),
            getattr(cause, "headers", None),
        ):
            seconds = _seconds(headers)
            if seconds is not None:
                return seconds
    return None


def _seconds(headers: Any) -> float | None:
    if not hasattr(headers, "get"):
        return None
    text = headers.get("retry-after") or headers.get("Retry-After")
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(str(text)) - datetime.now(UTC)).total_seconds()
        except (TypeError, ValueError):
            return None
    return min(max(seconds, 0.0), _MAX_WAIT_S)


def _complaint(error: BaseException, environment: Mapping[str, str]) -> str:
    """Return the server's words on one line, short, without keys, and with a full stop."""
    text = getattr(error, "message", None) or str(error) or type(error).__name__
    text = " ".join(str(text).split())
    while (shorter := _PREFIX.sub("", text)) != text:
        text = shorter
    text = without_keys(text, environment)
    if len(text) > _MAX_COMPLAINT:
        return f"{text[:_MAX_COMPLAINT]}…"
    return text if text.endswith((".", "!", "?")) else f"{text}."
