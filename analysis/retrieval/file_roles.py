"""Tells the code itself from what stands beside it."""

from __future__ import annotations

from collections.abc import Collection

from analysis.retrieval.file_kinds import kinds_of

_ASIDE = frozenset(
    {"tests", "examples", "docs", "scripts", "benchmarks", "vendored", "output", "data"}
)


def is_aside(path: str, asked_for: Collection[str] = ()) -> bool:
    """Return whether a file stands beside the code: a test, an example, a document.

    Kinds of files that the question asks for are what it is about.
    """
    kinds = _ASIDE.intersection(kinds_of(path)).difference(asked_for)
    return bool(kinds) and not (kinds == {"scripts"} and "/contrib/" in f"/{path}")
