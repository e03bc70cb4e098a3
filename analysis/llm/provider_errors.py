"""What a provider's error means: for the user, and for whether another try makes sense."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from analysis.errors import ContextTooLong, ModelError, ModelRefused, ModelUnavailable
from analysis.llm.keys import OWN_KEY, key_names, without_keys
from analysis.llm.prices import provider_of
from analysis.llm.request_format import says_no_tools

_MAX_WAIT_S = 120.0
_MAX_COMPLAINT = 300
_MAX_PAGE = 120
_MAX_DEPTH = 4
_TOO_LONG = re.compile(
    r"context.{0,20}(length|window|size)|maximum context|too many tokens|prompt is too long"
    r"|exceed.{0,30}context|input is too long",
    re.IGNORECASE,
)
# A stream that breaks off or is no stream: the library calls that a status of 500.
_OWN_ERRORS = frozenset({"APIConnectionError", "JSONDecodeError", "RemoteProtocolError"})
_IS_PAGE = re.compile(r"<!doctype html|<html|<head|<body", re.IGNORECASE)
_SAID_BY_PAGE = re.compile(r"a web page \(.*\)")
_NO_JSON = re.compile(r"Expecting value|not valid JSON|Unable to get json|invalid response", re.I)
_NO_STREAM = re.compile(r"before any terminal event|Expecting value|not valid JSON", re.IGNORECASE)
_SENT_NOTHING = re.compile(r"Received: ''|Server disconnected|without sending", re.IGNORECASE)
_TAG = re.compile(r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_QUOTED_BYTES = re.compile(r"""b(['"])(\{.*\})\1""", re.DOTALL)
_MOST_OUTPUT = re.compile(
    r"max_?(?:completion_|output_|new_)?_?tokens|maxOutputTokens", re.IGNORECASE
)
_WHOLE = re.compile(r"\b\d[\d,]{2,8}\b")
_LIMIT_HEADERS = (
    "x-ratelimit-limit-tokens",
    "anthropic-ratelimit-input-tokens-limit",
    "anthropic-ratelimit-tokens-limit",
)
# The library puts where it failed behind what it says.
_TRACE = re.compile(r"\s*(?:stack trace: )?Traceback \(most recent call last\).*", re.DOTALL)
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
    tokens_per_minute: int | None = None
    """What the provider allows, where it says so."""
    max_output_tokens: int | None = None
    """The most that the model can write at once, where the complaint is about that."""


def says_nothing(complaint: str) -> bool:
    """Return whether a complaint of the library is that the server sent nothing at all."""
    return _SENT_NOTHING.search(complaint) is not None


def is_no_stream(complaint: str) -> bool:
    """Return whether a complaint of the library is that what came was no stream of answers."""
    return _NO_STREAM.search(complaint) is not None


def no_model_there(who: str, fault: Fault) -> Fault:
    """Return what a server that answers, but not as a model does, means for the user."""
    said = fault.complaint
    page = _SAID_BY_PAGE.search(said)
    if page is None and not _NO_JSON.search(said):
        # It is an error in the server's own words, only under the status of an answer.
        error = ModelUnavailable(
            f"{who} answered with an error: {said}", "Check the account and the model's name."
        )
        return replace(fault, error=error)
    what = page[0] if page is not None else f"something else ({said})"
    error = ModelUnavailable(
        f"{who} sent no model's answer, but {what}.",
        "Check the address 'model.api_base' and the proxy: a page to sign in looks like this.",
    )
    return replace(fault, error=error, retry=False, is_bad_request=False)


def tokens_per_minute(headers: Any) -> int | None:
    """Return how many tokens a minute a provider allows by its headers; None if it does not say."""
    if not hasattr(headers, "get"):
        return None
    for name in _LIMIT_HEADERS:
        value = str(headers.get(name) or headers.get(f"llm_provider-{name}") or "")
        if value.isdecimal() and int(value) > 0:
            return int(value)
    return None


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
        hint = f"Set {name[0] if name else key_names(provider_of(model))} in the environment."
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
    status = _status(error)
    if status in (401, 403):
        key = OWN_KEY if environment.get(OWN_KEY) else key_names(provider_of(model))
        message = f"{where} refused the key ({status}): {complaint}"
        hint = f"Set {key} in the environment to a key that may use this model."
        return Fault(ModelUnavailable(message, hint), False, complaint=complaint)
    return _by_status(status, where, complaint, error)


def _by_status(status: int | None, where: str, complaint: str, error: BaseException) -> Fault:
    """Return what a status of HTTP means."""
    if status == 402 or "insufficient_quota" in complaint or "quota" in complaint.lower():
        message = f"{where} says that the quota is used up: {complaint}"
        hint = "Check the account, or choose another model."
        return Fault(ModelUnavailable(message, hint), False, complaint=complaint)
    if status == 404:
        message = f"{where} does not exist there: {complaint}"
        unavailable = ModelUnavailable(
            message, "Check the model's name; 'scope models' lists what is there."
        )
        # A router has no server that could take this form of request.
        return Fault(unavailable, False, None, complaint, says_no_tools(complaint))
    if status == 429:
        message = f"{where} is asked too often (429): {complaint}"
        hint = "Wait a little, or set 'model.tokens_per_minute' to what the provider allows."
        allowed = next(filter(None, map(tokens_per_minute, _headers(error))), None)
        unavailable = ModelUnavailable(message, hint)
        return Fault(unavailable, True, _retry_after(error), complaint, tokens_per_minute=allowed)
    if status is not None and 500 <= status < 600:
        message = f"{where} is in trouble ({status}): {complaint}"
        # Some servers fail on a form of request that they do not know, instead of refusing it.
        is_form = _FORM.search(complaint) is not None
        unavailable = ModelUnavailable(message, "Try again later.")
        return Fault(unavailable, not is_form, _retry_after(error), complaint, is_form)
    if status in (400, 422):
        message = f"{where} refused the request ({status}): {complaint}"
        return Fault(
            ModelUnavailable(message), False, complaint=complaint, is_bad_request=True,
            max_output_tokens=_most_output(complaint),
        )  # fmt: skip
    message = f"{where} could not be used: {complaint}"
    hint = "Try again, or choose another model."
    return Fault(ModelUnavailable(message, hint), False, complaint=complaint)


def _most_output(complaint: str) -> int | None:
    """Return the most that the model can write, if a complaint is about that and names it."""
    if not _MOST_OUTPUT.search(complaint):
        return None
    numbers = [int(number.replace(",", "")) for number in _WHOLE.findall(complaint)]
    # The other number is what was asked for, which was too much.
    return min(numbers) if len(numbers) > 1 else None


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
    return next((s for headers in _headers(error) if (s := _seconds(headers)) is not None), None)


def _headers(error: BaseException) -> Iterator[Any]:
    """Yield all that may be the headers of a server's answer."""
    for cause in _causes(error):
        yield getattr(getattr(cause, "response", None), "headers", None)
        yield getattr(cause, "litellm_response_headers", None)
        yield getattr(cause, "headers", None)


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
    text = " ".join(_TRACE.sub("", str(text)).split())
    while (shorter := _PREFIX.sub("", text)) != text:
        text = shorter
    start = _IS_PAGE.search(text)
    text = _page(text[start.start() :]) if start else without_keys(_own_words(text), environment)
    if len(text) > _MAX_COMPLAINT:
        return f"{text[:_MAX_COMPLAINT]}…"
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _own_words(text: str) -> str:
    """Return a provider's own sentence, where the library hands on the JSON that it came in."""
    quoted = _QUOTED_BYTES.search(text)
    body = quoted[2] if quoted else text[text.find("{") : text.rfind("}") + 1]
    for parsed in (json.loads, ast.literal_eval):
        try:
            found = _message_in(parsed(body))
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if found:
            return found
    return text


def _message_in(data: Any) -> str:
    """Return the message of an error object; empty if it holds none."""
    for _ in range(_MAX_DEPTH):
        if not isinstance(data, dict):
            break
        data = data.get("message") or data.get("error") or data.get("detail")
    return data if isinstance(data, str) else ""


def _page(page: str) -> str:
    """Return what a web page is that came in the place of an answer: its first words."""
    text = " ".join(_TAG.sub(" ", page.partition("</html>")[0]).split())
    return f"a web page ({text[:_MAX_PAGE] or 'without words'})"
