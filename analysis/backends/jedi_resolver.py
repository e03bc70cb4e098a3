"""Jedi as the one who decides what the resolver leaves open in Python code."""

from __future__ import annotations

from analysis.backends.jedi_process import JediProcess
from analysis.backends.semantic_fallback import relative_or_absolute
from analysis.errors import BackendFailed, ScopeError
from analysis.models import DefinitionPlace
from analysis.parsing.languages import language_of
from analysis.settings import BackendSettings
from analysis.workspace.files import LocalFileBackend


class JediResolver:
    """Asks Jedi in a process of its own.

    The interpreter that the settings name is run only in a trusted code base; Jedi never looks
    for one by itself, as it would run the ``.venv/bin/python`` that a repository brings.
    """

    name = "jedi"

    def __init__(self, files: LocalFileBackend, settings: BackendSettings) -> None:
        self._files = files
        python = settings.python if settings.trusted else None
        self.process = JediProcess(files.root, python)

    def knows(self, path: str) -> bool:
        """Return whether a file is Python."""
        return language_of(path) == "python" and path.endswith((".py", ".pyi"))

    def definitions(
        self, path: str, line: int, column: int, timeout_s: float
    ) -> list[DefinitionPlace]:
        """Return where the identifier at a place is defined."""
        answer = self.process.ask("goto", path, self._text(path), line, column, timeout_s)
        return [
            DefinitionPlace(
                relative_or_absolute(self._files.root, item["path"]),
                item["line"],
                item["column"],
                item["name"],
            )
            for item in answer
        ]

    def described(self, path: str, line: int, column: int, timeout_s: float) -> str | None:
        """Return the type of the identifier at a place."""
        answer = self.process.ask("type", path, self._text(path), line, column, timeout_s)
        return " | ".join(dict.fromkeys(item["name"] for item in answer)) or None

    def close(self) -> None:
        """End Jedi's process."""
        self.process.close()

    def _text(self, path: str) -> str:
        try:
            return self._files.read(path).text
        except (ScopeError, OSError) as error:
            raise BackendFailed(f"{path!r} cannot be read.") from error
