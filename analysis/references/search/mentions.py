"""Files that spell a name and have no facts: templates, markup, configuration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from analysis.models import Reference
from analysis.parsing.embedded import markup_spans
from analysis.parsing.facts.codes import S
from analysis.parsing.languages import language_of
from analysis.references.scopes.script_layout import is_script
from analysis.references.search.session import ResolutionSession
from analysis.references.search.targets import Target, is_called
from analysis.workspace.test_files import is_test_file

# Languages of files that name things by their full path, for a program to load.
_CONFIGURATION = frozenset({"json", "yaml", "toml", "ini", "xml", "template"})
_FULL_PATH = re.compile(r"[\w.:/]+")


def mentions_of(
    code: ResolutionSession, target: Target, paths: Iterable[str]
) -> Iterator[Reference]:
    """Yield the places in files without facts that may mean a definition.

    Args:
        code: The code base.
        target: The definition.
        paths: The files that spell its name.
    """
    for path in paths:
        language = language_of(path)
        for line, column in _places(code, target, path, language):
            yield Reference(path, line, column, code.line(path, line), is_test=is_test_file(path))


def _places(
    code: ResolutionSession, target: Target, path: str, language: str
) -> Iterator[tuple[int, int]]:
    if _is_seen_by_markup(code, target, path):
        text = code.text(path)
        spans = markup_spans(path, language, text)
        if spans:
            starts = _line_starts(text)
            for line, column in code.spelled(path, target.name):
                offset = starts[line - 1] + column
                if any(start < offset < end for start, end in spans):
                    yield line, column
    if language in _CONFIGURATION:
        choice = target.choice
        for line, column in code.spelled(path, target.name):
            wanted = full_path_at(code, path, line, column)
            if wanted != target.name and is_called(choice.path, choice.qualified_name, wanted):
                yield line, column


def _is_seen_by_markup(code: ResolutionSession, target: Target, path: str) -> bool:
    """Return whether markup can name a definition: any of a script, members of Python classes."""
    if is_script(target.symbol.path):
        return is_script(path) or language_of(path) == "template"
    scope = code.unpacked(target.symbol.path).scopes[target.symbol.scope]
    return scope.kind == S.CLASS and language_of(path) in ("html", "template")


def full_path_at(code: ResolutionSession, path: str, line: int, column: int) -> str:
    """Return the dotted name that ends at the identifier at a place."""
    text = code.raw_line(path, line)
    for match in _FULL_PATH.finditer(text):
        if match.start() <= column < match.end():
            name = re.match(r"\w+", text[column:])
            end = column + (name.end() if name else 0)
            return re.sub("[:/]", ".", text[match.start() : end])
    return ""


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts
