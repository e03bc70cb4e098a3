"""One engine per code base: what the terminal, the editor and agents call."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from analysis.engine.code_base import CodeBase
from analysis.settings import Settings
from analysis.stopping import StopFlag

if TYPE_CHECKING:
    from analysis.backends.access import SmartFileAccess
    from analysis.calls import Approver, Grants
    from analysis.documents import OutputTarget, Reanchored
    from analysis.engine.document_states import DocumentStates
    from analysis.engine.documents import DocumentVerifier
    from analysis.events import Event
    from analysis.file_tree import FileTree
    from analysis.index.code_index import CodeIndex
    from analysis.index.difference import OnProgress
    from analysis.llm.chat_model import ChatModel
    from analysis.models import (
        AskRequest,
        CallList,
        DefinitionPlaces,
        FileOutline,
        Position,
        ReferenceList,
        SymbolChoice,
        SymbolDetail,
    )
    from analysis.modes.preview import Preview
    from analysis.tools.places import FindOptions, SearchHits
    from analysis.workspace.buffers import OpenBuffers
    from analysis.workspace.files import LocalFileBackend

# How long a search waits for indexing that is under way (seconds): somebody is typing.
_PATIENCE_S = 1.0


class Engine:
    """Answers about one code base; safe to use from several threads.

    Opening is cheap: nothing is parsed and the index is not touched before it is needed. Methods
    that are not ``async`` block and belong in a thread where there is an event loop.
    """

    def __init__(self, files: LocalFileBackend, settings: Settings) -> None:
        code_base = CodeBase(files, settings)
        self._code_base = code_base
        self._model: ChatModel | None = None
        self._session_grants: Grants | None = None
        self._documents: DocumentStates | None = None
        self._lock = threading.Lock()
        # What a code base can do is part of what an engine can do; ``CodeBase`` says what it is.
        self.files = files
        self.root = code_base.root
        self.refresh = code_base.refresh
        self.refresh_paths = code_base.refresh_paths
        self.prepare = code_base.prepare
        self.rebuild = code_base.rebuild
        self.make_facts = code_base.make_facts
        self.get_ready = code_base.get_ready
        self.use_settings = code_base.use_settings
        self.status = code_base.status
        self.close = code_base.close

    @classmethod
    def open(
        cls, root: Path, settings: Settings | None = None, buffers: OpenBuffers | None = None
    ) -> Engine:
        """Return the engine of the code base at ``root``.

        Args:
            root: A folder.
            settings: Defaults if None.
            buffers: What the editor shows; it lies over the files on the disk.

        Raises:
            NotFound: There is no such folder.
            BadInput: It is a file, or it cannot be read.
        """
        from analysis.workspace.files import LocalFileBackend
        from analysis.workspace.root import check_readable

        settings = settings or Settings()
        files = LocalFileBackend(root, settings.workspace, buffers)
        check_readable(files.root)
        return cls(files, settings)

    @classmethod
    def open_several(
        cls,
        folders: Mapping[str, Path],
        settings: Settings | None = None,
        buffers: OpenBuffers | None = None,
    ) -> Engine:
        """Return the engine of several folders as one code base.

        Args:
            folders: The folder for each label; paths begin with the label.
            settings: Defaults if None.
            buffers: What the editor shows, by labelled path.

        Raises:
            BadInput: One of the folders is missing or cannot be read.
        """
        from analysis.workspace.root import check_readable
        from analysis.workspace.several import SeveralFolders

        settings = settings or Settings()
        for folder in folders.values():
            check_readable(folder)
        return cls(SeveralFolders(folders, settings.workspace, buffers), settings)

    @property
    def settings(self) -> Settings:
        """The settings that hold now."""
        return self._code_base.settings

    @property
    def index(self) -> CodeIndex:
        """The code index, opened when it is first needed."""
        return self._code_base.index

    @property
    def access(self) -> SmartFileAccess:
        """Files, outlines, definitions and references, from the best backend that can answer."""
        return self._code_base.access

    @property
    def session_grants(self) -> Grants:
        """What was approved for as long as this program runs."""
        with self._lock:
            if self._session_grants is None:
                from analysis.calls import SessionGrants

                self._session_grants = SessionGrants()
            return self._session_grants

    @property
    def model(self) -> ChatModel | None:
        """The model that answers: the one that was given, else the configured one; None without."""
        if self._model is not None:
            return self._model
        import os

        from analysis.llm.configured import configured_model

        return configured_model(self.settings.model, os.environ)

    def use_model(self, model: ChatModel | None) -> None:
        """Ask this model from now on, the editor's own for example; None: the configured one."""
        self._model = model

    def ask(
        self,
        request: AskRequest,
        *,
        output: OutputTarget | None = None,
        stop: StopFlag | None = None,
        approver: Approver | None = None,
        model: ChatModel | None = None,
    ) -> AsyncGenerator[Event]:
        """Answer a question; the last event is ``RunFinished`` with the document.

        The index is brought up to date first. A set ``stop`` flag or a cancelled task ends the
        run early; what was found by then is written all the same. Close the generator when you
        leave it early (``contextlib.aclosing``).

        Args:
            request: The question.
            output: Where the document goes; None does not write it.
            stop: Ends the run early when set.
            approver: Asks somebody before code leaves or a tool runs, where the setting
                ``approval`` wants that; without one the answer is no.
            model: Asked by this question instead of ``self.model``.
        """
        from analysis.engine.runner import RunRequest, run

        question = RunRequest(
            request,
            model or self.model,
            output,
            stop or StopFlag(),
            approver,
            lambda: self.session_grants,
        )
        return run(self._code_base, question)

    def preview(self, request: AskRequest, stop: StopFlag | None = None) -> Preview:
        """Return what a question would send to a model, without sending anything; blocking."""
        from analysis.engine.runner import preview

        return preview(self._code_base, request, self.model, stop)

    def analyze(
        self,
        query: str,
        options: FindOptions | None = None,
        stop: StopFlag | None = None,
        emit: Callable[[Event], None] | None = None,
    ) -> SearchHits:
        """Return the places that a question, an identifier or a path leads to, best first.

        Args:
            query: What is looked for.
            options: What may be found.
            stop: Ends the search early when set.
            emit: Told which files are read first, if some have to be.
        """
        from analysis.tools.places import FindOptions, ranked
        from analysis.tools.registration import with_registration

        options = options or FindOptions()
        report = self.prepare(emit, stop, _PATIENCE_S, query)
        found = ranked(
            self.index, report, query, options, self.files.read_lines,
            lambda hits: with_registration(hits, self.access, stop),
        )  # fmt: skip
        return found.within(options)

    def tree(self, path: str = "", max_entries: int = 1000) -> FileTree:
        """Return the searchable files below a folder."""
        return self.access.get_tree(path, max_entries)

    def outline(self, path: str) -> FileOutline:
        """Return a file's imports and definitions."""
        return self.access.get_outline(path)

    def symbol(self, path: str, name: str) -> SymbolDetail:
        """Return a definition with its source, by plain or qualified name or ``NAME:LINE``."""
        return self.access.read_symbol(path, name)

    def references(
        self,
        name: str,
        *,
        scope: str | None = None,
        at: Position | None = None,
        stop: StopFlag | None = None,
        emit: Callable[[Event], None] | None = None,
    ) -> ReferenceList:
        """Return the uses of a symbol, after bringing the index up to date.

        Args:
            name: Plain or qualified name.
            scope: Only uses below this path.
            at: A definition or use of the symbol that is meant.
            stop: Ends the search early when set; the list then says so.
            emit: Told which files are read first, if some have to be.
        """
        self.prepare(emit, stop)
        return self.access.find_references(name, scope, at=at, stop=stop)

    def calls(
        self,
        name: str,
        direction: Literal["callers", "callees"],
        *,
        depth: int = 1,
        scope: str | None = None,
        at: Position | None = None,
        stop: StopFlag | None = None,
        emit: Callable[[Event], None] | None = None,
    ) -> CallList:
        """Return who calls a symbol, or whom it calls, after bringing the index up to date.

        Args:
            name: Plain or qualified name.
            direction: Which end of the calls the symbol is.
            depth: How many steps are followed.
            scope: Of several definitions one below this path is meant.
            at: A definition or use of the symbol that is meant.
            stop: Ends the search early when set; the list then says so.
            emit: Told which files are read first, if some have to be.
        """
        self.prepare(emit, stop)
        return self.access.find_calls(name, direction, depth=depth, scope=scope, at=at, stop=stop)

    def definition(self, at: Position) -> DefinitionPlaces:
        """Return where the identifier at a place is defined; blocks for at most some seconds."""
        return self.access.find_definition(at)

    def describe(self, at: Position) -> str | None:
        """Return the type of the identifier at a place, None if nobody knows it."""
        return self.access.describe(at)

    def choices(self, name: str, at: Position | None = None) -> tuple[SymbolChoice, ...]:
        """Return the definitions that a name, or the identifier at a place, can mean."""
        return self.access.choices(name, at)

    def verify(self, document: Path, stop: StopFlag | None = None) -> tuple[Reanchored, ...]:
        """Return what became of each reference of a document, and links that nobody confirmed.

        Raises:
            BadInput: The document cannot be read or is not one of ours.
        """
        return self.verifier(stop).check(document).references

    def verifier(
        self, stop: StopFlag | None = None, on_progress: OnProgress | None = None
    ) -> DocumentVerifier:
        """Return what checks and corrects documents on the disk against the code of now."""
        from analysis.engine.documents import DocumentVerifier

        return DocumentVerifier(self._code_base, stop, on_progress)

    @property
    def documents(self) -> DocumentStates:
        """The documents that are held, with the states of their references."""
        with self._lock:
            if self._documents is None:
                from analysis.engine.document_states import DocumentStates

                self._documents = DocumentStates(self._code_base)
            return self._documents

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
