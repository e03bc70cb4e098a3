"""Asks a server which models it has: one request, no redirect, an answer of limited size."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from analysis.llm.prices import is_local

# A list of all models of the largest router takes less than 1 MB.
_MAX_BYTES = 4_000_000
_LOCAL_S = 2.0
_REMOTE_S = 10.0


@dataclass(frozen=True, slots=True)
class ModelServer:
    """Where models may be, and how that server is asked for them."""

    provider: str
    url: str
    """Of the list of its models."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """With its key; never shown."""

    @property
    def host(self) -> str:
        """Return the host, with its port where one is named."""
        return urlsplit(self.url).netloc.rpartition("@")[2]

    @property
    def is_here(self) -> bool:
        """Return whether it is this machine."""
        return is_local(self.host)


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """What a server said of its models."""

    models: tuple[str, ...] = ()
    problem: str = ""
    """Why there is no list, as the end of a sentence about the server; empty if there is one."""
    status: int | None = None
    """Of HTTP, where it refused; None if nothing answered."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: it would take a key, or a request, to where nobody was named."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Return no further request."""


def models_at(server: ModelServer, proxy: str | None = None) -> ServerAnswer:
    """Return the names of a server's models, or why it does not tell them.

    Args:
        server: Which one.
        proxy: What requests beyond this machine go through; the environment's if None.
    """
    proxies = {} if server.is_here else {"http": proxy, "https": proxy} if proxy else None
    opener = urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler(proxies))
    headers = {"Accept": "application/json", **server.headers}
    try:
        # Only what the settings and our own table name gets here, see ``model_list``.
        request = urllib.request.Request(server.url, headers=headers)
        with opener.open(request, timeout=_LOCAL_S if server.is_here else _REMOTE_S) as answer:
            body = answer.read(_MAX_BYTES)
    except urllib.error.HTTPError as error:
        what = "refused the key" if error.code in (401, 403) else "answered with an error"
        return ServerAnswer(problem=f"{what} ({error.code})", status=error.code)
    except (OSError, ValueError):
        return ServerAnswer(problem="did not answer")
    return _read(body)


def _read(body: bytes) -> ServerAnswer:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        data = None
    found = data.get("data", data.get("models")) if isinstance(data, dict) else None
    if not isinstance(found, list):
        return ServerAnswer(problem="sent no list of models")
    named = [item.get("id") or item.get("name") for item in found if isinstance(item, dict)]
    return ServerAnswer(tuple(sorted({name for name in named if isinstance(name, str) and name})))
