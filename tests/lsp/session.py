"""A real language server process and an editor's side of the talk with it."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import register_lsp_features

from analysis.workspace.paths import uri_from_path
from lsp_server import document_messages, protocol
from lsp_server.server import make_converter

DEADLINE_S = 180.0
"""No wait in these tests may take longer; they are not about speed."""


class Editor(LanguageClient):
    """A test client that records our own notifications."""

    def __init__(self) -> None:
        super().__init__(converter_factory=make_converter)
        self.run_events: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.base_uris: dict[str, str] = {}
        self.statuses: list[dict[str, Any]] = []
        register_lsp_features(self)
        self.registrations: list[types.Registration] = []
        self.feature(types.CLIENT_REGISTER_CAPABILITY)(self._on_register())
        self.feature(types.CLIENT_UNREGISTER_CAPABILITY)(self._on_unregister())
        self.feature(protocol.RUN_EVENT.method)(self._on_run_event())
        self.document_states: dict[str, dict[str, Any]] = {}
        self.feature(document_messages.DOCUMENT_STATE.method)(self._on_document_state())
        self.feature(protocol.STATUS.method)(self._on_status())
        self.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda params: None)

    def _on_register(self) -> Callable[[types.RegistrationParams], None]:
        def record(params: types.RegistrationParams) -> None:
            self.registrations.extend(params.registrations)

        return record

    def _on_unregister(self) -> Callable[[types.UnregistrationParams], None]:
        def forget(params: types.UnregistrationParams) -> None:
            gone = {item.id for item in params.unregisterations}
            self.registrations = [item for item in self.registrations if item.id not in gone]

        return forget

    def _on_run_event(self) -> Callable[[dict[str, Any]], None]:
        def record(params: dict[str, Any]) -> None:
            self.run_events[params["runId"]].append(params["event"])
            self.base_uris[params["runId"]] = params["baseUri"]

        return record

    def _on_document_state(self) -> Callable[[dict[str, Any]], None]:
        def record(params: dict[str, Any]) -> None:
            self.document_states[params["documentUri"]] = params.get("state", {})

        return record

    def _on_status(self) -> Callable[[dict[str, Any]], None]:
        def record(params: dict[str, Any]) -> None:
            self.statuses.append(params)

        return record

    async def request(self, method: str, params: Any, msg_id: str | None = None) -> Any:
        """Send a request and wait for its result."""
        return await asyncio.wait_for(
            self.protocol.send_request_async(method, params, msg_id), DEADLINE_S
        )

    async def ask(self, question: str, **params: Any) -> dict[str, Any]:
        """Ask a question and return the result."""
        result = await self.request(protocol.ASK.method, {"question": question, **params})
        assert isinstance(result, dict)
        return result

    async def command(self, command: str, *arguments: Any) -> Any:
        """Execute a server command."""
        params = types.ExecuteCommandParams(command, list(arguments))
        return await self.request(types.WORKSPACE_EXECUTE_COMMAND, params)

    async def until(self, condition: Callable[[], Any], what: str) -> Any:
        """Wait until something is true."""
        end = time.monotonic() + DEADLINE_S
        while not (value := condition()):
            assert time.monotonic() < end, f"never happened: {what}"
            await asyncio.sleep(0.02)
        return value

    async def finished(self, run_id: str) -> dict[str, Any]:
        """Wait for the last event of a run and return it."""
        events = self.run_events[run_id]
        await self.until(lambda: events and events[-1]["type"] == "finished", "the run's end")
        return events[-1]

    async def ready(self, n: int = 1) -> None:
        """Wait until the background index has reported ready ``n`` times."""
        await self.until(
            lambda: sum(status["state"] == "ready" for status in self.statuses) >= n, "index ready"
        )

    def open(self, path: Path, text: str | None = None, language: str = "python") -> str:
        """Open a document as an editor does, and return its URI."""
        uri = uri_from_path(str(path))
        text = path.read_text(encoding="utf-8") if text is None else text
        self.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, 1, text))
        )
        return uri

    def edit(self, uri: str, version: int, edit_range: types.Range, text: str) -> None:
        """Change a range of an open document."""
        change = types.TextDocumentContentChangePartial(range=edit_range, text=text)
        self.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, uri), [change]
            )
        )


def server_command() -> list[str]:
    """The language server as the console script starts it, in no particular folder."""
    code = "import sys; from lsp_server.__main__ import main; sys.exit(main())"
    return [sys.executable, "-c", code]


def server_environment(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment with a home of its own, in which our packages can be imported."""
    root = Path(__file__).resolve().parents[2]
    return {
        **os.environ,
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "PYTHONPATH": str(root),
        **(extra or {}),
    }


@asynccontextmanager
async def editing(
    home: Path,
    *folders: Path,
    editor: str = "visual-studio-code",
    options: dict[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    process_id: int | None = None,
) -> AsyncIterator[Editor]:
    """Start a server for these folders, as one of the editors would; end it properly."""
    client = Editor()
    await client.start_io(*server_command(), env=server_environment(home, env), cwd=str(home))
    uris = [uri_from_path(str(folder)) for folder in folders]
    await client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities_of(editor),
            process_id=process_id,
            initialization_options=options,
            workspace_folders=[
                types.WorkspaceFolder(uri, folder.name)
                for uri, folder in zip(uris, folders, strict=True)
            ],
        )
    )
    try:
        yield client
    finally:
        await client.shutdown_session()
        await client.stop()


def capabilities_of(editor: str) -> types.ClientCapabilities:
    """An editor's stored capabilities, with what its newer versions added."""
    capabilities = client_capabilities(editor)
    window = capabilities.window or types.WindowClientCapabilities()
    if editor == "visual-studio-code":
        window.work_done_progress = True
        window.show_document = types.ShowDocumentClientCapabilities(support=True)
        if capabilities.text_document and capabilities.workspace:
            pulls = types.DiagnosticClientCapabilities(dynamic_registration=True)
            capabilities.text_document.diagnostic = pulls
            refreshes = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
            capabilities.workspace.diagnostics = refreshes
    capabilities.window = window
    return capabilities
