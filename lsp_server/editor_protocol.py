"""pygls' protocol, but for some things that it does not do as the product needs it.

It keeps a copy of each open document, counts the lines of that copy by ``str.splitlines`` and moves
the positions of an edit to fit it, before any handler sees them. And it logs every error of a
request with a traceback, also one that only tells the client what to mend. And it leaves requests
unanswered that are malformed or come too late, and carries out what comes too early.
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from concurrent.futures import Future
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.protocol import LanguageServerProtocol, lsp_method

from lsp_server.errors import INVALID_PARAMS
from lsp_server.refusals import Refusal, is_id, refusal_of

logger = logging.getLogger(__name__)


class EditorProtocol(LanguageServerProtocol):
    """Hands documents on as they come, answers whatever asks, logs expected errors in one line."""

    _is_initialized = False

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Leave each object as it is: the message is known only when it is there as a whole."""
        return data

    def handle_message(self, message: Any) -> None:
        """Answer or carry out one message; what is not one of ours is refused, or passed over."""
        refusal = refusal_of(message, is_initialized=self._is_initialized, is_over=self._shutdown)
        method = message.get("method") if isinstance(message, dict) else None
        if refusal is None:
            try:
                structured = super().structure_message(message)
            except JsonRpcException as error:
                if method is None:
                    logger.warning("An answer was not understood: %s", error.message)
                    return
                refusal = Refusal(INVALID_PARAMS, f"{method!r} was not understood: {error.message}")
            else:
                self._is_initialized = self._is_initialized or method == types.INITIALIZE
                super().handle_message(structured)
                return
        logger.info("A message was refused: %s", refusal.text)
        if not isinstance(message, dict) or ("id" in message and "result" not in message):
            self.refuse(refusal, message.get("id") if isinstance(message, dict) else None)

    def refuse(self, refusal: Refusal, msg_id: Any) -> None:
        """Answer with an error; an id that is none is answered as null, as JSON-RPC says."""
        error = {"code": refusal.code, "message": refusal.text}
        known = msg_id if is_id(msg_id) else None
        self._send_data({"jsonrpc": self.VERSION, "id": known, "error": error})

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(
        self, params: types.DidOpenTextDocumentParams
    ) -> Generator[Any, Any, None]:
        """Leave the text to our own handler."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: types.DidChangeTextDocumentParams
    ) -> Generator[Any, Any, None]:
        """Leave the edit to our own handler."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(
        self, params: types.DidCloseTextDocumentParams
    ) -> Generator[Any, Any, None]:
        """Leave the text to our own handler."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        """Answer a request; an expected error is logged in one line."""
        error = expected_error(future)
        if error is None:
            super()._send_handler_result(future, msg_id=msg_id)
            return
        self._request_futures.pop(msg_id, None)
        logger.info("Request %s was refused: %s", msg_id, error.message)
        self._send_response(msg_id, error=error.to_response_error())

    def _check_handler_result(self, future: Future[Any]) -> None:
        """Look at the end of a notification, to which nothing can be answered."""
        error = expected_error(future)
        if error is None:
            super()._check_handler_result(future)
            return
        logger.warning("A notification was not understood: %s", error.message)


def expected_error(future: Future[Any]) -> JsonRpcException | None:
    """Return the error that a handler answers with on purpose; bugs and cancels are none."""
    if future.cancelled():
        return None
    error = future.exception()
    if isinstance(error, JsonRpcException) and not isinstance(error, JsonRpcInternalError):
        return error
    return None
