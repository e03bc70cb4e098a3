"""Puts the enhanced backend together, from what the settings allow."""

from __future__ import annotations

from analysis.backends.ast_backend import AstBackend
from analysis.backends.semantic_fallback import FallbackBackend, SemanticResolver, SemanticResolvers
from analysis.settings import BackendSettings
from analysis.workspace.files import LocalFileBackend


def enhanced_backend(
    files: LocalFileBackend, syntax: AstBackend, settings: BackendSettings
) -> FallbackBackend | None:
    """Return the enhanced backend, None if the settings allow nobody to be asked.

    Nothing is started here: a process is started by the first use that is left open.
    """
    resolvers: list[SemanticResolver] = []
    if settings.trusted and settings.language_servers:
        from analysis.backends.lsp_resolver import LspResolver

        resolvers += [
            LspResolver(files, language, command)
            for language, command in settings.language_servers.items()
        ]
    if settings.jedi:
        from analysis.backends.jedi_resolver import JediResolver

        resolvers.append(JediResolver(files, settings))
    if not resolvers:
        return None
    return FallbackBackend(syntax, SemanticResolvers(resolvers), settings.time_limit_s)
