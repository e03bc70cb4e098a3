"""Facts per file: what finding references needs to know, in a few small tables of numbers."""

from __future__ import annotations

import ast

from analysis.models import FileOutline
from analysis.parsing.embedded import scripts_in
from analysis.parsing.facts.python import python_facts

__all__ = ["facts_of"]


def facts_of(path: str, text: str, outline: FileOutline, module: ast.Module | None = None) -> bytes:
    """Return a file's facts as a compact blob; empty for a language without any.

    Args:
        path: Relative to the root.
        text: The source.
        outline: The file's outline, for its language.
        module: The tree of a Python file, if it is there already.
    """
    if outline.language == "python":
        return python_facts(text, module).pack()
    language, code = scripts_in(path, outline.language, text)
    if language in ("typescript", "tsx", "javascript", "jsx"):
        from analysis.parsing.facts.script import script_facts

        return script_facts(language, code).pack()
    return b""
