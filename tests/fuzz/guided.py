"""Fuzzing that is led by coverage: `python -m tests.fuzz.guided TARGET [libFuzzer options]`.

Needs atheris, which is no dependency: `pip install atheris`. Kept out of CI; for an hour of it:
`python -m tests.fuzz.guided redact -max_total_time=3600 -max_len=4000 corpus/`.
What it finds belongs as an ``@example`` into the tests beside this module.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from analysis.errors import ScopeError
from tests.support.steering import steering_in


def redact(text: str) -> None:
    """Clearing keeps every line and never fails."""
    from analysis.llm.redact import redacted

    assert redacted(text).text.count("\n") == text.count("\n")


def decode(text: str) -> None:
    """Any bytes become text that can be encoded."""
    from analysis.workspace.classify import classify
    from analysis.workspace.decoding import decode as decoded

    data = text.encode("utf-8", "surrogatepass")
    for path in ("a.py", "a.js", "a"):
        decoded(path, data).text.encode()
        classify(path, data)


def parse(text: str) -> None:
    """Every parser takes every text."""
    from analysis.models import SourceText
    from analysis.parsing.parse import parse_source
    from analysis.workspace.decoding import decode as decoded

    for path in ("a.py", "a.ts", "a.vue", "a.md", "a.go"):
        clean = decoded(path, text.encode("utf-8", "replace")).text
        parse_source(SourceText(path, clean, "utf-8", ()))


def grammars(text: str) -> None:
    """Every grammar takes every text; the first character chooses which."""
    from analysis.models import SourceText
    from analysis.parsing.grammars import TABLE_LANGUAGES
    from analysis.parsing.parse import parse_source
    from analysis.workspace.decoding import decode as decoded

    names = {"csharp": "cs", "elixir": "ex", "haskell": "hs", "kotlin": "kt", "ruby": "rb",
             "rust": "rs", "shell": "sh"}  # fmt: skip
    languages = sorted(TABLE_LANGUAGES)
    language = languages[ord(text[0]) % len(languages)] if text else "c"
    path = f"a.{names.get(language, language)}"
    clean = decoded(path, text.encode("utf-8", "replace")).text
    assert parse_source(SourceText(path, clean, "utf-8", ())).outline.language == language


def outlines(text: str) -> None:
    """Outlines of pages, styles, notebooks and tables lie in their file, parts in wholes."""
    from analysis.models import SourceText
    from analysis.parsing.find_symbols import walk
    from analysis.parsing.parse import parse_source
    from analysis.workspace.decoding import decode as decoded
    from analysis.workspace.decoding import split_lines
    from analysis.workspace.notebooks import flatten_notebook

    ends = ("md", "css", "scss", "less", "ipynb", "vue", "svelte", "html", "mdx", "sql", "rst")
    path = f"a.{ends[ord(text[0]) % len(ends)]}" if text else "a.md"
    clean = decoded(path, text[1:].encode("utf-8", "replace")).text
    if path == "a.ipynb" and (notebook := flatten_notebook(path, clean)) is not None:
        clean = notebook.text
    parsed = parse_source(SourceText(path, clean, "utf-8", ()))
    n_lines = max(len(split_lines(clean)), 1)
    for symbol in walk(parsed.outline):
        assert 1 <= symbol.line <= symbol.line_end <= n_lines
    for chunk in parsed.chunks:
        assert 1 <= chunk.line_start <= chunk.line_end <= n_lines


def references(text: str) -> None:
    """Uses of a name in languages without facts: each place spells it, no list is complete."""
    from analysis.index.code_index import CodeIndex
    from analysis.models import Position
    from analysis.references.search.finder import ReferenceFinder
    from analysis.settings import IndexSettings, WorkspaceSettings
    from analysis.workspace.decoding import split_lines
    from analysis.workspace.files import LocalFileBackend

    ends = ("lua", "ex", "hs", "zig", "sh")
    end = ends[ord(text[0]) % len(ends)] if text else "lua"
    folder = Path(tempfile.gettempdir()) / f"scope-fuzz-{os.getpid()}"
    root = folder / "code"
    root.mkdir(parents=True, exist_ok=True)
    for old in root.iterdir():
        old.unlink()
    half = len(text) // 2
    for name, part in (("a", text[1:half]), ("b", text[half:])):
        (root / f"{name}.{end}").write_text(part, "utf-8", "replace")
    files = LocalFileBackend(root, WorkspaceSettings())
    settings = IndexSettings(cache_dir=str(folder / "cache"), workers=0)
    with contextlib.closing(CodeIndex.open(files, settings)) as index:
        index.refresh()
        finder = ReferenceFinder(files, lambda: index)
        # A name by itself, or where it stands.
        for match in list(re.finditer(r"[A-Za-z_]\w*", text[1:half]))[:4]:
            line = text.count("\n", 1, 1 + match.start()) + 1
            column = match.start() - (text.rfind("\n", 1, 1 + match.start()) if line > 1 else 0)
            for at in (None, Position(f"a.{end}", line, max(column, 0))):
                with contextlib.suppress(ScopeError):
                    found = finder.find("" if at else match[0], at=at)
                    if found is None:
                        continue
                    assert not found.complete
                    for use in (*found.references, *found.unverified):
                        line_text = split_lines(files.read(use.path).text)[use.line - 1]
                        assert line_text[use.column :].strip(), use


def question(text: str) -> None:
    """Any question is refused with a sentence or answered with a document that can be read."""
    from analysis.documents import parse_document
    from analysis.engine import Engine
    from analysis.events import RunFinished
    from analysis.models import AskRequest
    from analysis.settings import Settings

    folder = Path(tempfile.gettempdir()) / f"scope-fuzz-{os.getpid()}"
    root = folder / "asked"
    if not root.exists():
        root.mkdir(parents=True)
        (root / "shop.py").write_text("def total(cart):\n    return sum(cart)\n\n\nx = total([])\n")
    index = {"cache_dir": str(folder / "cache"), "workers": 0}
    settings = Settings.model_validate({"index": index})

    async def asked(engine: Engine) -> None:
        async for event in engine.ask(AskRequest(question=text, mode="offline")):
            if isinstance(event, RunFinished):
                markdown = event.answer.markdown
                assert not steering_in(markdown)
                parse_document(markdown)

    with Engine.open(root, settings) as engine, contextlib.suppress(ScopeError):
        asyncio.run(asked(engine))


def head(text: str) -> None:
    """Front matter of strangers is plain text or refused."""
    from analysis.documents.plain_yaml import plain_yaml

    with contextlib.suppress(ValueError):
        for key, value in plain_yaml(text).values.items():
            (key + value).encode()


def frames(text: str) -> None:
    """Bytes of any kind become messages or the end, and nothing is read beyond a length."""
    from lsp_server.incoming import WatchedInput

    ends: list[bool] = []
    stream = WatchedInput(io.BytesIO(text.encode("utf-8", "replace")), lambda: ends.append(True))
    while line := stream.readline():
        length = line.partition(b":")[2].strip()
        if line.startswith(b"Content-Length"):
            assert len(stream.read(int(length))) <= int(length)
    assert ends


def arguments(text: str) -> None:
    """What a model writes for the arguments of a tool is read or sent back."""
    from analysis.errors import ToolRetry
    from analysis.llm.arguments import (
        json_object_in,
        prompted_calls,
        tool_arguments,
        words_before_call,
    )
    from analysis.llm.messages import ModelReply, ToolCall, ToolSpec

    schema = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    json_object_in(text)
    words_before_call(text)
    prompted_calls(ModelReply(text), {"read"})
    with contextlib.suppress(ToolRetry):
        assert "path" in tool_arguments(ToolCall("1", "read", text), ToolSpec("read", "", schema))


def citations(text: str) -> None:
    """Citations of any text are found, checked and, once checked, left as they are."""
    from analysis.documents import CachedCode
    from analysis.documents.check import check_citations
    from analysis.documents.links import RelativeLinks
    from analysis.models import SourceText

    root = Path("/project")
    code = CachedCode(
        lambda: ["src/auth.py"],
        lambda path: SourceText(path, "import x\n\n\ndef login(u):\n    return u\n", "utf-8", ()),
    )
    links = RelativeLinks(root, root / "contexts/x")
    once = check_citations(text, code, links).markdown
    assert check_citations(once, code, links).markdown == once
    assert not steering_in(once)


def terminal(text: str) -> None:
    """Nothing that is printed steers a terminal."""
    from analysis.steering import unable_to_steer

    assert not steering_in(unable_to_steer(text))


def document(text: str) -> None:
    """Any document is read or refused with a sentence."""
    from analysis.documents import find_citations, parse_document

    find_citations(text)
    with contextlib.suppress(ScopeError):
        parse_document(text)


def ignore(text: str) -> None:
    """Any rules can be asked about any path."""
    from analysis.workspace.ignore_patterns import rules_from

    lines = text.split("\n")
    rules_from(lines).covers(lines[-1] or "a/b")


def words(text: str) -> None:
    """Words of any question."""
    from analysis.parsing.words import keywords, terms_of

    keywords(text)
    terms_of(text)


TARGETS: dict[str, Callable[[str], None]] = {
    target.__name__: target
    for target in (
        redact, decode, parse, grammars, head, document, citations, ignore, words, frames,
        arguments, terminal, outlines, references, question,
    )
}  # fmt: skip


def main() -> None:
    """Run one target until it fails or its time is over."""
    atheris = importlib.import_module("atheris")
    target = TARGETS[sys.argv.pop(1)]
    with atheris.instrument_imports(include=["analysis", "lsp_server"]):
        target("")

    def one_input(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        target(provider.ConsumeUnicodeNoSurrogates(len(data)))

    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
