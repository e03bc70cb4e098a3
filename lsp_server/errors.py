"""Domain errors as JSON-RPC errors: the only place that picks codes."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from pygls.exceptions import JsonRpcException

from analysis.errors import BadInput, Cancelled, ScopeError
from analysis.shortage import shortage_of

logger = logging.getLogger(__name__)

REQUEST_FAILED = -32803
REQUEST_CANCELLED = -32800
INVALID_PARAMS = -32602
INVALID_REQUEST = -32600
PARSE_ERROR = -32700
NOT_INITIALIZED = -32002


def to_response_error(error: ScopeError) -> JsonRpcException:
    """Return the JSON-RPC error for an expected failure; ``data.kind`` says which."""
    if isinstance(error, Cancelled):
        code = REQUEST_CANCELLED
    elif isinstance(error, BadInput):
        code = INVALID_PARAMS
    else:
        code = REQUEST_FAILED
    data = {"kind": error.kind, "hint": error.hint}
    return JsonRpcException(str(error), code=code, data=data)


@contextmanager
def answering_errors() -> Iterator[None]:
    """Turn expected failures into responses; bugs rise and are logged by the server."""
    try:
        yield
    except ScopeError as error:
        logger.info("Request failed: %s", error)
        raise to_response_error(error) from error
    except Exception as error:
        if (lacking := shortage_of(error)) is None:
            raise
        logger.warning("Request failed: %s", lacking)
        raise to_response_error(lacking) from error
