"""The server class: state that outlives a request, and no handlers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, cast

from cattrs import Converter
from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter
from pygls.protocol.json_rpc import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
)
from pygls.workspace import PositionCodec

from analysis import __version__
from analysis.errors import BadInput, ScopeError
from analysis.org.session import OrganisationSession
from analysis.settings import Settings
from analysis.shortage import shortage_of
from lsp_server.code_base import EditorCodeBase, folders_by_label
from lsp_server.documents.client_diagnostics import ClientDiagnostics
from lsp_server.documents.watch import DocumentWatch
from lsp_server.editor_protocol import EditorProtocol
from lsp_server.errors import PARSE_ERROR
from lsp_server.message import NotificationType, WireMessage
from lsp_server.protocol import STATUS, ClientAbilities, StatusParams, UseModelParams
from lsp_server.refusals import Refusal
from lsp_server.runs import Runs

if TYPE_CHECKING:
    from analysis.llm.chat_model import ChatModel

logger = logging.getLogger(__name__)

_SETTINGS_WAIT_S = 20.0
"""A client that was asked for its settings and does not tell them keeps no request longer."""


class ScopeServer(LanguageServer):
    """A language server with the workspace's folders, the runs under way and the settings."""

    def __init__(self) -> None:
        super().__init__(
            "scope-lsp",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=EditorProtocol,
            converter_factory=make_converter,
        )
        self.folder_names: dict[str, str] = {}
        """Name of each workspace folder by URI, in the workspace's order."""
        self.codebase: EditorCodeBase | None = None
        """The workspace's folders; None while there is none."""
        self.settings = Settings()
        self.status = StatusParams(state="starting")
        self.settings_told = asyncio.Event()
        """Set unless the client is still to tell its settings."""
        self.settings_told.set()
        self.setting_problems: list[str] = []
        """Settings that were ignored and not yet shown."""
        self.texts: dict[str, str] = {}
        """Open documents by URI, as the client sees them."""
        self.navigated: frozenset[str] | None = None
        """Languages in which the client was told to search with us; None before it was told."""
        self.abilities = ClientAbilities()
        """What the client can do for us beyond the protocol."""
        self.model_for: Callable[[UseModelParams], ChatModel | None] = lambda _: None
        """Returns one of the editor's models by its name; None without one that can be asked."""
        self.runs = Runs(self)
        self.documents = DocumentWatch(self)
        self.client_diagnostics = ClientDiagnostics()
        self.shutting_down = False
        self._engine_hooks: list[Callable[[], None]] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._organisation: OrganisationSession | None = None

    def open_folders(self) -> bool:
        """Open the workspace's folders as one code base; returns whether that is another one."""
        folders = folders_by_label(self.folder_names)
        if self.codebase is not None:
            if folders == self.codebase.folders:
                return False
            self.codebase.stop.set()
        self.codebase = EditorCodeBase.open(folders, self.settings, self.texts) if folders else None
        self.engine_changed()
        return self.codebase is not None

    def when_engine_changes(self, hook: Callable[[], None]) -> None:
        """Call ``hook`` whenever another engine, model or other settings are in use."""
        self._engine_hooks.append(hook)

    def engine_changed(self) -> None:
        """Prepare an engine that is another one, or is to ask otherwise, and tell the client."""
        for hook in self._engine_hooks:
            hook()
        now = (self._possible_modes(), self._missing())
        if self.status.state != "starting" and (self.status.modes, self.status.missing) != now:
            self.report(self.status)

    def report(self, status: StatusParams) -> None:
        """Tell the client how the server is doing, and what it can do now."""
        can = {"modes": self._possible_modes(), "missing": self._missing()}
        self.status = status.model_copy(update=can)
        self.notify(STATUS, self.status)

    def _possible_modes(self) -> list[str]:
        return [] if self.codebase is None else self.codebase.possible_modes()

    def _missing(self) -> list[str]:
        return [] if self.codebase is None else self.codebase.missing_parts()

    async def settled_codebase(self) -> EditorCodeBase | None:
        """Return the open folders once the settings are known; None while no folder is open."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.settings_told.wait(), _SETTINGS_WAIT_S)
        return self.codebase

    @property
    def organisation(self) -> OrganisationSession | None:
        """What asks the organisation that the settings name; None if they name none."""
        service = self.settings.organisation.service or ""
        if self._organisation is not None and self._organisation.address != service:
            close = asyncio.to_thread(self._organisation.close)
            self.start_task(close, "close the connection to the organisation")
            self._organisation = None
        if service and self._organisation is None:
            self._organisation = OrganisationSession(service)
        return self._organisation

    async def require_codebase(self) -> EditorCodeBase:
        """Return what questions are asked of, once it is known with which settings.

        Raises:
            BadInput: No folder is open.
        """
        codebase = await self.settled_codebase()
        if codebase is None:
            raise BadInput(
                "Nothing can be looked up: no folder is open.",
                "Open the folder of the code first.",
            )
        return codebase

    @property
    def codec(self) -> PositionCodec:
        """The codec for the encoding that was negotiated with the client."""
        return self.workspace.position_codec

    def client_can(self, capability: str) -> bool:
        """Return whether the client declared a capability, given as a dotted name."""
        return bool(get_capability(self.client_capabilities, capability, False))

    def notify(self, kind: NotificationType, message: WireMessage) -> None:
        """Send one of our notifications; call it on the event loop's thread."""
        if not self.shutting_down:
            self.protocol.notify(kind.method, message.dump())

    def start_task(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Run background work; a bug that it raises is logged once, here."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def _task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, ScopeError):
            logger.info("%s ended: %s", task.get_name(), error)
        elif (lacking := shortage_of(error)) is not None:
            logger.warning("%s ended: %s", task.get_name(), lacking)
        else:
            logger.error("Background work %r failed.", task.get_name(), exc_info=error)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log what went wrong outside a request, instead of a pop-up with a traceback."""
        if source is FeatureRequestError:
            return  # The client was answered with it, and pygls has logged it.
        if isinstance(error, ValueError | RecursionError) and source is JsonRpcException:
            logger.warning("A message is no JSON: %s", error)
            cast("EditorProtocol", self.protocol).refuse(
                Refusal(PARSE_ERROR, "The message is no JSON."), None
            )
            return
        if (lacking := shortage_of(error)) is not None:
            logger.warning("%s: %s", getattr(source, "__name__", source), lacking)
            return
        logger.error("%s: %s", getattr(source, "__name__", source), error, exc_info=error)


def make_converter() -> Converter:
    """Return pygls' converter, but custom messages arrive as the plain data that was sent.

    pygls would turn them into named tuples that rename fields; see docs/protocol.md for why our
    handlers validate params themselves.
    """
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]  # pygls has none
    for message_type in (JsonRPCRequestMessage, JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(message_type, lambda data, cls: cls(**data))
    return converter
