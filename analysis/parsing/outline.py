"""The shape of one file; `find_symbols` tells how symbols are found in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.models import FileOutline
from analysis.parsing.comments import SCRIPT_COMMENTS, leading_comment
from analysis.parsing.drafts import nest, symbols_from
from analysis.parsing.embedded import scripts_in
from analysis.parsing.grammars import TABLE_LANGUAGES, table_of
from analysis.parsing.javascript import ScriptReader
from analysis.parsing.languages import PARSED_LANGUAGES, language_of
from analysis.parsing.python import PythonReader
from analysis.parsing.python_ast import AstReader
from analysis.parsing.python_module import module_of
from analysis.parsing.python_source import UnusualSource
from analysis.parsing.table_reader import TableReader
from analysis.parsing.table_repair import from_lines
from analysis.parsing.text_outline import with_text_symbols
from analysis.parsing.trees import MissingGrammar, OutOfTime, ParsedTree, parse_tree
from analysis.stopping import Deadline

if TYPE_CHECKING:
    import ast

    from analysis.stopping import StopFlag


def outline_of(
    path: str,
    text: str,
    stop: StopFlag | None = None,
    time_limit_s: float = 5.0,
    module: ast.Module | None = None,
) -> FileOutline:
    r"""Return a file's imports and definitions; of a broken file, those that could be read.

    Args:
        path: The path, which tells the language.
        text: The source with ``\n`` for every line ending.
        stop: Polled while working.
        time_limit_s: A file that takes longer has no symbols, and a word in ``problems``.
        module: The tree of a Python file, if it is there already.

    Raises:
        Cancelled: ``stop`` was set.
    """
    deadline = Deadline(time_limit_s, stop)
    if language_of(path) == "python":
        outline = _outline_by_ast(path, text, module or module_of(text))
        deadline.around.check()
        if outline is not None and not deadline.is_set():
            return outline
    return outline_by_tree(path, text, deadline)


def outline_by_tree(path: str, text: str, deadline: Deadline) -> FileOutline:
    """Return the outline that a tree made for broken files gives; for those that parse, the same.

    Raises:
        Cancelled: The work around the deadline was stopped.
    """
    language = language_of(path)
    code_language, code = scripts_in(path, language, text)
    if code_language not in PARSED_LANGUAGES:
        return with_text_symbols(_empty(path, language, text), text)
    try:
        tree = parse_tree(code_language, code, deadline)
        reader = _reader(code_language, tree)
        reader.read()
        if isinstance(reader, TableReader) and (tree.root.has_error or reader.misread):
            reader.drafts += from_lines(reader, code_language, code)
    except MissingGrammar:
        return with_text_symbols(_empty(path, language, text), text)
    except OutOfTime:
        problem = f"Parsing took longer than {deadline.seconds:g} s; the file is searched as text."
        return _empty(path, language, text, problem)
    # The script of a page can hold what a template puts into it.
    is_flawed = tree.root.has_error and language != "html"
    return FileOutline(
        path=path,
        language=language,
        imports=(*reader.imports, *reader.inner_imports),
        symbols=symbols_from(nest(reader.drafts)),
        line_count=count_lines(text),
        docstring=reader.docstring or leading_comment(tree, *_comments_of(code_language)),
        problems=("Some of the file could not be parsed.",) if is_flawed else (),
    )


def _reader(language: str, tree: ParsedTree) -> PythonReader | ScriptReader | TableReader:
    if language == "python":
        return PythonReader(tree)
    if language in TABLE_LANGUAGES:
        return TableReader(tree, table_of(language))
    return ScriptReader(tree)


def _comments_of(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return types of comments, and of what may stand right below the one that opens a file."""
    if language not in TABLE_LANGUAGES:
        return SCRIPT_COMMENTS, frozenset()
    table = table_of(language)
    return table.comments, table.headers


def _empty(path: str, language: str, text: str, *problems: str) -> FileOutline:
    return FileOutline(path, language, (), (), count_lines(text), problems=problems)


def count_lines(text: str) -> int:
    """Return the number of lines; a last line without its line end counts."""
    return text.count("\n") + (0 if text.endswith("\n") or not text else 1)


def _outline_by_ast(path: str, text: str, module: ast.Module | None) -> FileOutline | None:
    """Return the outline of a file that Python accepts, if it can be told from Python's tree."""
    if module is None:
        return None
    reader = AstReader(text, module)
    try:
        reader.read()
    except UnusualSource:
        return None
    return FileOutline(
        path=path,
        language="python",
        imports=(*reader.imports, *reader.inner_imports),
        symbols=symbols_from(nest(reader.drafts)),
        line_count=count_lines(text),
        docstring=reader.docstring,
    )
