"""Whether a question can be answered while tests, translations and other bulk are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.index.code_index import CodeIndex

_OF_THE_REST = {
    "tests": "the question is about tests",
    "vendored": "the question is about vendored code",
    "data": "the question is about data",
}
_ANY_FILE = "what is asked for can be in any of them"
_ALL = "a list of uses must lack none"


def reason_to_read(index: CodeIndex, question: str | None, near: str | None) -> str:
    """Return why the files that are read last are needed now; empty if they are not.

    Args:
        index: Holds the files that questions are about.
        question: What is asked; None if any file may matter.
        near: The file that the asker looks at.
    """
    from analysis.retrieval.question import read_question
    from analysis.retrieval.scoring import Scorer
    from analysis.retrieval.unknown_words import unknown_words

    if question is None:
        return _ANY_FILE
    asked = read_question(question)
    if asked.kind == "depends":
        return _ALL
    with index.view() as view:
        paths = view.file_table().paths
        if near is not None and near not in paths:
            return f"{near!r} is one of them"
        for named in asked.keywords.paths:
            if not _is_there(named, paths):
                return f"{named!r} can be one of them"
        for kind in _OF_THE_REST.keys() & asked.asked_for:
            return _OF_THE_REST[kind]
        if unknown := unknown_words(asked, Scorer.of(view), paths):
            return f"{unknown[0]!r} is not in what was read"
        for name in filter(str.isidentifier, asked.keywords.identifiers):
            if not view.symbols_named(name):
                return f"{name!r} is not defined in what was read"
    return ""


def rest_in_words(n_files: int | None, why: str) -> str:
    """Return what is being read, and why."""
    others = "other files" if n_files is None else f"other {n_files:,} files"
    return f"the {others}, because {why}"


def _is_there(named: str, paths: Sequence[str]) -> bool:
    """Return whether a file that was read can be the one that a question names."""
    return any(path == named or path.endswith(f"/{named}") for path in paths)
