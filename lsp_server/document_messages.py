"""The messages about context documents; the others are in ``protocol``."""

from __future__ import annotations

from pydantic import Field

from lsp_server.message import CommandType, NotificationType, RequestType, WireMessage
from lsp_server.protocol import WireLocation, WirePosition, WireReference


class WireLink(WireMessage):
    """A link of a context document, and where it is to lead now."""

    target: str = Field(description="Where it points to, as the document has it.")
    uri: str
    line_start: int = Field(description="1-based; where the code is now.")
    line_end: int = Field(description="1-based, inclusive.")
    state: str
    is_lost: bool = Field(description="Nobody knows where its code is: the lines are the old ones.")
    sentence: str = Field(description="What became of what it cites.")


class VerifyParams(WireMessage):
    """Params of ``scope/verify`` and of the command ``scope.verifyDocument``."""

    document_uri: str


class VerifyResult(WireMessage):
    """Result of ``scope/verify``: what became of a document."""

    references: list[WireReference]
    counts: dict[str, int]
    links: list[WireLink] = Field(description="Those of its text that lead to lines of code.")
    summary: str = Field(description="What is not true any more; empty if all is.")
    moved: int = Field(description="How many references scope.updateReferences would update.")


VERIFY = RequestType("scope/verify", VerifyParams, VerifyResult)
COMMAND_VERIFY_DOCUMENT = CommandType("scope.verifyDocument", VerifyParams)
COMMAND_VERIFY_ALL = CommandType("scope.verifyAll")
COMMAND_UPDATE_REFERENCES = CommandType("scope.updateReferences", VerifyParams)


class DocumentStateParams(WireMessage):
    """Params of the notification ``scope/documentState``."""

    document_uri: str
    state: VerifyResult | None = Field(None, description="Absent if it is no document any more.")


DOCUMENT_STATE = NotificationType("scope/documentState", DocumentStateParams)


class AskAgainParams(WireMessage):
    """Params of the command ``scope.askAgain``."""

    document_uri: str
    question: str
    mode: str


COMMAND_ASK_AGAIN = CommandType("scope.askAgain", AskAgainParams)


class CitingParams(WireMessage):
    """Params of ``scope/citing`` and of the command ``scope.citing``."""

    uri: str
    position: WirePosition = Field(description="Of a symbol, in a file that documents cite.")


class WireAnswer(WireMessage):
    """A context document that cites some code, and where it does so."""

    document_uri: str
    question: str
    location: WireLocation


class CitingResult(WireMessage):
    """Result of ``scope/citing``."""

    symbol: str = Field(description="Qualified name of what is cited; empty for the whole file.")
    answers: list[WireAnswer]


CITING = RequestType("scope/citing", CitingParams, CitingResult)
COMMAND_CITING = CommandType("scope.citing", CitingParams)
