"""The shapes of results for programs: the same in the terminal, over LSP and in the MCP tools.

Plain data with the field names that are part of the interface. Lines are 1-based and inclusive,
columns 0-based code points, paths relative to the root with ``/``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from analysis.errors import AmbiguousSymbol, ScopeError
from analysis.models import Answer, CodeReference, ReferenceList, SymbolDetail

if TYPE_CHECKING:
    from analysis.index.difference import RefreshReport
    from analysis.index.status import IndexStatus


def plain(value: object) -> Any:
    """Return dataclasses, mappings and sequences as what JSON can hold."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [plain(item) for item in value]
    return value


def error_shape(error: ScopeError) -> dict[str, Any]:
    """Return ``{error: {kind, message, hint}}``, with the choices of an ambiguous name."""
    body: dict[str, Any] = {"kind": error.kind, "message": error.message, "hint": error.hint}
    if isinstance(error, AmbiguousSymbol):
        body["choices"] = plain(error.choices)
    return {"error": body}


def answer_shape(answer: Answer) -> dict[str, Any]:
    """Return ``{document, markdown, path, fit, guesses, references, stats, notices}``.

    ``second_guess``, the first of the guesses, stands beside them.
    """
    return {
        "document": answer.document,
        "markdown": answer.markdown,
        "path": plain(answer.path),
        "fit": plain(answer.fit),
        "second_guess": plain(answer.second_guess),
        "guesses": plain(answer.guesses),
        "references": [reference_shape(reference) for reference in answer.references],
        "stats": plain(answer.stats),
        "notices": list(answer.notices),
    }


def reference_shape(reference: CodeReference) -> dict[str, Any]:
    """Return a citation; the cell is there for notebooks only."""
    shape: dict[str, Any] = plain(reference)
    if reference.cell is None:
        del shape["cell"]
    return shape


def symbol_shape(detail: SymbolDetail) -> dict[str, Any]:
    """Return a definition flat: what an outline says of it, and its source."""
    shape: dict[str, Any] = {"path": detail.path, **plain(detail.info)}
    shape |= {
        "body": detail.body,
        "parent": detail.parent,
        "char_count": detail.char_count,
        "answered_by": detail.answered_by,
    }
    return shape


def references_shape(found: ReferenceList) -> dict[str, Any]:
    """Return ``{symbol, definition, references, unverified, complete, at_least, ...}``."""
    shape: dict[str, Any] = plain(found)
    return shape


class _Located(Protocol):
    """A citation, and where it is now."""

    @property
    def reference(self) -> CodeReference:
        """As it was cited."""


def reanchored_shape(item: _Located) -> dict[str, Any]:
    """Return a citation as it was, its state now, where it is now if that is elsewhere, and why."""
    shape = reference_shape(item.reference)
    for name in ("new_path", "new_line_start", "new_line_end", "change", "new_symbol"):
        value = getattr(item, name)
        if value is not None:
            shape[name] = value
    return shape


def index_shape(
    status: IndexStatus, report: RefreshReport | None, notices: Iterable[str]
) -> dict[str, Any]:
    """Return ``{status, refresh, notices}``; refresh is null if nothing was refreshed."""
    return {"status": plain(status), "refresh": plain(report), "notices": list(notices)}
