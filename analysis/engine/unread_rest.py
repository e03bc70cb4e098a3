"""Whether a question can be answered while tests, translations and other bulk are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.index.code_index import CodeIndex

_OF_THE_REST = frozenset({"tests", "vendored", "data"})


def needs_no_rest(question: str) -> bool:
    """Return whether a question may be answered from the files that questions are about.

    Not if it asks for others, or for a list in which nothing may be missing, or names a file.
    """
    from analysis.retrieval.question import read_question

    asked = read_question(question)
    if asked.empty or asked.keywords.paths or asked.kind == "depends":
        return False
    return _OF_THE_REST.isdisjoint(asked.asked_for)


def all_is_known(index: CodeIndex, question: str, near: str | None) -> bool:
    """Return whether a question is about what was read: its words, its names, and its place.

    Args:
        index: Holds the files that were read.
        question: Its text.
        near: The file that the asker looks at.
    """
    from analysis.parsing.words import keywords

    found = keywords(question)
    with index.view() as view:
        if near is not None and near not in view.file_table().paths:
            return False
        return all(map(view.document_frequency, found.terms)) and all(
            map(view.files_with_identifier, filter(str.isidentifier, found.identifiers))
        )
