"""``scope/debugInfo``: what a report of trouble needs, and nothing that is nobody's business."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from lsp_server.errors import answering_errors
from lsp_server.protocol import DEBUG_INFO, DebugInfoParams, DebugInfoResult
from lsp_server.server import ScopeServer

if TYPE_CHECKING:
    from analysis.settings import Settings

_LIBRARIES = ("litellm", "pygls", "tree-sitter")


def register(server: ScopeServer) -> None:
    """Register the request."""
    server.feature(DEBUG_INFO.method)(on_debug_info)


async def on_debug_info(server: ScopeServer, raw: Any) -> dict[str, Any]:
    """Return versions, the model as ``scope doctor`` shows it, and which settings are changed."""
    from analysis import __version__
    from analysis.llm.doctor import examination_rows, examined

    params = DebugInfoParams.parse(raw)
    with answering_errors():
        found = await examined(server.settings, os.environ, ask=False)
    rows = {
        "scope": __version__,
        "editor": params.client or "not told",
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        "libraries": ", ".join(f"{name} {_version(name)}" for name in _LIBRARIES),
        "editor's model": params.model or "none is chosen",
        **(examination_rows(found) if found.model else {"model": "none is set by name"}),
        "changed": ", ".join(_changed(server.settings)) or "no setting",
    }
    return DebugInfoResult(text="\n".join(f"{name}: {rows[name]}" for name in rows) + "\n").dump()


def _changed(settings: Settings) -> list[str]:
    """Return the names of the settings that are not as they come; no values."""
    default, names = type(settings)(), list[str]()
    for name in type(settings).model_fields:
        value, usual = getattr(settings, name), getattr(default, name)
        if isinstance(value, BaseModel):
            fields = type(value).model_fields
            names += [f"{name}.{f}" for f in fields if getattr(value, f) != getattr(usual, f)]
        elif value != usual:
            names.append(name)
    return names


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "is not installed"
