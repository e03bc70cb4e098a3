"""The workspace's folders as one code base, in the engine's terms and the editor's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.engine import Engine
from analysis.errors import BadInput, PathOutsideRoot, ScopeError
from analysis.json_output import plain
from analysis.settings import Settings
from analysis.stopping import StopFlag
from analysis.user_folders import expanded
from analysis.workspace.buffers import OpenBuffers
from analysis.workspace.paths import path_from_uri, relative_path, uri_from_path
from lsp_server.protocol import (
    AnalyzeParams,
    AnalyzeResult,
    WireHit,
    WireReference,
    WireSearched,
)

if TYPE_CHECKING:
    from analysis.calls import Approver
    from analysis.documents import OutputTarget
    from analysis.events import Event
    from analysis.llm.chat_model import ChatModel
    from analysis.models import AskRequest, CodeReference


@dataclass(slots=True)
class EditorCodeBase:
    """What a question is asked of.

    With one folder paths are relative to it; with several each path begins with its folder's label.
    """

    folders: Mapping[str, Path]
    """Real or given folder by label, in the order of the workspace."""
    engine: Engine
    buffers: OpenBuffers
    stop: StopFlag = field(default_factory=StopFlag)
    """Set when the folders have changed or the server shuts down."""

    @classmethod
    def open(
        cls, folders: Mapping[str, Path], settings: Settings, texts: Mapping[str, str]
    ) -> EditorCodeBase:
        """Open the folders with the editor's open documents laid over them; reads nothing yet."""
        buffers = OpenBuffers()
        if len(folders) == 1:
            engine = Engine.open(next(iter(folders.values())), settings, buffers)
        else:
            engine = Engine.open_several(folders, settings, buffers)
        codebase = cls(folders, engine, buffers)
        for uri, text in texts.items():
            codebase.show(uri, text, 0)
        return codebase

    @property
    def label(self) -> str:
        """What the user calls it."""
        return ", ".join(self.folders)

    def target(self, home: str | None = None) -> OutputTarget:
        """Return where an answer is written, unless the settings name a folder for all.

        Args:
            home: Label of the folder that it belongs to; None for the first.
        """
        from analysis.documents import editor_target

        roots = list(self.folders.values())
        root = self.folders.get(home or "", roots[0])
        target = editor_target(root, self.folders if len(roots) > 1 else None)
        chosen = self.engine.settings.answer.output_dir
        if chosen:
            folder = expanded(chosen)
            target = replace(target, folder=folder, self_ignoring=False)
        return target

    def home_of(self, request: AskRequest, stop: StopFlag) -> str | None:
        """Return the label of the folder to which an answer belongs; blocks.

        It is the one that the asker looks at or asks on from, else the one in which most of what
        the question leads to lies, among those it is limited to. With one folder it does not
        matter.
        """
        if len(self.folders) == 1:
            return None
        asked_at = request.location.path if request.location else None
        if asked_at is None and request.follow_up:
            asked_at = self.path_of(uri_from_path(request.follow_up))
        if asked_at is not None:
            return asked_at.partition("/")[0]
        meant = {path.partition("/")[0] for path in request.within}
        if len(meant) == 1:
            return meant.pop()
        from analysis.engine.runner import QUESTION_PATIENCE_S
        from analysis.tools.places import FindOptions

        try:
            # What was read by now may all be of another folder.
            self.engine.prepare(None, stop, QUESTION_PATIENCE_S, request.question)
            found = self.engine.analyze(request.question, FindOptions(request.top_k), stop)
        except ScopeError:
            return None  # The question itself meets the same obstacle, and says so.
        weight: dict[str, float] = defaultdict(float)
        for hit in found.hits:
            label = hit.path.partition("/")[0]
            if not meant or label in meant:
                weight[label] += hit.score
        return max(weight, key=weight.__getitem__, default=None)

    def base_uri(self, home: str | None = None) -> str:
        """Return the folder to which the links of an answer are relative."""
        target = self.target(home)
        return uri_from_path(target.folder or target.root) + "/"

    def possible_modes(self) -> list[str]:
        """Return the modes in which a question can be answered now."""
        from analysis.modes.mode_choice import possible_modes

        model = None if "model" in self.missing_parts() else self.engine.model
        return possible_modes(model, self.engine.settings)

    def missing_parts(self) -> list[str]:
        """Return what the settings want and is not installed: "model", "organisation" or none."""
        from analysis.llm.configured import lacks_library
        from analysis.org.organisation import lacks_driver

        is_asked = self.engine.settings.organisation.service is not None
        return [
            *(["model"] if lacks_library(self.engine.model) else []),
            *(["organisation"] if is_asked and lacks_driver() else []),
        ]

    def path_of(self, uri: str) -> str | None:
        """Return a document's path in the code base; None if it lies outside."""
        try:
            file = path_from_uri(uri)
        except BadInput:
            return None
        inside: list[tuple[int, str]] = []
        for label, root in self.folders.items():
            try:
                rest = relative_path(root, file)
            except PathOutsideRoot:
                continue
            inside.append((len(rest), rest if len(self.folders) == 1 else f"{label}/{rest}"))
        return min(inside)[1] if inside else None

    def uri_of(self, path: str) -> str:
        """Return the URI of a file of the code base, under the folder's name as it was opened."""
        if len(self.folders) == 1:
            return uri_from_path(next(iter(self.folders.values())) / path)
        label, _, rest = path.partition("/")
        return uri_from_path(self.folders[label] / rest)

    def show(self, uri: str, text: str, version: int) -> None:
        """Lay an open document over its file."""
        if (path := self.path_of(uri)) is not None:
            self.buffers.open(path, text, version)

    def hide(self, uri: str) -> None:
        """From now on the file on disk counts again."""
        if (path := self.path_of(uri)) is not None:
            self.buffers.close(path)

    def ask(
        self,
        request: AskRequest,
        stop: StopFlag,
        approver: Approver | None = None,
        home: str | None = None,
        model: ChatModel | None = None,
    ) -> AsyncGenerator[Event]:
        """Answer a question; the document goes where the editor keeps those of a folder."""
        return self.engine.ask(
            request, output=self.target(home), stop=stop, approver=approver, model=model
        )

    def analyze(self, params: AnalyzeParams, stop: StopFlag) -> AnalyzeResult:
        """Return the places that a query leads to; blocks."""
        from analysis.tools.places import FindOptions

        options = FindOptions(
            top_k=params.top_k,
            language=params.language,
            path_globs=(params.path,) if params.path else (),
            include_code=params.include_code,
            max_tokens=params.max_tokens,
        )
        found = self.engine.analyze(params.query, options, stop)
        hits = [
            WireHit.model_validate({**plain(hit), "uri": self.uri_of(hit.path)})
            for hit in found.hits
        ]
        searched = WireSearched(files=found.files, skipped=found.skipped, complete=found.complete)
        return AnalyzeResult(
            query=found.query, hits=hits, left_out=found.left_out, searched=searched
        )


def wire_reference(reference: CodeReference, uri: str) -> WireReference:
    """Return a code reference as it goes over the wire."""
    return WireReference(
        path=reference.path,
        uri=uri,
        line_start=reference.line_start,
        line_end=reference.line_end,
        symbol=reference.symbol,
        description=reference.description,
        state=str(reference.state),
    )


def folders_by_label(named: Mapping[str, str]) -> dict[str, Path]:
    """Return the folders of a workspace that are on this disk, each under a label of its own.

    Args:
        named: The name of each folder by URI.
    """
    folders: dict[str, Path] = {}
    for uri, name in named.items():
        try:
            root = path_from_uri(uri)
        except BadInput:
            continue
        if not root.is_dir() or root in folders.values():
            continue
        base = name.replace("/", "-").replace("\\", "-").strip(". ") or root.name or "root"
        label, count = base, 2
        while label in folders:
            label, count = f"{base}-{count}", count + 1
        folders[label] = root
    return folders
