"""Facts per file: what finding references needs to know, in a few small tables of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

__all__ = ["facts_of"]


def facts_of(path: str, text: str, language: str, module: ast.Module | None = None) -> bytes:
    """Return a file's facts as a compact blob; empty for a language without any.

    Args:
        path: Relative to the root.
        text: The source.
        language: That of the file's outline.
        module: The tree of a Python file, if it is there already.
    """
    # Whoever only reads facts imports this package too, and needs no parser.
    if language == "python":
        from analysis.parsing.facts.python import python_facts

        return python_facts(text, module).pack()
    from analysis.parsing.embedded import scripts_in

    language, code = scripts_in(path, language, text)
    if language in ("typescript", "tsx", "javascript", "jsx"):
        from analysis.parsing.facts.script import script_facts

        return script_facts(language, code).pack()
    return b""
