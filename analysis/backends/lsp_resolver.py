"""Any language server as the one who decides what the resolver leaves open."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from analysis.backends.lsp_connection import LspConnection, RequestRefused, ServerFailed
from analysis.backends.semantic_fallback import relative_or_absolute
from analysis.errors import BackendFailed, ScopeError
from analysis.models import DefinitionPlace
from analysis.parsing.languages import language_of
from analysis.stopping import Deadline
from analysis.workspace.files import LocalFileBackend
from analysis.workspace.paths import path_from_uri, uri_from_path

logger = logging.getLogger(__name__)

# Servers read the whole project when they start.
_START_LIMIT_S = 30.0
# For this long after its start a server may answer with nothing because it has not read all.
_WARM_UP_S = 20.0
_RETRY_S = 0.25

_LANGUAGE_IDS = {"tsx": "typescriptreact", "jsx": "javascriptreact", "shell": "shellscript"}
_FAMILY = {"tsx": "typescript", "jsx": "javascript", "javascript": "typescript", "cpp": "c"}


class LspResolver:
    """Asks a language server over stdio; only for trusted code bases.

    Args:
        files: The code base.
        language: As ``language_of`` names it; a server for TypeScript serves JavaScript too.
        command: Program and arguments.
    """

    def __init__(self, files: LocalFileBackend, language: str, command: Sequence[str]) -> None:
        self.name = command[0].rsplit("/", 1)[-1] if command else language
        self._files = files
        self._language = language
        self._command = list(command)
        self._server: LspConnection | None = None
        self._open: dict[str, tuple[int, str]] = {}
        self._warm_up = Deadline(0)
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The server's process id, None if it is not running."""
        return self._server.pid if self._server is not None else None

    def knows(self, path: str) -> bool:
        """Return whether the server is for the language of a file."""
        language = language_of(path)
        return self._language in (language, _FAMILY.get(language))

    def definitions(
        self, path: str, line: int, column: int, timeout_s: float
    ) -> list[DefinitionPlace]:
        """Return where the identifier at a place is defined."""
        answer = self._ask("textDocument/definition", path, line, column, timeout_s)
        locations = answer if isinstance(answer, list) else [answer] if answer else []
        return [self._definition(location) for location in locations]

    def described(self, path: str, line: int, column: int, timeout_s: float) -> str | None:
        """Return what the server shows when one hovers over the place."""
        answer = self._ask("textDocument/hover", path, line, column, timeout_s)
        contents = answer.get("contents") if isinstance(answer, dict) else None
        if isinstance(contents, list):
            contents = contents[0] if contents else None
        if isinstance(contents, dict):
            contents = contents.get("value")
        return str(contents).strip() or None if contents else None

    def close(self) -> None:
        """End the server."""
        with self._lock:
            if self._server is not None:
                self._server.kill()
                self._server = None

    def _ask(self, method: str, path: str, line: int, column: int, timeout_s: float) -> Any:
        """Return the server's answer about a place; a server that is late is ended."""
        with self._lock:
            try:
                server = self._started(max(timeout_s, 0.1))
                text = self._files.read(path).text
                self._show(server, path, text)
                place = {"line": line - 1, "character": _utf16(text, line, column)}
                uri = uri_from_path(self._files.root / path)
                params = {"textDocument": {"uri": uri}, "position": place}
                return self._answer(server, method, params, timeout_s)
            except RequestRefused as error:
                raise BackendFailed(str(error)) from error
            except ServerFailed as error:
                if self._server is not None:
                    self._server.kill()
                    self._server = None
                raise BackendFailed(str(error)) from error
            except (ScopeError, OSError) as error:
                raise BackendFailed(f"{path!r} cannot be read.") from error

    def _answer(
        self, server: LspConnection, method: str, params: dict[str, Any], timeout_s: float
    ) -> Any:
        """Return the server's answer; one that is empty while it reads the project is no answer."""
        deadline = Deadline(timeout_s)
        while True:
            answer = server.request(method, params, max(deadline.seconds_left(), 0.05))
            is_warm = not server.busy and self._warm_up.is_over
            if answer or is_warm or deadline.seconds_left() < _RETRY_S:
                return answer
            time.sleep(_RETRY_S)

    def _started(self, timeout_s: float) -> LspConnection:
        if self._server is not None and self._server.alive:
            return self._server
        root = self._files.root
        self._open.clear()
        self._server = LspConnection(self._command, root)
        deadline = Deadline(max(timeout_s, _START_LIMIT_S))
        uri = uri_from_path(root)
        params = {
            "processId": None,
            "rootUri": uri,
            "capabilities": {"workspace": {"configuration": True}},
            "workspaceFolders": [{"uri": uri, "name": root.name}],
        }
        self._server.request("initialize", params, deadline.seconds_left())
        self._server.notify("initialized", {})
        self._warm_up = Deadline(_WARM_UP_S)
        return self._server

    def _show(self, server: LspConnection, path: str, text: str) -> None:
        """Open a file in the server, or bring what it has open up to date."""
        uri = uri_from_path(self._files.root / path)
        version, shown = self._open.get(path, (0, None))
        if shown == text:
            return
        self._open[path] = (version + 1, text)
        if shown is None:
            language = language_of(path)
            item = {
                "uri": uri,
                "languageId": _LANGUAGE_IDS.get(language, language),
                "version": version + 1,
                "text": text,
            }
            server.notify("textDocument/didOpen", {"textDocument": item})
        else:
            document = {"uri": uri, "version": version + 1}
            changes = [{"text": text}]
            server.notify(
                "textDocument/didChange", {"textDocument": document, "contentChanges": changes}
            )

    def _definition(self, location: dict[str, Any]) -> DefinitionPlace:
        uri = location.get("uri") or location.get("targetUri") or ""
        span = location.get("range") or location.get("targetSelectionRange") or {}
        start = span.get("start", {"line": 0, "character": 0})
        path = str(path_from_uri(uri)) if urlsplit(uri).scheme == "file" else uri
        relative = relative_or_absolute(self._files.root, path)
        line = start["line"] + 1
        try:
            text = self._files.read(relative).text if relative != path else ""
        except (ScopeError, OSError):
            text = ""
        return DefinitionPlace(relative, line, _code_points(text, line, start["character"]), "")


def _utf16(text: str, line: int, column: int) -> int:
    """Return a column in UTF-16 units, as servers count by default."""
    lines = text.split("\n")
    before = lines[line - 1][:column] if line <= len(lines) else ""
    return len(before.encode("utf-16-le")) // 2


def _code_points(text: str, line: int, units: int) -> int:
    """Return a column in code points from one in UTF-16 units."""
    lines = text.split("\n")
    if line > len(lines):
        return units
    return len(lines[line - 1].encode("utf-16-le")[: units * 2].decode("utf-16-le", "ignore"))
