"""The editor's settings, pulled at the start and whenever they change."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from analysis.settings import settings_from
from lsp_server.features import symbols
from lsp_server.server import ScopeServer

logger = logging.getLogger(__name__)

_SECTION = "scope"


def register(server: ScopeServer) -> None:
    """Register the handler of changed settings."""
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(on_configuration_changed)


async def on_configuration_changed(
    server: ScopeServer, params: types.DidChangeConfigurationParams
) -> None:
    """Take new settings: pulled where the client offers that, else from the notification."""
    if server.client_can("workspace.configuration"):
        await pull(server)
    else:
        sent = params.settings
        apply(server, sent.get(_SECTION, sent) if isinstance(sent, dict) else {})
    await symbols.announce(server)


async def pull(server: ScopeServer) -> None:
    """Ask the client for the settings, if it can tell."""
    if not server.client_can("workspace.configuration"):
        _show_problems(server)
        return
    question = types.ConfigurationParams([types.ConfigurationItem(section=_SECTION)])
    # Shielded: the answer to a cancelled request would be reported as an error by pygls.
    try:
        answer = await asyncio.shield(server.workspace_configuration_async(question))
    except JsonRpcException as error:
        logger.warning("The editor did not tell its settings: %s", error)
        answer = []
    if answer and isinstance(answer[0], dict):
        apply(server, answer[0])
    else:
        _show_problems(server)


def apply(server: ScopeServer, raw: dict[str, Any]) -> None:
    """Use new settings; a bad value is shown and the last good one kept."""
    server.settings, problems = settings_from(raw, server.settings)
    server.setting_problems += problems
    if server.codebase is not None:
        server.codebase.engine.use_settings(server.settings)
        server.engine_changed()
    _show_problems(server)


def _show_problems(server: ScopeServer) -> None:
    problems, server.setting_problems = server.setting_problems, []
    for problem in problems:
        logger.warning("%s", problem)
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, problem))
