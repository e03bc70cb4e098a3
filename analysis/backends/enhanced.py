"""Puts the enhanced backend together, from what the settings allow."""

from __future__ import annotations

from analysis.backends.ast_backend import AstBackend
from analysis.backends.deciding import Decider, Deciders, DecidingBackend
from analysis.settings import BackendSettings
from analysis.workspace.files import LocalFileBackend


def enhanced_backend(
    files: LocalFileBackend, syntax: AstBackend, settings: BackendSettings
) -> DecidingBackend | None:
    """Return the enhanced backend, None if the settings allow nobody to be asked.

    Nothing is started here: a process is started by the first use that is left open.
    """
    deciders: list[Decider] = []
    if settings.trusted and settings.language_servers:
        from analysis.backends.lsp_decider import LspDecider

        deciders += [
            LspDecider(files, language, command)
            for language, command in settings.language_servers.items()
        ]
    if settings.jedi:
        from analysis.backends.jedi_decider import JediDecider

        deciders.append(JediDecider(files, settings))
    if not deciders:
        return None
    return DecidingBackend(syntax, Deciders(deciders), settings.time_limit_s)
