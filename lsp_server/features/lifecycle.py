"""Start and end: folders are opened, watching begins, and nothing outlives the editor."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from analysis.settings import settings_from
from lsp_server import indexing
from lsp_server.features import configuration, diagnostics, symbols
from lsp_server.protocol import ClientAbilities
from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)

_PARENT_CHECK_S = 2.0
"""Seconds between two looks at whether the editor is still alive; costs one system call."""
_LAST_WORK_S = 2.0
"""Seconds that work has to stop by itself once nobody reads what comes of it."""


def register(server: ScopeServer) -> None:
    """Register the handlers of the session's start and end."""
    server.feature(types.INITIALIZE)(on_initialize)
    server.feature(types.INITIALIZED)(on_initialized)
    server.feature(types.SHUTDOWN)(on_shutdown)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(on_folders_changed)


async def on_initialize(server: ScopeServer, params: types.InitializeParams) -> None:
    """Take the editor's settings and open its folders; nothing is read from them yet."""
    raw = params.initialization_options
    if isinstance(raw, dict):
        server.abilities = ClientAbilities.parse(raw.get("client"))
        settings = {name: value for name, value in raw.items() if name != "client"}
        server.settings, server.setting_problems = settings_from(settings)
    server.folder_names = {folder.uri: folder.name for folder in params.workspace_folders or []}
    if not server.folder_names and params.root_uri:
        server.folder_names[params.root_uri] = ""
    if server.client_can("workspace.configuration"):
        server.settings_told.clear()
    server.open_folders()
    symbols.offer(server, at_start=True)
    diagnostics.offer(server, at_start=True)


async def on_initialized(server: ScopeServer, params: types.InitializedParams) -> None:
    """Begin the work that may talk to the client."""
    if server.process_id is not None:
        server.start_task(_exit_with_parent(server.process_id), "watch parent process")
    symbols.offer(server, at_start=False)
    diagnostics.offer(server, at_start=False)
    # Watched first: a setting that changes right after it was told would go unnoticed.
    await asyncio.gather(_watch(server), _take_settings(server))
    await symbols.announce(server)
    await diagnostics.announce(server)
    _start_indexing(server)


async def _take_settings(server: ScopeServer) -> None:
    """Take the client's settings; questions that came before wait for them."""
    try:
        await configuration.pull(server)
    finally:
        server.settings_told.set()


async def on_shutdown(server: ScopeServer, params: None) -> None:
    """Tell all work to stop, so that the process ends at once."""
    stop_work(server)


def stop_work(server: ScopeServer) -> None:
    """Tell every run and the indexing to stop; may be called from any thread."""
    server.shutting_down = True
    server.runs.cancel(None)
    if server.codebase is not None:
        server.codebase.stop.set()


def end_soon(server: ScopeServer) -> None:
    """Stop all work, and end the process even if what nobody reads is still being asked for."""
    stop_work(server)
    ending = threading.Timer(_LAST_WORK_S, os._exit, (0,))
    ending.daemon = True
    ending.start()


async def on_folders_changed(
    server: ScopeServer, params: types.DidChangeWorkspaceFoldersParams
) -> None:
    """Open added folders and close removed ones; runs under way end on what they began with."""
    for removed in params.event.removed:
        server.folder_names.pop(removed.uri, None)
    for added in params.event.added:
        server.folder_names[added.uri] = added.name
    if server.open_folders():
        _start_indexing(server)


def _start_indexing(server: ScopeServer) -> None:
    if (codebase := server.codebase) is not None:
        server.start_task(indexing.index_codebase(server, codebase), f"index {codebase.label}")
        server.start_task(server.documents.find(codebase), f"find documents of {codebase.label}")


async def _watch(server: ScopeServer) -> None:
    """Ask the client to report changed files and settings, if it can."""
    registrations = []
    if server.client_can("workspace.did_change_watched_files.dynamic_registration"):
        registrations.append(
            types.Registration(
                id="scope-watched-files",
                method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                register_options=types.DidChangeWatchedFilesRegistrationOptions(
                    watchers=[types.FileSystemWatcher(glob_pattern="**/*")]
                ),
            )
        )
    if server.client_can("workspace.did_change_configuration.dynamic_registration"):
        registrations.append(
            types.Registration(
                id="scope-configuration",
                method=types.WORKSPACE_DID_CHANGE_CONFIGURATION,
                register_options=types.DidChangeConfigurationRegistrationOptions(section="scope"),
            )
        )
    if not registrations:
        return
    wanted = types.RegistrationParams(registrations)
    try:
        await asyncio.shield(server.client_register_capability_async(wanted))
    except JsonRpcException as error:
        # Without events a changed file is noticed at the next question all the same.
        logger.warning("The editor does not report changed files or settings: %s", error)


async def _exit_with_parent(process_id: int) -> None:
    """End this process when the editor's is gone, even if something keeps our stdin open."""
    # A process that is not our child can only be asked about again and again.
    while _is_alive(process_id):  # noqa: ASYNC110
        await asyncio.sleep(_PARENT_CHECK_S)
    logger.warning("The editor's process %d is gone; ending.", process_id)
    os._exit(1)


def _is_alive(process_id: int) -> bool:
    """Return whether a process exists; on Windows the closed stdin tells instead."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
