"""What a question is asked of: one workspace folder, in the engine's terms and the editor's."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.errors import BadInput
from analysis.shapes import plain
from analysis.workspace.paths import path_from_uri, relative_path, uri_from_path
from lsp_server.folders import Folder, Folders
from lsp_server.protocol import AnalyzeParams, AnalyzeResult, VerifyResult, WireHit, WireSearched
from lsp_server.to_lsp import wire_reference

if TYPE_CHECKING:
    from analysis.events import Event, StopFlag
    from analysis.models import AskRequest


class CodeBase:
    """One workspace folder as the target of a question."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    @property
    def base_uri(self) -> str:
        """The folder to which the links of an answer are relative."""
        return uri_from_path(str(self.folder.root / ".scope")) + "/"

    def path_of(self, uri: str) -> str:
        """Return a file's path in the code base."""
        return relative_path(self.folder.root, path_from_uri(uri))

    def uri_of(self, path: str) -> str:
        """Return the URI of a file of the code base."""
        return uri_from_path(str(self.folder.root / path))

    def ask(self, request: AskRequest, stop: StopFlag) -> AsyncGenerator[Event]:
        """Answer a question; the document goes where the editor keeps them."""
        from analysis.documents import editor_target

        return self.folder.engine.ask(request, output=editor_target(self.folder.root), stop=stop)

    def analyze(self, params: AnalyzeParams, stop: StopFlag) -> AnalyzeResult:
        """Return the places that a query leads to; blocks."""
        from analysis.finding import FindOptions, find

        options = FindOptions(
            top_k=params.top_k,
            language=params.language,
            path_globs=(params.path,) if params.path else (),
            include_code=params.include_code,
        )
        found = find(self.folder.engine, params.query, options, stop)
        hits = [
            WireHit.model_validate({**plain(hit), "uri": self.uri_of(hit.path)})
            for hit in found.hits
        ]
        searched = WireSearched(files=found.files, skipped=found.skipped)
        return AnalyzeResult(query=found.query, hits=hits, searched=searched)

    def verify(self, document_uri: str) -> VerifyResult:
        """Return what became of each reference of a document; blocks."""
        checked = self.folder.engine.verify(path_from_uri(document_uri))
        references = [
            wire_reference(
                item.reference, self.uri_of(item.new_path or item.reference.path)
            ).model_copy(
                update={
                    "new_path": item.new_path,
                    "new_line_start": item.new_line_start,
                    "new_line_end": item.new_line_end,
                }
            )
            for item in checked
        ]
        return VerifyResult(
            references=references, counts=Counter(reference.state for reference in references)
        )


def codebase_for(folders: Folders, uri: str | None) -> CodeBase:
    """Return what a question is about: the folder of its location, else the first one.

    Raises:
        BadInput: No folder is open, or the location is in none of them.
    """
    if not folders.all():
        raise BadInput(
            "The question was not asked: no folder is open.", "Open the folder of the code first."
        )
    if uri is None:
        return CodeBase(folders.all()[0])
    place = folders.find(uri)
    if place is None:
        raise BadInput(
            f"The question was not asked: {uri!r} is in no open folder.",
            "Open its folder, or ask without a location.",
        )
    return CodeBase(place[0])


def document_text(texts: Mapping[str, str], uri: str) -> str:
    """Return a document as the editor shows it, else as it is on disk, else nothing."""
    if uri in texts:
        return texts[uri]
    try:
        return Path(path_from_uri(uri)).read_text(encoding="utf-8", errors="replace")
    except (BadInput, OSError):
        return ""
